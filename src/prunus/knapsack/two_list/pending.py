"""What survives when a list is shifted by a far item: few states, collected apart from the list.

Each member of the crew has a heap of its own, in which states stand in any order. Newcomers are
shifted like the list itself, until they are dealt out into ranges of weights, sorted there, and
merged into the list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.knapsack.expanding_core.merge import END
from prunus.knapsack.two_list.merge_ranges import deal, pick, put
from prunus.knapsack.two_list.pieces import StateArrays, Workspace, empty_states, with_room
from prunus.knapsack.two_list.scan import greatest, scan, scan_unsorted
from prunus.knapsack.two_list.workers import PieceWorkers

__all__ = ["PendingStates", "Second"]

Array = NDArray[np.int64]
Second = Callable[[int, int], tuple[Any, ...]]
"""Returns what is to be merged with a range of a list, given the range and the member."""

_SCAN = 1 << 20
_FEW = 0.12  # survivors of a shift, relative to the list, up to which they are collected apart
_SAMPLES = 16
_MANY = 4096  # states below which all are merged at once
_NONE: StateArrays = (np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.uint64))


class PendingStates:
    """The heaps of one list.

    Parameters
    ----------
    crew
        Threads.
    """

    def __init__(self, crew: PieceWorkers) -> None:
        self._crew = crew
        self._heaps = [empty_states(0) for _ in range(crew.size)]
        self._counts = [0] * crew.size

    @property
    def size(self) -> int:
        """How many newcomers there are."""
        return sum(self._counts)

    def clear(self) -> None:
        """Forget them."""
        self._counts = [0] * self._crew.size

    def greatest(self, *given: Any) -> float:
        """Return the largest bound over them, see `prunus.knapsack.two_list.scan.greatest`."""
        return max((float(greatest(*h, 0, n, *given)) for h, n in self._heaped()), default=-np.inf)

    def few(self, states: StateArrays, n: int, given: tuple[Any, ...]) -> bool:
        """Tell from a sample whether few of a list's n states survive a shift."""
        if n < _MANY:
            return False
        heap = self._longer(0, n)
        found, length = 0, max(1, n // (_SAMPLES * 16))
        for k in range(_SAMPLES):
            first = n * k // _SAMPLES
            end = scan(*states, first, first + length, *given, *heap, self._counts[0])
            if end < 0:
                return False
            found += int(end) - self._counts[0]
        return found < _FEW * _SAMPLES * length

    def collect(self, states: StateArrays, n: int, given: tuple[Any, ...], *, alone: bool) -> bool:
        """Collect what survives a shift of a list and its newcomers; tell if there was room.

        Parameters
        ----------
        states, n
            The list, and its length.
        given
            What scans take.
        alone
            Whether one thread does it all.

        Raises
        ------
        StoppedError
            If the crew's watcher says so; nothing is then collected.
        """
        before = list(self._counts)
        members = 1 if alone else self._crew.size
        for k in range(members):
            self._longer(k, n)
        heaped = [
            (k, first, min(first + _SCAN // 2, new))
            for k, new in enumerate(before)
            for first in range(0, new, _SCAN // 2)
        ]
        pieces = 1 if alone else max(2 * members, n // _SCAN)
        edges = [(n * k // pieces) & ~31 for k in range(pieces)] + [n]
        full = False

        def work(piece: int, member: int) -> None:
            nonlocal full
            found = (*self._heaps[member], self._counts[member])
            if piece < len(heaped):
                k, first, last = heaped[piece]
                end = scan_unsorted(*self._heaps[k], first, last, *given, *found)
            else:
                first, last = edges[piece - len(heaped) :][:2]
                end = scan(*states, first, last, *given, *found)
            if end < 0:
                full = True
            else:
                self._counts[member] = int(end)

        try:
            self._crew.share(len(heaped) + pieces, work, alone=alone)
        except BaseException:
            self._counts = before
            raise
        if full:
            self._counts = before
        return not full

    def sample(self, ranges: int) -> list[Array]:
        """Return some weights, about as many as ranges are wanted."""
        step = 1 + self.size // ranges
        return [heap[0][:new:step] for heap, new in self._heaped()]

    def sorted(self, splits: Array, room: Workspace, *, alone: bool) -> tuple[Array, Second]:
        """Deal them out into ranges of weights; return how many each gets, and what sorts one.

        Parameters
        ----------
        splits
            Where each range begins.
        room
            Where to deal them out, and to sort them.
        alone
            Whether one thread does it all.
        """
        heaps = self._heaped()
        counts = np.zeros((len(heaps), len(splits)), dtype=np.int64)

        def count(k: int, _: int) -> None:
            deal(*heaps[k][0], heaps[k][1], splits, counts[k], *_NONE)

        self._crew.share(len(heaps), count, alone=alone)
        ends = np.cumsum(counts.sum(axis=0))
        starts = ends - counts.sum(axis=0)
        places = starts + np.cumsum(counts, axis=0) - counts
        room.dealt = dealt = with_room(room.dealt, self.size)

        def hand(k: int, _: int) -> None:
            deal(*heaps[k][0], heaps[k][1], splits, places[k], *dealt)

        self._crew.share(len(heaps), hand, alone=alone)
        # Lighter states that might dominate those of a range.
        best = np.full(len(splits) + 1, -END)
        full = np.flatnonzero(ends > starts)
        best[full + 1] = np.maximum.reduceat(dealt[1][: self.size], starts[full])
        best = np.maximum.accumulate(best)

        def second(t: int, member: int) -> tuple[Any, ...]:
            first, many = int(starts[t]), int(ends[t] - starts[t])
            ordered = room.sorted[member] = with_room(room.sorted[member], many + 1)
            order = np.argsort(dealt[0][first : first + many])
            pick(*dealt, first, order, *ordered)
            ordered[0][many] = END
            return *ordered, 0, many, 0, 0, np.uint64(0), int(best[t])

        return ends - starts, second

    def _heaped(self) -> list[tuple[StateArrays, int]]:
        return [(h, n) for h, n in zip(self._heaps, self._counts, strict=True) if n]

    def _longer(self, k: int, more: int) -> StateArrays:
        """Return a member's heap, with room for so many more newcomers."""
        heap, wanted = self._heaps[k], self._counts[k] + more // 2 + 4096
        if len(heap[0]) < wanted:
            heap = empty_states(2 * wanted)
            put(*self._heaps[k], self._counts[k], *heap, 0)
            self._heaps[k] = heap
        return heap
