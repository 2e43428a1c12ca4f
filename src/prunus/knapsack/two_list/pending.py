"""Pending states: what survives when a list is shifted by a far item, collected apart.

Each thread has a heap of its own, in which states stand in any order. Pending states are shifted
like the list itself, until they are spread over ranges of weights, sorted there, and merged into
the list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from prunus.knapsack.expanding_core.states import (
    END_WEIGHT,
    Shift,
    StateArrays,
    Threshold,
    copy_states,
    empty_states,
    with_room,
)
from prunus.knapsack.tuning import TwoListTuning
from prunus.knapsack.two_list.merge_ranges import (
    StateRange,
    count_in_ranges,
    spread_over_ranges,
)
from prunus.knapsack.two_list.pieces import Workspace
from prunus.knapsack.two_list.scan import greatest_bound, scan, scan_unsorted
from prunus.knapsack.two_list.tangents import Tangents
from prunus.knapsack.two_list.workers import PieceWorkers
from prunus.model.arrays import Int64Array


class Survival(NamedTuple):
    """A shift of a list, and what a state must reach to survive it."""

    shift: Shift
    tangents: Tangents
    threshold: Threshold


class MergeInput(NamedTuple):
    """What is to be merged with a range of a list."""

    states: StateRange
    shift: Shift
    """States, and what is added to each."""
    best: int
    """The best profit of all lighter ones."""


RangeSource = Callable[[int, int], MergeInput]
"""Returns what is to be merged with a range of a list, given the range and the thread."""

_NO_SHIFT = Shift(0, 0, np.uint64(0))


class PendingStates:
    """The pending states of one list."""

    def __init__(self, workers: PieceWorkers, tuning: TwoListTuning) -> None:
        self._workers, self._tuning = workers, tuning
        self._heaps = [empty_states(0) for _ in range(workers.size)]
        self._counts = [0] * workers.size

    @property
    def size(self) -> int:
        """How many pending states there are."""
        return sum(self._counts)

    def clear(self) -> None:
        """Forget them."""
        self._counts = [0] * self._workers.size

    def greatest_bound(self, tangents: Tangents, threshold: Threshold) -> float:
        """Return the largest bound over them."""
        bounds = (greatest_bound(some, tangents, threshold) for some in self._ranges())
        return max(map(float, bounds), default=-np.inf)

    def few_survive(self, states: StateArrays, n: int, survival: Survival) -> bool:
        """Tell from a sample whether few of a list's n states survive a shift."""
        how = self._tuning
        if n < how.sampled_states:
            return False
        heap = self._longer(0, n)
        found, length = 0, max(1, n // (how.samples * 16))
        for k in range(how.samples):
            first = n * k // how.samples
            some = StateRange(states, first, first + length)
            end = scan(some, *survival, heap, self._counts[0])
            if end < 0:
                return False
            found += int(end) - self._counts[0]
        return found < how.few_share * how.samples * length

    def collect(self, states: StateArrays, n: int, survival: Survival, *, alone: bool) -> bool:
        """Collect what survives a shift of a list and its pending states; tell if there was room.

        Does it in one thread if ``alone``. Raises ``StoppedError`` if the watcher says so; nothing
        is then collected.
        """
        before = list(self._counts)
        members = 1 if alone else self._workers.size
        for k in range(members):
            self._longer(k, n)
        length = self._tuning.scan_states
        heaped = [
            StateRange(self._heaps[k], first, min(first + length // 2, new))
            for k, new in enumerate(before)
            for first in range(0, new, length // 2)
        ]
        pieces = 1 if alone else max(2 * members, n // length)
        edges = [(n * k // pieces) & ~31 for k in range(pieces)] + [n]
        full = False

        def work(piece: int, member: int) -> None:
            nonlocal full
            out, place = self._heaps[member], self._counts[member]
            if piece < len(heaped):
                end = scan_unsorted(heaped[piece], *survival, out, place)
            else:
                some = StateRange(states, *edges[piece - len(heaped) :][:2])
                end = scan(some, *survival, out, place)
            if end < 0:
                full = True
            else:
                self._counts[member] = int(end)

        try:
            self._workers.share(len(heaped) + pieces, work, alone=alone)
        except BaseException:
            self._counts = before
            raise
        if full:
            self._counts = before
        return not full

    def sample(self, ranges: int) -> list[Int64Array]:
        """Return some weights, about as many as ranges are wanted."""
        step = 1 + self.size // ranges
        return [some.states.weight[: some.end : step] for some in self._ranges()]

    def sorted_ranges(
        self, splits: Int64Array, room: Workspace, *, alone: bool
    ) -> tuple[Int64Array, RangeSource]:
        """Spread them over ranges of weights; return how many each gets, and what sorts one.

        ``splits`` says where each range begins, ``room`` where to put them, and to sort them; one
        thread does it all if ``alone``.
        """
        heaps = self._ranges()
        counts = np.zeros((len(heaps), len(splits)), dtype=np.int64)

        def count(k: int, _: int) -> None:
            count_in_ranges(heaps[k].states, heaps[k].end, splits, counts[k])

        self._workers.share(len(heaps), count, alone=alone)
        ends = np.cumsum(counts.sum(axis=0))
        starts = ends - counts.sum(axis=0)
        places = starts + np.cumsum(counts, axis=0) - counts
        room.spread = spread = with_room(room.spread, self.size)

        def distribute(k: int, _: int) -> None:
            spread_over_ranges(heaps[k].states, heaps[k].end, splits, places[k], spread)

        self._workers.share(len(heaps), distribute, alone=alone)
        # Lighter states that might dominate those of a range.
        best = np.full(len(splits) + 1, -END_WEIGHT)
        full = np.flatnonzero(ends > starts)
        best[full + 1] = np.maximum.reduceat(spread.profit[: self.size], starts[full])
        best = np.maximum.accumulate(best)

        def sorted_range(t: int, member: int) -> MergeInput:
            first, many = int(starts[t]), int(ends[t] - starts[t])
            ordered = room.sorted[member] = with_room(room.sorted[member], many + 1)
            order = np.argsort(spread.weight[first : first + many])
            for values, column in zip(spread, ordered, strict=True):
                # "clip": in the default mode NumPy takes into a buffer first.
                np.take(values[first : first + many], order, out=column[:many], mode="clip")
            ordered.weight[many] = END_WEIGHT
            return MergeInput(StateRange(ordered, 0, many), _NO_SHIFT, int(best[t]))

        return ends - starts, sorted_range

    def _ranges(self) -> list[StateRange]:
        """Return the states of each heap that has any."""
        return [
            StateRange(heap, 0, n) for heap, n in zip(self._heaps, self._counts, strict=True) if n
        ]

    def _longer(self, k: int, more: int) -> StateArrays:
        """Return a thread's heap, with room for so many more pending states."""
        heap, wanted = self._heaps[k], self._counts[k] + more // 2 + 4096
        if len(heap.weight) < wanted:
            heap = empty_states(2 * wanted)
            copy_states(self._heaps[k], self._counts[k], heap)
            self._heaps[k] = heap
        return heap
