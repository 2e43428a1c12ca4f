"""The first distribution of work among equals."""

from __future__ import annotations

from collections.abc import Sequence

from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.model import Work

__all__ = ["deal"]


def deal(work: Work, hands: int, radix: Sequence[int]) -> list[Work]:
    """Deal work into so many parts; some may be empty.

    The tasks of a list are cut into equal parts. Of a deeper tree nobody knows where the nodes are:
    its intervals are halved until there are enough and dealt in turn. A whole tree stays in one
    hand: that device soon has plenty to spare.
    """
    if hands == 1:
        return [work]
    intervals = work.intervals()
    if len(radix) == 1 and radix[0] > 1:
        return _equal(intervals, hands, radix)
    if len(intervals) == 1 and intervals.depth[0] == 0:
        return [intervals, *(intervals[:0] for _ in range(hands - 1))]
    while 0 < len(intervals) < hands:
        left, right = intervals.halve(radix)
        if len(right) == 0:
            break
        intervals = Intervals.concatenate([left, right])
    return [intervals[i::hands] for i in range(hands)]


def _equal(intervals: Intervals, hands: int, radix: Sequence[int]) -> list[Work]:
    """Cut ranges of tasks into parts of equal length."""
    ranges = list(zip(intervals.begin(radix), intervals.end(radix), strict=True))
    total, dealt = sum(end - begin for begin, end in ranges), 0
    parts: list[list[Intervals]] = [[Intervals.empty(1)] for _ in range(hands)]
    for begin, end in ranges:
        while begin < end:
            # part h has the tasks from total * h / hands on
            hand = ((dealt + 1) * hands - 1) // total
            size = min(end - begin, total * (hand + 1) // hands - dealt)
            parts[hand].append(Intervals.tasks(begin, begin + size))
            begin += size
            dealt += size
    return [Intervals.concatenate(part) for part in parts]
