"""The expanding core: exact, and fast wherever few items matter.

Only items whose efficiency is near the break item's are ever looked at: those between are the core,
which grows until no state is left whose bound beats the best choice known (D. Pisinger 1997, A
minimal algorithm for the 0-1 knapsack problem; S. Martello, D. Pisinger, P. Toth 1999, Dynamic
programming and strong bounds for the 0-1 knapsack problem). States remember their last 48
decisions; what they decided before stands in copies of the list made every 48 items.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.knapsack.bounds.free_items import free_items
from prunus.knapsack.bounds.relaxation import Relaxation
from prunus.knapsack.expanding_core.expand import Field, Stop, empty_words, expand
from prunus.knapsack.expanding_core.merge import BITS, COUNT_ZERO, END, list_bound
from prunus.knapsack.expanding_core.state import CoreState, deviations, word_of

__all__ = ["UNCOUNTED", "ExpandingCore"]

_ROOM = 4096
UNCOUNTED = "more items than can be counted"

Array = NDArray[np.int64]


class ExpandingCore:
    """A search over the deviations from one break solution.

    Parameters
    ----------
    relaxation
        Of all items.
    value
        A value that is known to be reached; only better ones are sought.
    memory
        Says how many bytes lists and copies of lists may take; asked when they grow.
    limit
        No choice is worth more, if that is known better than the relaxation says.
    """

    def __init__(
        self,
        relaxation: Relaxation,
        value: int,
        memory: Callable[[], int],
        limit: int | None = None,
    ) -> None:
        r = relaxation
        slack = self._slack = r.slack
        left = free_items(r, value)
        self._r, self._index = r, left.index
        n = self.items = len(left.index)
        self._w, self._p, self._counts, self._forced = left.w, left.p, left.counts, left.forced
        self._cw, self._cq, self._e, self._middle = left.cw, left.cq, left.e, left.middle
        self._side = float(r.side - int(r.counts[: r.middle].sum()))
        self._memory = memory
        self._order = np.empty(n, dtype=np.int64)
        self._word = np.zeros(1, dtype=np.uint64)
        self._copies: list[tuple[int, Array, NDArray[np.uint64]]] = []
        self._copied = 0
        self._lists = [_room(_ROOM), _room(_ROOM)]
        f = self._f = np.zeros(len(Field), dtype=np.int64)
        f[Field.LEFT], f[Field.RIGHT] = self._middle - 1, self._middle
        f[Field.BEST] = value - r.profit
        f[Field.BEST_STEP] = -1
        f[Field.PROBE] = 256
        weights, profits, words = self._lists[0]
        weights[0], profits[0], words[0] = 0, 0, COUNT_ZERO << BITS
        weights[1] = END
        f[Field.COUNT] = 1
        if r.room >= 0 and r.profit > value:
            f[Field.BEST], f[Field.BEST_STEP] = 0, 0
            self._word[0] = words[0]
        least = math.floor(r.bound + slack)
        self._limit = least if limit is None else min(least, limit)
        self._target = self._limit - r.profit
        self.done = False
        self.exhausted: str | None = None

    @property
    def value(self) -> int:
        """The best value known."""
        return int(self._f[Field.BEST]) + self._r.profit

    @property
    def improved(self) -> bool:
        """Whether the best value was found here, and not given."""
        return bool(self._f[Field.BEST_STEP] >= 0)

    @property
    def states(self) -> int:
        """How many states were made in all."""
        return int(self._f[Field.STATES])

    @property
    def count(self) -> int:
        """How many states there are now."""
        return int(self._f[Field.COUNT])

    @property
    def peak(self) -> int:
        """The length of the longest list."""
        return int(self._f[Field.PEAK])

    @property
    def size(self) -> int:
        """How many items are in the core."""
        return int(self._f[Field.STEP])

    def advance(self, budget: int) -> bool:
        """Expand the core; return whether it is done or can go no further.

        Parameters
        ----------
        budget
            Stop after about so many states.
        """
        f, r = self._f, self._r
        until = self.states + budget
        while not self.done and self.exhausted is None:
            step = int(f[Field.STEP])
            now, then = self._lists[step % 2], self._lists[1 - step % 2]
            stop = expand(
                f, self._word, self._order, *now, *then, np.int64(r.room), self._w, self._p,
                self._counts, self._cw, self._cq, self._e, self._forced, self._middle, r.multiplier,
                self._side, self._target, self._slack, max(1, until - self.states),
            )  # fmt: skip
            if stop == Stop.DONE:
                self.done = True
            elif stop == Stop.SPACE:
                self._grow()
            elif stop == Stop.SNAPSHOT:
                self._copy()
            elif stop == Stop.CARD:
                self.exhausted = UNCOUNTED
            elif self.states >= until:
                return False
        return True

    def bound(self) -> int:
        """Return a value that no choice exceeds."""
        if self.done:
            return self.value
        f, r = self._f, self._r
        step = int(f[Field.STEP])
        found = list_bound(
            *self._lists[step % 2], int(f[Field.COUNT]), np.int64(r.room), int(f[Field.LEFT]),
            int(f[Field.RIGHT]), self._cw, self._cq, self._e, r.multiplier,
        )  # fmt: skip
        found += r.multiplier * self._side
        if not math.isfinite(found):
            return self.value
        return int(max(self.value, min(self._limit, math.floor(found + self._slack) + r.profit)))

    def chosen(self) -> Array:
        """Return the items of the best choice found here, numbered as in the relaxation."""
        f = self._f
        flags = np.zeros(self.items, dtype=bool)
        flags[: self._middle] = True
        for item in self._deviations():
            flags[item] = ~flags[item]
        extra = int(f[Field.BEST_EXTRA])
        if extra:
            flags[abs(extra) - 1] = extra > 0
        return self._numbered(flags)

    def _numbered(self, flags: NDArray[np.bool_]) -> Array:
        """Return the items of a choice, numbered as in the relaxation, from a flag for each."""
        fixed = np.ones(self._r.middle, dtype=bool)
        fixed[self._index[: self._middle]] = False
        return np.concatenate([np.flatnonzero(fixed), self._index[flags]])

    def _deviations(self) -> Iterator[int]:
        f = self._f
        yield from deviations(
            self._order, self._shift, self._copies, int(f[Field.BEST_BASE]),
            int(f[Field.BEST_STEP]), int(f[Field.BEST_WEIGHT]), int(self._word[0]), self._word_of,
        )  # fmt: skip

    def _shift(self, item: int) -> int:
        return int(self._w[item]) * (1 if item >= self._middle else -1)

    def state_of_search(self) -> CoreState:
        """Return what another search needs to go on from here."""
        f, r, n = self._f, self._r, self.count
        start = tuple(a[: n + 1].copy() for a in self._lists[self.size % 2])
        return CoreState(
            w=self._w, p=self._p, counts=self._counts, e=self._e, forced=self._forced,
            q=np.maximum(self._p - r.multiplier * self._counts, 0.0), middle=self._middle,
            room=r.room, lam=r.multiplier, side=self._side, slack=self._slack, profit=r.profit,
            best=int(f[Field.BEST]), start=start, count=n, base=int(f[Field.BASE]),
            order=self._order[: self.size].tolist(), copies=list(self._copies),
            numbered=self._numbered,
        )  # fmt: skip

    def _word_of(self, weights: Any, words: Any, weight: int) -> int:
        """Return the word of the state of a weight."""
        return word_of(weights, words, weight)

    def _grow(self) -> None:
        count, memory = int(self._f[Field.COUNT]), self._memory()
        wanted = 4 * count + 64
        if self._copied + 2 * 24 * (2 * count + 64) > memory:
            self.exhausted = "memory"
            return
        if self._copied + 2 * 24 * wanted > memory:
            wanted = 2 * count + 64
        step = int(self._f[Field.STEP])
        old = self._lists[step % 2]
        new = _room(wanted)
        for a, b in zip(new, old, strict=True):
            a[: count + 1] = b[: count + 1]
        self._lists[step % 2], self._lists[1 - step % 2] = new, _room(wanted)

    def _copy(self) -> None:
        f = self._f
        count, step = int(f[Field.COUNT]), int(f[Field.STEP])
        weights, _, words = self._lists[step % 2]
        if self._copied + 16 * count > self._memory() // 2:
            self.exhausted = "memory"
            return
        self._copied += 16 * count
        self._copies.append((step, weights[:count].copy(), words[:count].copy()))
        empty_words(words, count)
        f[Field.BASE] = step


def _room(states: int) -> tuple[Any, Any, Any]:
    """Make an empty list with room for some states."""
    return (
        np.empty(states, dtype=np.int64),
        np.empty(states, dtype=np.int64),
        np.empty(states, dtype=np.uint64),
    )
