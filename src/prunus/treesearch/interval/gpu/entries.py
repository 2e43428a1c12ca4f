"""Pool entries as intervals: the host's reading of what the kernels write."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.jit.compiled import outer
from prunus.treesearch.interval.cpu.item_sets import (
    contains,
    leading_zeros,
    rank_of,
    remove_item,
    trailing_zeros,
)
from prunus.treesearch.interval.gpu.program import EntryLayout
from prunus.treesearch.interval.interval import Intervals

__all__ = ["intervals_of", "paths_of"]


def paths_of(words: NDArray[np.uint32], layout: EntryLayout) -> NDArray[np.int64]:
    """Return the items of packed paths: (k, path words) to (k, levels)."""
    kind = np.uint16 if layout.path_bytes == 2 else np.uint8
    return np.ascontiguousarray(words).view(kind)[:, : layout.levels].astype(np.int64)


@outer
def _decode(heads, paths, words, free, digits, directions, depth, end_level, end_digit):  # type: ignore[no-untyped-def]
    """Write the interval of every entry; see ``intervals_of``. ``free`` is scratch, (1, words)."""
    n = digits.shape[1]
    for i in range(heads.shape[0]):
        level = np.int64(heads[i, 0] & 0xFFFF)
        free[:] = 0xFFFFFFFF
        behind = 0
        for d in range(level):
            back = contains(heads, i, (1 + 2 * words) * 32 + d)
            item = np.int64(paths[i, n - 1 - behind if back else d - behind])
            behind += back
            digits[i, d] = rank_of(free, 0, item)
            directions[i, d] = back
            remove_item(free, 0, item)
        first, last = np.int64(-1), np.int64(0)
        for w in range(words):
            waiting = heads[i, 1 + w]
            if waiting != 0:
                if first < 0:
                    first = w * 32 + trailing_zeros(waiting)
                last = w * 32 + 31 - leading_zeros(waiting)
        digits[i, level] = rank_of(free, 0, first)
        directions[i, level] = heads[i, 0] >> 16
        depth[i] = level + 1
        end_level[i] = level
        end_digit[i] = rank_of(free, 0, last) + 1


def intervals_of(entries: NDArray[np.uint32], layout: EntryLayout) -> Intervals:
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
            np.empty((1, layout.words), np.uint32),
            result.digits,
            result.directions,
            result.depth,
            result.end_level,
            result.end_digit,
        )
    return result
