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

from prunus.knapsack.bounds.free_items import free_items
from prunus.knapsack.bounds.relaxation import Relaxation
from prunus.knapsack.outside_in.counted_bound import CountedBound
from prunus.knapsack.outside_in.decide import (
    PROGRESS,
    Deviations,
    FixingItems,
    LinkedStates,
    Stop,
    decide,
    drop_hopeless,
)
from prunus.knapsack.tuning import DEFAULT, OutsideInTuning
from prunus.model.arrays import Int64Array

_STATE_BYTES = 24
_DEVIATION_BYTES = 12


class OutsideInFixing:
    """A search over the deviations from one break solution.

    The relaxation has no constraint on the number of items. Only choices worth more than ``value``,
    which is known to be reached, are sought. Lists may take as many bytes as ``memory`` says; at
    one of ``longest`` states, or once ``budget`` states were looked at, it gives up. ``look`` is
    called now and then and says whether to stop. If ``done``, the best value known is optimal; no
    choice is worth more than ``limit``.
    """

    def __init__(
        self,
        relaxation: Relaxation,
        value: int,
        memory: Callable[[], int],
        longest: int,
        budget: int,
        look: Callable[[], bool] = bool,
        tuning: OutsideInTuning = DEFAULT.outside_in,
    ) -> None:
        r = self._r = relaxation
        left = free_items(r, value)
        index = self._index = left.number
        self._items = FixingItems(left.w, left.p, left.e, left.forced, r.slack, left.middle, r.room)
        at = min(r.middle, len(r.w) - 1)
        weight = int(r.w[at]) if len(r.w) else 1
        self._counted = CountedBound(left.w, left.p, left.middle, float(r.e[r.middle]), weight)
        self._memory, self._longest, self._budget, self._look = memory, longest, budget, look
        self._tuning = tuning
        room = tuning.first_list
        self._lists = [_empty_list(room), _empty_list(room)]
        self._deviations = Deviations(np.empty(room, np.int64), np.empty(room, np.int32))
        self._progress = np.zeros(1, PROGRESS)
        now = self._now = self._progress[0]
        now["high"], now["count"], now["peak"] = len(index), 1, 1
        now["best"], now["best_node"] = value - r.profit, -1
        if r.room >= 0 and r.profit > value:
            now["best"], now["found"] = 0, 1
        for values, first in zip(self._lists[0], (0, 0, -1), strict=True):
            values[0] = first
        self.limit = math.floor(r.bound + r.slack)
        self.done = False

    @property
    def value(self) -> int:
        """The best value known."""
        return int(self._now["best"]) + self._r.profit

    @property
    def improved(self) -> bool:
        """Whether the best value was found here, and not given."""
        return bool(self._now["found"])

    @property
    def states(self) -> int:
        """How many states were looked at."""
        return int(self._now["states"])

    @property
    def peak(self) -> int:
        """The length of the longest list."""
        return int(self._now["peak"])

    @property
    def size(self) -> int:
        """How many items deviate in choices that might be better."""
        return len(self._index)

    def run(self) -> bool:
        """Search; return whether the best value known is proven optimal."""
        now = self._now
        while now["count"] and now["high"] > now["low"]:
            if not self._round():
                return False
        self.done, self.limit = True, self.value
        return True

    def chosen(self) -> Int64Array:
        """Return the items of the best choice found here, numbered as in the relaxation."""
        flags = np.zeros(len(self._r.w), dtype=bool)
        flags[: self._r.middle] = True
        node = int(self._now["best_node"])
        while node >= 0:
            item = self._index[self._deviations.item[node]]
            flags[item] = ~flags[item]
            node = int(self._deviations.parent[node])
        return np.flatnonzero(flags)

    def _round(self) -> bool:
        """Decide some items at the same prices; return whether to go on."""
        now, counted, r, how = self._now, self._counted, self._r, self._tuning
        low, high, n = int(now["low"]), int(now["high"]), int(now["count"])
        states = self._lists[now["lists"] % 2]
        least = float(now["best"] + 1) - r.slack
        rooms = r.room - states.weight[[0, n - 1]]
        counted.start(low, high, int(np.abs(rooms).max()))
        for at in sorted(
            {k * (n - 1) // (how.priced_states - 1) for k in range(how.priced_states)}
        ):
            rho = r.room - int(states.weight[at])
            counted.sharpen(rho, least - float(states.profit[at]), self._look)
        prices = counted.prices
        greatest = float(drop_hopeless(self._progress, states, r.room, prices, least))
        if math.isfinite(greatest):
            limit = math.floor(greatest + r.slack) + r.profit
            self.limit = max(self.value, min(self.limit, limit))
        until = max(0, min(int(how.left_share * (high - low)), high - low - how.fewest_items))
        while True:
            at = now["lists"] % 2
            stop = decide(
                self._progress, self._lists[at], self._lists[1 - at], self._deviations,
                self._items, prices, until, how.slice_states,
            )  # fmt: skip
            if stop == Stop.SPACE and not self._grow():
                return False
            if now["count"] > self._longest or self.states > self._budget or self._look():
                return False
            if stop == Stop.DONE:
                return True

    def _grow(self) -> bool:
        """Make room for longer lists and more deviations; return whether there is memory."""
        n, nodes = int(self._now["count"]), int(self._now["nodes"])
        wanted = 4 * n + self._tuning.first_list
        deviations = 2 * (nodes + n) + self._tuning.first_list
        if 2 * _STATE_BYTES * wanted + 2 * _DEVIATION_BYTES * deviations > self._memory():
            return False
        at = self._now["lists"] % 2
        self._lists[at] = _longer(self._lists[at], n, wanted)
        self._lists[1 - at] = _empty_list(wanted)
        old = self._deviations
        new = Deviations(np.empty(deviations, np.int64), np.empty(deviations, np.int32))
        new.parent[:nodes], new.item[:nodes] = old.parent[:nodes], old.item[:nodes]
        self._deviations = new
        return True


def _empty_list(states: int) -> LinkedStates:
    """Make an empty list with room for some states."""
    return LinkedStates(*(np.empty(states, np.int64) for _ in range(3)))


def _longer(old: LinkedStates, count: int, states: int) -> LinkedStates:
    """Return a list with room for more states."""
    new = _empty_list(states)
    for column, values in zip(new, old, strict=True):
        column[:count] = values[:count]
    return new
