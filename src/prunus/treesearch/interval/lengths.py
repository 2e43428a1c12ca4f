"""How long intervals are: one native pass over a batch of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prunus._native import treesearch as native
from prunus.model.arrays import Int64Array
from prunus.treesearch.interval.interval import Intervals, leaves, weights


def measure(intervals: Intervals, radix: Sequence[int]) -> int:
    """Return the number of leaves in all intervals together, exactly."""
    counts = np.zeros(len(radix) + 1, np.int64)
    native.measure(intervals.fields(), counts)
    return total(counts, radix)


def total(counts: Int64Array, radix: Sequence[int]) -> int:
    """Return the leaves that are counted by level, below a child each, and by whole trees last."""
    sizes = [*weights(radix), leaves(radix)]
    return sum(count * size for count, size in zip(counts.tolist(), sizes, strict=True))
