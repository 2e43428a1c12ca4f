"""Open intervals that an explorer on a core has not begun yet."""

from __future__ import annotations

from collections import deque

from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.lengths import measure


class IntervalQueue:
    """Intervals in the order in which they came.

    ``radix`` is the number of children at each level of the tree, ``leaves`` that of leaves in all
    queued intervals.
    """

    def __init__(self, radix: tuple[int, ...]) -> None:
        self.leaves = 0
        self._radix = radix
        self._batches: deque[Intervals] = deque()

    def __bool__(self) -> bool:
        return bool(self._batches)

    def __len__(self) -> int:
        return sum(map(len, self._batches))

    def append(self, intervals: Intervals) -> None:
        if len(intervals):
            self._batches.append(intervals)
            self.leaves += measure(intervals, self._radix)

    def pop_first(self) -> Intervals:
        """Remove and return the first interval; the caller subtracts its ``leaves``."""
        batch = self._batches.popleft()
        if len(batch) > 1:
            self._batches.appendleft(batch[1:])
        return batch[:1]

    def pop_last(self, count: int) -> Intervals:
        popped = []
        while count:
            batch = self._batches.pop()
            kept = max(0, len(batch) - count)
            popped.append(batch[kept:])
            if kept:
                self._batches.append(batch[:kept])
            count -= len(batch) - kept
        intervals = Intervals.concatenate(popped)
        self.leaves -= measure(intervals, self._radix)
        return intervals

    def all(self) -> Intervals:
        """Return all intervals, which stay here."""
        return Intervals.concatenate([Intervals.empty(len(self._radix)), *self._batches])

    def clear(self) -> None:
        self._batches.clear()
        self.leaves = 0
