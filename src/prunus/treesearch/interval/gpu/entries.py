"""Pool entries as intervals: the host's reading of what the kernels write."""

from __future__ import annotations

import numpy as np

from prunus._native.treesearch import decode
from prunus.model.arrays import Int64Array, UInt32Array
from prunus.treesearch.interval.gpu.program import EntryLayout
from prunus.treesearch.interval.interval import Intervals


def paths_of(words: UInt32Array, layout: EntryLayout) -> Int64Array:
    """Return the items of packed paths: (k, path words) to (k, levels)."""
    return np.ascontiguousarray(words).view(layout.item)[:, : layout.levels].astype(np.int64)


def intervals_of(entries: UInt32Array, layout: EntryLayout) -> Intervals:
    """Return the open interval of each entry.

    ``entries``, rows of ``head + path`` words of uint32, are without their state, each with at
    least one waiting child.
    """
    result = Intervals.empty(layout.levels, len(entries))
    if len(entries):
        paths = entries[:, layout.head : layout.head + layout.path]
        items = np.ascontiguousarray(paths).view(layout.item)[:, : layout.levels]
        decode(
            np.ascontiguousarray(entries[:, : layout.head]),
            np.ascontiguousarray(items).view(np.uint8),
            layout.words,
            result.fields(),
        )
    return result
