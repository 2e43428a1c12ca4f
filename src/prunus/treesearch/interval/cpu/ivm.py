"""One interval under exploration by a native search, and how many of its leaves are done."""

from __future__ import annotations

import numpy as np

from prunus._native.treesearch import NO_BOUND, Search, Status
from prunus.model.arrays import Int64Array
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.lengths import measure


class IVM:
    """A depth-first search of one interval at a time (Mezmaz et al. 2014).

    While ``busy`` there is an interval that is not explored to its end.
    """

    def __init__(self, tree: Tree) -> None:
        self.busy = False
        self.search: Search = tree.search()
        self._radix = tree.radix
        self._length = 0

    def load(self, interval: Intervals, cutoff: Int64Array) -> int:
        """Begin an interval; return how many leaves it has."""
        extent = int(interval.depth[0]), int(interval.end_level[0]), int(interval.end_digit[0])
        self.search.load(interval.digits[0], interval.directions[0], extent, cutoff)
        self.busy = True
        self._length = measure(interval, self._radix)
        return self._length

    def explore(self, cutoff: Int64Array, stop_flag: Int64Array, node_budget: int) -> Status:
        """Branch so many nodes at most; return why that ended."""
        return self.search.explore(cutoff, stop_flag, node_budget)

    def finish(self) -> int:
        """Leave an interval that is explored to its end; return how many leaves it had."""
        self.busy = False
        return self._length

    def split(self, fraction: float) -> Intervals:
        """Give away the last part of the interval, possibly nothing."""
        part = Intervals.empty(len(self._radix), 1)
        part = _ended(part, self.search.split(fraction, part.digits[0], part.directions[0]))
        self._length -= measure(part, self._radix)
        return part

    def rest(self) -> Intervals:
        """Return what is left of the interval, possibly nothing; it stays here."""
        rest = Intervals.empty(len(self._radix), 1)
        return _ended(rest, self.search.rest(rest.digits[0], rest.directions[0]))

    def left(self) -> int:
        """Return how many leaves of the interval are left."""
        return measure(self.rest(), self._radix)

    def done(self) -> int:
        """Return how many leaves of the interval are done."""
        return self._length - self.left()

    def bound(self) -> int | None:
        """Return the least lower bound over the open nodes; None if there is none."""
        least = self.search.least_open_bound()
        return least if least < NO_BOUND else None

    def leaf(self) -> tuple[Int64Array, Int64Array, int]:
        """Return the items, the directions and the objective of the leaf that was reached."""
        items, directions = np.empty((2, len(self._radix)), np.int64)
        return items, directions, self.search.leaf(items, directions)


def _ended(interval: Intervals, extent: tuple[int, int, int]) -> Intervals:
    """Write how deep an interval is and where it ends; return nothing if its depth is 0."""
    interval.depth[0], interval.end_level[0], interval.end_digit[0] = extent
    return interval if extent[0] else interval[:0]
