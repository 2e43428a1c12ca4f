"""Intervals that wait for an explorer on a core, which explores them one after the other."""

from __future__ import annotations

from collections import deque

from prunus.treesearch.interval.interval import Intervals, measure

__all__ = ["Waiting"]


class Waiting:
    """A queue of intervals.

    Parameters
    ----------
    radix
        Of the tree.

    Attributes
    ----------
    leaves
        Of all that waits together.
    """

    def __init__(self, radix: tuple[int, ...]) -> None:
        self.leaves = 0
        self._radix = radix
        self._batches: deque[Intervals] = deque()

    def __bool__(self) -> bool:
        """Return whether anything waits."""
        return bool(self._batches)

    def __len__(self) -> int:
        """Return how many intervals wait."""
        return sum(map(len, self._batches))

    def put(self, intervals: Intervals) -> None:
        """Add some at the end."""
        if len(intervals):
            self._batches.append(intervals)
            self.leaves += measure(intervals, self._radix)

    def first(self) -> Intervals:
        """Take the one that has waited longest; who knows its leaves subtracts them."""
        batch = self._batches.popleft()
        if len(batch) > 1:
            self._batches.appendleft(batch[1:])
        return batch[:1]

    def last(self, count: int) -> Intervals:
        """Take so many of those that were to come last."""
        given = []
        while count:
            last = self._batches.pop()
            rest = max(0, len(last) - count)
            given.append(last[rest:])
            if rest:
                self._batches.append(last[:rest])
            count -= len(last) - rest
        taken = Intervals.concatenate(given)
        self.leaves -= measure(taken, self._radix)
        return taken

    def all(self) -> Intervals:
        """Return all, which stay here."""
        return Intervals.concatenate([Intervals.empty(len(self._radix)), *self._batches])

    def clear(self) -> None:
        """Forget all."""
        self._batches.clear()
        self.leaves = 0
