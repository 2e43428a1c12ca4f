"""How long intervals are: one compiled pass over a batch of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.model.arrays import Int32Array, Int64Array, UInt32Array
from prunus.treesearch.interval.interval import Intervals, leaves, weights


@outer
def _add_up(
    digits: UInt32Array,
    depth: Int32Array,
    end_level: Int32Array,
    end_digit: Int32Array,
    counts: Int64Array,
) -> int:
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


def measure(intervals: Intervals, radix: Sequence[int]) -> int:
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
