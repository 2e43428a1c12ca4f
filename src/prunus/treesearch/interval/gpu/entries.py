"""Pool entries as intervals: the host's reading of what the kernels write."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.model.arrays import AnyArray, Int32Array, Int64Array, UInt8Array, UInt32Array
from prunus.treesearch.interval.cpu.item_sets import (
    contains,
    leading_zeros,
    rank_of,
    remove_item,
    trailing_zeros,
)
from prunus.treesearch.interval.gpu.program import EntryLayout
from prunus.treesearch.interval.interval import Intervals


def paths_of(words: UInt32Array, layout: EntryLayout) -> Int64Array:
    """Return the items of packed paths: (k, path words) to (k, levels)."""
    return np.ascontiguousarray(words).view(layout.item)[:, : layout.levels].astype(np.int64)


class _Decoded(NamedTuple):
    """The arrays of ``Intervals``, for compiled code."""

    digits: UInt32Array
    directions: UInt8Array
    depth: Int32Array
    end_level: Int32Array
    end_digit: Int32Array


@outer
def _decode(heads: UInt32Array, paths: AnyArray, free: UInt32Array, decoded: _Decoded) -> None:
    """Write the interval of every entry; see ``intervals_of``. ``free`` is scratch, (1, words)."""
    digits, directions, words = decoded.digits, decoded.directions, free.shape[1]
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
        decoded.depth[i] = level + 1
        decoded.end_level[i] = level
        decoded.end_digit[i] = rank_of(free, 0, last) + 1


def intervals_of(entries: UInt32Array, layout: EntryLayout) -> Intervals:
    """Return the open interval of each entry.

    ``entries``, rows of ``head + path`` words of uint32, are without their state, each with at
    least one waiting child.
    """
    result = Intervals.empty(layout.levels, len(entries))
    if len(entries):
        paths = entries[:, layout.head : layout.head + layout.path]
        _decode(
            np.ascontiguousarray(entries[:, : layout.head]),
            np.ascontiguousarray(paths).view(layout.item),
            np.empty((1, layout.words), np.uint32),
            _Decoded(*(getattr(result, name) for name in _Decoded._fields)),
        )
    return result
