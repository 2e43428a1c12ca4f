"""How long intervals are, and whether they are such: one compiled pass over a batch of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prunus.treesearch.compiled import outer
from prunus.treesearch.interval import Intervals, leaves, weights

__all__ = ["length", "wrong"]


@outer
def _add_up(digits, depth, end_level, end_digit, counts):  # type: ignore[no-untyped-def]
    """Add up, level by level, how many children's leaves the intervals have; return whole trees."""
    whole = 0
    for i in range(len(depth)):
        if depth[i] == 0:
            whole += 1
            continue
        last = end_level[i]
        counts[last] += np.int64(end_digit[i]) - np.int64(digits[i, last])
        for d in range(last + 1, depth[i]):
            counts[d] -= np.int64(digits[i, d])
    return whole


@outer
def _first_wrong(digits, depth, end_level, end_digit, sizes):  # type: ignore[no-untyped-def]
    """Return the first record that is no interval of the tree, or -1."""
    levels = len(sizes)
    for i in range(len(depth)):
        deep, last = depth[i], end_level[i]
        if deep < 0 or deep > levels or last < 0 or last >= max(1, deep):
            return i
        for d in range(levels):
            if digits[i, d] >= sizes[d] or (d >= deep and digits[i, d] != 0):
                return i
        if deep > 0 and not digits[i, last] < end_digit[i] <= sizes[last]:
            return i
    return -1


def length(intervals: Intervals, radix: Sequence[int]) -> int:
    """Return the number of leaves in all intervals together, exactly."""
    counts = np.zeros(len(radix), np.int64)
    whole = _add_up(
        np.ascontiguousarray(intervals.digits),
        np.ascontiguousarray(intervals.depth),
        np.ascontiguousarray(intervals.end_level),
        np.ascontiguousarray(intervals.end_digit),
        counts,
    )
    each = zip(counts.tolist(), weights(radix), strict=True)
    return int(whole) * leaves(radix) + sum(count * weight for count, weight in each)


def wrong(intervals: Intervals, radix: Sequence[int]) -> int:
    """Return the number of the first record that is no interval of the tree, -1 if all are."""
    return int(
        _first_wrong(
            np.ascontiguousarray(intervals.digits),
            np.ascontiguousarray(intervals.depth),
            np.ascontiguousarray(intervals.end_level),
            np.ascontiguousarray(intervals.end_digit),
            np.array(radix, np.int64),
        )
    )
