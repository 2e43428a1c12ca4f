"""Pool entries as intervals: the host's reading of what the kernels write."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from prunus.treesearch.gpu.program import Layout
from prunus.treesearch.interval import Intervals, weights

__all__ = ["intervals_of", "measure", "paths_of"]


def paths_of(words: NDArray[np.uint32], layout: Layout) -> NDArray[np.int64]:
    """Return the items of packed paths: (k, path words) to (k, levels)."""
    kind = np.uint16 if layout.path_bytes == 2 else np.uint8
    return np.ascontiguousarray(words).view(kind)[:, : layout.levels].astype(np.int64)


def _bits(words: NDArray[np.uint32], levels: int) -> NDArray[np.bool_]:
    """Unpack sets of items: (k, words) to (k, levels)."""
    octets = np.ascontiguousarray(words.astype("<u4")).view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little")[:, :levels].astype(bool)


def intervals_of(entries: NDArray[np.uint32], layout: Layout) -> Intervals:
    """Return the open interval of each entry.

    Parameters
    ----------
    entries : (k, head + path words) uint32
        Entries without their state, each with at least one waiting child.
    """
    n, w, k = layout.levels, layout.words, len(entries)
    result = Intervals.empty(n, k)
    if k == 0:
        return result
    depth = (entries[:, 0] & 0xFFFF).astype(np.int64)
    waiting = _bits(entries[:, 1 : 1 + w], n)
    free = _bits(entries[:, 1 + w : 1 + 2 * w], n)
    back = _bits(entries[:, 1 + 2 * w : 1 + 3 * w], n)
    path = paths_of(entries[:, layout.head : layout.head + layout.path], layout)
    rows = np.arange(k)
    fixed = np.zeros((k, n), bool)
    behind = np.zeros(k, np.int64)
    for d in range(int(depth.max())):
        on = depth > d
        place = np.where(back[:, d], n - 1 - behind, d - behind)
        item = path[rows, place]
        taken = (fixed & (np.arange(n) < item[:, None])).sum(1)
        result.digits[on, d] = (item - taken)[on]
        result.directions[on, d] = back[on, d]
        fixed[rows[on], item[on]] = True
        behind += back[:, d] & on
    ranks = free.cumsum(1) - 1
    first = waiting.argmax(1)
    last = n - 1 - waiting[:, ::-1].argmax(1)
    result.digits[rows, depth] = ranks[rows, first]
    result.directions[rows, depth] = entries[:, 0] >> 16
    result.depth[:] = depth + 1
    result.end_level[:] = depth
    result.end_digit[:] = ranks[rows, last] + 1
    return result


def measure(intervals: Intervals, radix: Sequence[int]) -> int:
    """Return the number of leaves in all intervals together, exactly."""
    w = weights(radix)
    simple = (intervals.depth > 0) & (intervals.end_level == intervals.depth - 1)
    some = intervals[np.flatnonzero(simple)]
    level = some.end_level.astype(np.int64)
    width = some.end_digit - some.digits[np.arange(len(some)), level].astype(np.int64)
    total: int = sum(int(width[level == d].sum()) * w[d] for d in np.unique(level).tolist())
    return total + sum(intervals[np.flatnonzero(~simple)].measure(radix))
