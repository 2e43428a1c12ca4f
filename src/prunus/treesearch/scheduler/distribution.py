"""The first distribution of work among equally strong devices."""

from __future__ import annotations

from collections.abc import Sequence

from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.model import Work

__all__ = ["distribute"]


def distribute(work: Work, count: int, radix: Sequence[int]) -> list[Work]:
    """Divide work into so many parts; some may be empty.

    The tasks of a list are cut into equal parts. Of a deeper tree it is not known where
    the nodes are: its intervals are halved until there are enough and dealt out in turn. A whole
    tree stays in one part: that device soon has plenty to spare.
    """
    if count == 1:
        return [work]
    intervals = work.intervals()
    if len(radix) == 1 and radix[0] > 1:
        return _equal_parts(intervals, count, radix)
    if len(intervals) == 1 and intervals.depth[0] == 0:
        return [intervals, *(intervals[:0] for _ in range(count - 1))]
    while 0 < len(intervals) < count:
        left, right = intervals.halve(radix)
        if len(right) == 0:
            break
        intervals = Intervals.concatenate([left, right])
    return [intervals[i::count] for i in range(count)]


def _equal_parts(intervals: Intervals, count: int, radix: Sequence[int]) -> list[Work]:
    """Cut ranges of tasks into parts of equal length."""
    ranges = list(zip(intervals.begin(radix), intervals.end(radix), strict=True))
    total, done = sum(end - begin for begin, end in ranges), 0
    parts: list[list[Intervals]] = [[Intervals.empty(1)] for _ in range(count)]
    for begin, end in ranges:
        while begin < end:
            # part i has the tasks from total * i / count on
            part = ((done + 1) * count - 1) // total
            size = min(end - begin, total * (part + 1) // count - done)
            parts[part].append(Intervals.tasks(begin, begin + size))
            begin += size
            done += size
    return [Intervals.concatenate(part) for part in parts]
