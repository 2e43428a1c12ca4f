"""Pool entries as intervals: the host's reading of what the kernels write."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from prunus.treesearch.bits import contains
from prunus.treesearch.compiled import outer
from prunus.treesearch.gpu.program import Layout
from prunus.treesearch.interval import Intervals, weights

__all__ = ["intervals_of", "measure", "paths_of"]


def paths_of(words: NDArray[np.uint32], layout: Layout) -> NDArray[np.int64]:
    """Return the items of packed paths: (k, path words) to (k, levels)."""
    kind = np.uint16 if layout.path_bytes == 2 else np.uint8
    return np.ascontiguousarray(words).view(kind)[:, : layout.levels].astype(np.int64)


@outer
def _decode(heads, paths, words, digits, directions, depth, end_level, end_digit):  # type: ignore[no-untyped-def]
    """Write the interval of every entry; see ``intervals_of``."""
    n = digits.shape[1]
    for i in range(heads.shape[0]):
        level = np.int64(heads[i, 0] & 0xFFFF)
        behind = 0
        for d in range(level):
            back = contains(heads, i, (1 + 2 * words) * 32 + d)
            item = np.int64(paths[i, n - 1 - behind if back else d - behind])
            behind += back
            digit = item
            before = 0
            for e in range(d):
                other_back = contains(heads, i, (1 + 2 * words) * 32 + e)
                other = np.int64(paths[i, n - 1 - before if other_back else e - before])
                before += other_back
                digit -= np.int64(other < item)
            digits[i, d] = digit
            directions[i, d] = back
        rank, first, last = np.int64(0), np.int64(-1), np.int64(0)
        for candidate in range(n):
            if contains(heads, i, 32 + candidate):
                last = rank
                if first < 0:
                    first = rank
            rank += contains(heads, i, (1 + words) * 32 + candidate)
        digits[i, level] = first
        directions[i, level] = heads[i, 0] >> 16
        depth[i] = level + 1
        end_level[i] = level
        end_digit[i] = last + 1


def intervals_of(entries: NDArray[np.uint32], layout: Layout) -> Intervals:
    """Return the open interval of each entry.

    Parameters
    ----------
    entries : (k, head + path words) uint32
        Entries without their state, each with at least one waiting child.
    """
    result = Intervals.empty(layout.levels, len(entries))
    if len(entries):
        kind = np.uint16 if layout.path_bytes == 2 else np.uint8
        paths = entries[:, layout.head : layout.head + layout.path]
        _decode(
            np.ascontiguousarray(entries[:, : layout.head]),
            np.ascontiguousarray(paths).view(kind),
            layout.words,
            result.digits,
            result.directions,
            result.depth,
            result.end_level,
            result.end_digit,
        )
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
