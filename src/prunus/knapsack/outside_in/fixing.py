"""From the outside inwards: what is far from the break item is decided first.

An expanding core begins at the break item and bounds what is left by a linear relaxation. Where
all items near the break item weigh about the same, as in the circle class of D. Pisinger (2005,
Where are the hard knapsack problems?), that relaxation fills the last part of the capacity with a
fraction of an item, and nothing that is decided near the break item changes it: lists grow to
millions of states that differ in nothing that matters. Decided from the outside inwards, the items
left are ever more alike, and a bound that counts them is ever sharper: see
`prunus.knapsack.outside_in.counted_bound`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from prunus.knapsack.bounds.free_items import free_items
from prunus.knapsack.bounds.relaxation import Relaxation
from prunus.knapsack.outside_in.counted_bound import CountedBound
from prunus.knapsack.outside_in.decide import Field, Stop, decide, prune

__all__ = ["OutsideInFixing"]

_ROOM = 1 << 12
_STATE = 24  # bytes
_NODE = 12
_LEFT = 0.85  # items left, of those left before, until new prices are sought
_FEW = 3  # items that are decided at the same prices at least
_STATES = 4  # for which prices are sought
_SLICE = 4_000_000  # states between two looks at the clock

Array = NDArray[np.int64]
List = tuple[Array, Array, Array]


class OutsideInFixing:
    """A search over the deviations from one break solution.

    Parameters
    ----------
    relaxation
        Of all items, without a constraint on their number.
    value
        A value that is known to be reached; only better ones are sought.
    memory
        Says how many bytes lists may take.
    longest
        The length of a list at which to give up.
    budget
        How many states may be looked at.
    look
        Called now and then; says whether to stop.

    Attributes
    ----------
    done
        Whether the best value known is optimal.
    limit
        No choice is worth more.
    """

    def __init__(
        self,
        relaxation: Relaxation,
        value: int,
        memory: Callable[[], int],
        longest: int,
        budget: int,
        look: Callable[[], bool] = bool,
    ) -> None:
        r = self._r = relaxation
        left = free_items(r, value)
        index = self._index = left.index
        self._w, self._p, self._forced = left.w, left.p, left.forced
        self._e, self._middle = left.e, left.middle
        at = min(r.middle, len(r.w) - 1)
        self._counted = CountedBound(
            self._w, self._p, self._middle, float(r.e[r.middle]), int(r.w[at]) if len(r.w) else 1
        )
        self._memory, self._longest, self._budget, self._look = memory, longest, budget, look
        self._lists = [_room(_ROOM), _room(_ROOM)]
        self._parents, self._items = np.empty(_ROOM, np.int64), np.empty(_ROOM, np.int32)
        f = self._f = np.zeros(len(Field), dtype=np.int64)
        f[Field.HIGH], f[Field.COUNT], f[Field.PEAK] = len(index), 1, 1
        f[Field.BEST], f[Field.BEST_NODE] = value - r.profit, -1
        if r.room >= 0 and r.profit > value:
            f[Field.BEST], f[Field.FOUND] = 0, 1
        for values, first in zip(self._lists[0], (0, 0, -1), strict=True):
            values[0] = first
        self.limit = math.floor(r.bound + r.slack)
        self.done = False

    @property
    def value(self) -> int:
        """The best value known."""
        return int(self._f[Field.BEST]) + self._r.profit

    @property
    def improved(self) -> bool:
        """Whether the best value was found here, and not given."""
        return bool(self._f[Field.FOUND])

    @property
    def states(self) -> int:
        """How many states were looked at."""
        return int(self._f[Field.MERGED])

    @property
    def peak(self) -> int:
        """The length of the longest list."""
        return int(self._f[Field.PEAK])

    @property
    def size(self) -> int:
        """How many items deviate in choices that might be better."""
        return len(self._index)

    def run(self) -> bool:
        """Search; return whether the best value known is proven optimal."""
        f = self._f
        while f[Field.COUNT] and f[Field.HIGH] > f[Field.LOW]:
            if not self._round():
                return False
        self.done, self.limit = True, self.value
        return True

    def chosen(self) -> Array:
        """Return the items of the best choice found here, numbered as in the relaxation."""
        flags = np.zeros(len(self._r.w), dtype=bool)
        flags[: self._r.middle] = True
        node = int(self._f[Field.BEST_NODE])
        while node >= 0:
            item = self._index[self._items[node]]
            flags[item] = ~flags[item]
            node = int(self._parents[node])
        return np.flatnonzero(flags)

    def _round(self) -> bool:
        """Decide some items at the same prices; return whether to go on."""
        f, counted, r = self._f, self._counted, self._r
        low, high, n = int(f[Field.LOW]), int(f[Field.HIGH]), int(f[Field.COUNT])
        weights, profits, _ = lists = self._lists[f[Field.STEPS] % 2]
        least = float(f[Field.BEST] + 1) - r.slack
        rooms = r.room - weights[[0, n - 1]]
        counted.start(low, high, int(np.abs(rooms).max()))
        for at in sorted({k * (n - 1) // (_STATES - 1) for k in range(_STATES)}):
            rho = r.room - int(weights[at])
            counted.sharpen(low, high, rho, least - float(profits[at]), self._look)
        greatest = float(prune(f, *lists, np.int64(r.room), *counted.given, least))
        if math.isfinite(greatest):
            limit = math.floor(greatest + r.slack) + r.profit
            self.limit = max(self.value, min(self.limit, limit))
        until = max(0, min(int(_LEFT * (high - low)), high - low - _FEW))
        while True:
            now, then = self._lists[f[Field.STEPS] % 2], self._lists[1 - f[Field.STEPS] % 2]
            stop = decide(
                f, *now, *then, self._parents, self._items, self._w, self._p, self._e,
                self._forced, self._middle, np.int64(r.room), r.slack, *counted.given, until,
                _SLICE,
            )  # fmt: skip
            if stop == Stop.SPACE and not self._grow():
                return False
            if f[Field.COUNT] > self._longest or self.states > self._budget or self._look():
                return False
            if stop == Stop.DONE:
                return True

    def _grow(self) -> bool:
        """Make room for longer lists and more deviations; return whether there is memory."""
        f = self._f
        n, nodes = int(f[Field.COUNT]), int(f[Field.NODES])
        wanted, deviations = 4 * n + _ROOM, 2 * (nodes + n) + _ROOM
        if 2 * _STATE * wanted + 2 * _NODE * deviations > self._memory():
            return False
        at = f[Field.STEPS] % 2
        self._lists[at] = _longer(self._lists[at], n, wanted)
        self._lists[1 - at] = _room(wanted)
        parents, items = np.empty(deviations, np.int64), np.empty(deviations, np.int32)
        parents[:nodes], items[:nodes] = self._parents[:nodes], self._items[:nodes]
        self._parents, self._items = parents, items
        return True


def _room(states: int) -> List:
    return (np.empty(states, np.int64), np.empty(states, np.int64), np.empty(states, np.int64))


def _longer(old: List, count: int, states: int) -> List:
    new = _room(states)
    for a, b in zip(new, old, strict=True):
        a[:count] = b[:count]
    return new
