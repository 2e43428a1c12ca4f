"""The core and the rim: two lists of states over different items that grow toward one another.

One list that swallows all items of the core ends as long as there are choices that might be better.
Two lists over half of the deviations each have about the square root of that many states: the
first takes items from the break item outwards, the second those at whose deviation most is lost,
always the shorter one takes the next. When no item is left, the best pair of states that fits is
the optimum (the idea of E. Horowitz and S. Sahni 1974, Computing partitions with applications to
the knapsack problem, with the dominance and bounds of an expanding core).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from prunus.knapsack.expanding_core.expand import COUNT_LIMIT
from prunus.knapsack.expanding_core.state import CoreState, StateHistory
from prunus.knapsack.expanding_core.states import (
    COUNT_ONE,
    COUNT_ZERO,
    DECISION_BITS,
    STATE_BYTES,
    Shift,
    Threshold,
    empty_states,
)
from prunus.knapsack.tuning import TwoListTuning
from prunus.knapsack.two_list.best_pair import best_pair
from prunus.knapsack.two_list.merge_ranges import StateRange
from prunus.knapsack.two_list.pieces import Workspace
from prunus.knapsack.two_list.state_list import StateList
from prunus.knapsack.two_list.tangents import TangentBound
from prunus.knapsack.two_list.workers import PieceWorkers
from prunus.model.arrays import Int64Array
from prunus.runtime.stop_token import MEMORY, StopReason

_OPEN, _CORE, _RIM, _CLOSED = 0, 1, 2, 3
"""Who has an item: nobody yet, the first list, the second; or no better choice deviates in it."""


class TwoListCore:
    """A search that goes on where a core has become too long.

    ``memory`` says how many bytes lists may take.
    """

    def __init__(
        self,
        core: CoreState,
        workers: PieceWorkers,
        memory: Callable[[], int],
        tuning: TwoListTuning,
    ) -> None:
        self._core, self._workers, self._memory = core, workers, memory
        self._tuning = tuning
        room = Workspace(workers.size)
        self._best = core.best
        self._chosen: Int64Array | None = None
        items, order = core.items, core.history.order
        n = len(items.w)
        self._owner = np.zeros(n, dtype=np.uint8)
        self._owner[order] = _CORE
        self._near = np.argsort(np.abs(np.arange(n) - items.middle + 0.5), kind="stable")
        self._far = np.argsort(items.forced, kind="stable")
        self._outside = TangentBound(n)
        rim = empty_states(64)
        rim.weight[0], rim.profit[0], rim.word[0] = 0, 0, COUNT_ZERO << DECISION_BITS
        self._lists = (
            StateList(workers, room, core.states, core.count, core.history, tuning),
            StateList(workers, room, rim, 1, StateHistory([], 0, []), tuning),
        )
        self._joined = 2 * core.count
        self._near_at = self._far_at = 0
        self._counted = [int(items.counts[order].sum()), 0]
        self.done = False
        self.exhausted: StopReason | None = None
        self.uncounted = self.improved = False

    @property
    def value(self) -> int:
        """The best value known."""
        return self._best + int(self._core.profit)

    @property
    def states(self) -> int:
        """How many states were made."""
        return sum(states.made for states in self._lists)

    @property
    def states_now(self) -> int:
        """How many states there are now."""
        return sum(states.size for states in self._lists)

    @property
    def seconds(self) -> float:
        """About how many seconds that took one core, by a count of steps."""
        return sum(states.seconds for states in self._lists)

    @property
    def peak(self) -> int:
        """How long the longer list is."""
        return max(states.size for states in self._lists)

    @property
    def size(self) -> int:
        """How many items are in the lists."""
        return sum(len(states.order) for states in self._lists)

    def advance(self) -> None:
        """Take one more item, or end.

        Raises ``StoppedError`` if the workers are to stop; `bound` still holds.
        """
        core, lists = self._core, self._lists
        self._close_hopeless()
        if self.states_now > 2 * self._joined:
            self._join()
            self._close_hopeless()
        mine = 0 if lists[0].size <= lists[1].size else 1
        item = self._next(mine)
        if item < 0 or min(states.size for states in lists) == 0:
            if all(states.size for states in lists):
                self._join()
            self.done = True
            return
        if not self._fits(lists[mine]):
            self.exhausted = MEMORY
            return
        items, some = core.items, lists[mine]
        self._counted[mine] += int(items.counts[item])
        if core.goal.multiplier and self._counted[mine] >= COUNT_LIMIT:
            self.uncounted = True
            return
        threshold, outside = self._threshold(), self._outside
        if some.full:
            outside.take_all_but(core, self._owner, mine + 1)
        bit = some.bit(outside, threshold)
        self._owner[item] = mine + 1
        outside.take_all_but(core, self._owner, mine + 1)
        sign = 1 if item >= items.middle else -1
        word = np.uint64((bit + sign * COUNT_ONE * int(items.counts[item])) % 2**64)
        shift = Shift(sign * int(items.w[item]), sign * int(items.p[item]), word)
        try:
            some.add(outside, threshold, item, shift)
        except BaseException:
            if some.order[-1:] != [item]:
                self._owner[item] = _OPEN
            raise

    def bound(self) -> int:
        """Return a value that no choice exceeds."""
        if self.done:
            return self.value
        found, core, threshold = math.inf, self._core, self._threshold()
        for k, states in enumerate(self._lists):
            if states.size == 0:
                return self.value
            self._outside.take_all_but(core, self._owner, k + 1)
            found = min(found, states.greatest_bound(self._outside, threshold))
        found += core.goal.multiplier * core.goal.side
        if not math.isfinite(found):
            return self.value
        return max(self.value, math.floor(found + core.goal.slack) + core.profit)

    def chosen(self) -> Int64Array:
        """Return the items of the best choice found here, numbered as in the relaxation."""
        assert self._chosen is not None, "a better choice was found here"
        return self._chosen

    def _lowest(self) -> float:
        """Return what a better choice must be worth at least, relative to the break solution."""
        return float(self._best + 1) - self._core.goal.slack

    def _threshold(self) -> Threshold:
        goal = self._core.goal
        return Threshold(goal.room, goal.multiplier, self._lowest() - goal.multiplier * goal.side)

    def _close_hopeless(self) -> None:
        """Close the items in which no better choice deviates."""
        lowest, far, forced = self._lowest(), self._far, self._core.items.forced
        while self._far_at < len(far) and forced[far[self._far_at]] < lowest:
            item = far[self._far_at]
            if self._owner[item] == _OPEN:
                self._owner[item] = _CLOSED
            self._far_at += 1

    def _next(self, mine: int) -> int:
        """Return the next item of a list, -1 if none is left."""
        if mine == 0:
            while self._near_at < len(self._near):
                item = int(self._near[self._near_at])
                if self._owner[item] == _OPEN:
                    return item
                self._near_at += 1
            return -1
        at = self._far_at
        while at < len(self._far) and self._owner[self._far[at]] != _OPEN:
            at += 1
        self._far_at = at
        return int(self._far[at]) if at < len(self._far) else -1

    def _fits(self, states: StateList) -> bool:
        wanted = STATE_BYTES * (2 * self.states_now + 3 * states.size)
        return wanted + sum(s.copied_bytes for s in self._lists) <= self._memory()

    def _join(self) -> None:
        """Look for the best pair of the two lists."""
        a, b = self._lists
        threshold, core = self._threshold(), self._core
        for k, states in enumerate(self._lists):
            self._outside.take_all_but(core, self._owner, k + 1)
            states.settle(self._outside, threshold)
        self._joined = self.states_now
        pieces = max(1, a.count // self._tuning.paired_states)
        found: list[tuple[int, int, int]] = []

        def work(piece: int, _: int) -> None:
            first, last = (a.count * k // pieces for k in (piece, piece + 1))
            if first < last and b.count:
                some = StateRange(a.states, first, last)
                best, i, j = best_pair(some, b.states, b.count, core.goal.room, self._best)
                if i >= 0:
                    found.append((int(best), int(i), int(j)))

        self._workers.share(pieces, work)
        if found:
            best, i, j = max(found)
            self._take(best, i, j)

    def _take(self, best: int, i: int, j: int) -> None:
        """Take the choice for which a pair of states stands."""
        items = self._core.items
        flags = np.zeros(len(items.w), dtype=bool)
        flags[: items.middle] = True
        for some, at in zip(self._lists, (i, j), strict=True):
            weight, word = int(some.states.weight[at]), int(some.states.word[at])
            for item in some.history.deviations(items, weight, word, len(some.order)):
                flags[item] = ~flags[item]
        self._best, self.improved = best, True
        self._chosen = self._core.numbered(flags)
