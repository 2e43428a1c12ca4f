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

import numpy as np

from prunus.knapsack.bounds.free_items import free_items
from prunus.knapsack.bounds.relaxation import Relaxation
from prunus.knapsack.expanding_core.expand import (
    PROGRESS,
    CoreGoal,
    Stop,
    empty_words,
    expand,
)
from prunus.knapsack.expanding_core.merge import list_bound
from prunus.knapsack.expanding_core.state import CoreState, ListCopy, StateHistory
from prunus.knapsack.expanding_core.states import (
    COUNT_ZERO,
    DECISION_BITS,
    END_WEIGHT,
    STATE_BYTES,
    OutsideItems,
    StateArrays,
    Threshold,
    copy_states,
    empty_states,
)
from prunus.model.arrays import BoolArray, Int64Array
from prunus.runtime.stop_token import MEMORY, StopKind, StopReason

_FIRST_LIST_STATES = 4096
"""States for which the first lists have room."""

_COPY_BYTES = 16
"""Bytes that a state takes in a copy of a list: its weight and its word."""

UNCOUNTED = StopReason(StopKind.METHOD, "more items than can be counted")
"""Why a core ends whose states' words cannot count its items."""


class ExpandingCore:
    """A search over the deviations from one break solution.

    Only choices worth more than ``value``, which is known to be reached, are sought. ``memory``
    says how many bytes lists and copies of lists may take, and is asked when they grow; ``limit``
    is what no choice is worth more than, if that is known better than the relaxation says.
    """

    def __init__(
        self,
        relaxation: Relaxation,
        value: int,
        memory: Callable[[], int],
        limit: int | None = None,
    ) -> None:
        r = relaxation
        self._r, self._items = r, free_items(r, value)
        self._index, middle = self._items.number, self._items.middle
        side = float(r.side - int(r.counts[: r.middle].sum())) if r.multiplier else 0.0
        least = math.floor(r.bound + r.slack)
        self._limit = least if limit is None else min(least, limit)
        self._goal = CoreGoal(r.room, r.multiplier, side, self._limit - r.profit, r.slack)
        self._memory = memory
        self._order = np.empty(len(self._index), dtype=np.int64)
        self._copies: list[ListCopy] = []
        self._copied_bytes = 0
        self._lists = [empty_states(_FIRST_LIST_STATES), empty_states(_FIRST_LIST_STATES)]
        self._progress = np.zeros(1, PROGRESS)
        now = self._now = self._progress[0]
        now["left"], now["right"] = middle - 1, middle
        now["best"], now["best_step"] = value - r.profit, -1
        now["probe_length"] = 256
        states = self._lists[0]
        states.weight[0], states.profit[0] = 0, 0
        states.word[0] = COUNT_ZERO << DECISION_BITS
        states.weight[1] = END_WEIGHT
        now["count"] = 1
        if r.room >= 0 and r.profit > value:
            now["best"], now["best_step"], now["best_word"] = 0, 0, states.word[0]
        self.done = False
        self.exhausted: StopReason | None = None

    @property
    def value(self) -> int:
        """The best value known."""
        return int(self._now["best"]) + self._r.profit

    @property
    def improved(self) -> bool:
        """Whether the best value was found here, and not given."""
        return bool(self._now["best_step"] >= 0)

    @property
    def states(self) -> int:
        """How many states were made in all."""
        return int(self._now["states"])

    @property
    def count(self) -> int:
        """How many states there are now."""
        return int(self._now["count"])

    @property
    def peak(self) -> int:
        """The length of the longest list."""
        return int(self._now["peak"])

    @property
    def size(self) -> int:
        """How many items are in the core."""
        return int(self._now["step"])

    @property
    def _list(self) -> StateArrays:
        """The list as it is now."""
        return self._lists[self.size % 2]

    def advance(self, budget: int) -> bool:
        """Expand the core; return whether it is done or can go no further.

        ``budget``: stop after about so many states.
        """
        now = self._now
        until = self.states + budget
        while not self.done and self.exhausted is None:
            turn = int(now["step"]) % 2
            lists = self._lists[turn], self._lists[1 - turn]
            left = max(1, until - int(now["states"]))
            stop = expand(self._progress, self._order, *lists, self._items, self._goal, left)
            if stop == Stop.DONE:
                self.done = True
            elif stop == Stop.SPACE:
                self._grow()
            elif stop == Stop.SNAPSHOT:
                self._copy()
            elif stop == Stop.COUNT:
                self.exhausted = UNCOUNTED
            elif self.states >= until:
                return False
        return True

    def bound(self) -> int:
        """Return a value that no choice exceeds."""
        if self.done:
            return self.value
        now, items, goal = self._now, self._items, self._goal
        outside = OutsideItems(int(now["left"]), int(now["right"]), items.cw, items.cq, items.e)
        threshold = Threshold(goal.room, goal.multiplier, 0.0)
        found = list_bound(self._list, self.count, outside, threshold)
        return self._bound_from(found + goal.multiplier * goal.side)

    def _bound_from(self, found: float) -> int:
        """Return a value that no choice exceeds, from the largest bound over all states."""
        if not math.isfinite(found):
            return self.value
        bound = math.floor(found + self._goal.slack) + self._r.profit
        return max(self.value, min(self._limit, bound))

    def chosen(self) -> Int64Array:
        """Return the items of the best choice found here, numbered as in the relaxation."""
        flags = np.zeros(len(self._index), dtype=bool)
        flags[: self._items.middle] = True
        for item in self._deviations():
            flags[item] = ~flags[item]
        extra = int(self._now["best_extra"])
        if extra:
            flags[abs(extra) - 1] = extra > 0
        return self._numbered(flags)

    def _numbered(self, flags: BoolArray) -> Int64Array:
        """Return the items of a choice, numbered as in the relaxation, from a flag for each."""
        fixed = np.ones(self._r.middle, dtype=bool)
        fixed[self._index[: self._items.middle]] = False
        return np.concatenate([fixed.nonzero()[0], self._index[flags]])

    def _deviations(self) -> Iterator[int]:
        """Yield the items in which the best state deviates from the break solution."""
        now = self._now
        history = StateHistory(self._order, int(now["best_emptied_at"]), self._copies)
        weight, word, last = int(now["best_weight"]), int(now["best_word"]), int(now["best_step"])
        return history.deviations(self._items, weight, word, last)

    def state(self) -> CoreState:
        """Return what another search needs to go on from here."""
        items, goal = self._items, self._goal
        weight, profit, word = self._list
        here = slice(self.count + 1)
        arrays = StateArrays(weight[here].copy(), profit[here].copy(), word[here].copy())
        order = self._order[: self.size].tolist()
        return CoreState(
            items=items,
            goal=goal,
            q=np.maximum(items.p - goal.multiplier * items.counts, 0.0),
            profit=self._r.profit,
            best=int(self._now["best"]),
            states=arrays,
            count=self.count,
            history=StateHistory(order, int(self._now["emptied_at"]), list(self._copies)),
            numbered=self._numbered,
        )

    def _grow(self) -> None:
        """Make room for longer lists."""
        count, memory = self.count, self._memory()
        both = 2 * STATE_BYTES
        wanted = 4 * count + 64
        if self._copied_bytes + both * (2 * count + 64) > memory:
            self.exhausted = MEMORY
            return
        if self._copied_bytes + both * wanted > memory:
            wanted = 2 * count + 64
        old, new = self._list, empty_states(wanted)
        copy_states(old, count + 1, new)
        at = self.size % 2
        self._lists[at], self._lists[1 - at] = new, empty_states(wanted)

    def _copy(self) -> None:
        """Keep a copy of the list, and empty its words."""
        count, states = self.count, self._list
        if self._copied_bytes + _COPY_BYTES * count > self._memory() // 2:
            self.exhausted = MEMORY
            return
        self._copied_bytes += _COPY_BYTES * count
        copy = ListCopy(self.size, states.weight[:count].copy(), states.word[:count].copy())
        self._copies.append(copy)
        empty_words(states.word, count)
        self._now["emptied_at"] = self.size
