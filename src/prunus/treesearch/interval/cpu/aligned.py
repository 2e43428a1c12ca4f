"""Arrays that begin where a cache line begins."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from prunus.model.arrays import AnyArray

CACHE_LINE_BYTES = 64
"""Also the length of the longest vectors: one that lies across two lines is read twice."""


def aligned_zeros(shape: tuple[int, ...], kind: DTypeLike) -> AnyArray:
    """Return zeros whose first element lies at the beginning of a cache line."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    memory = np.zeros(size + CACHE_LINE_BYTES, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE_BYTES
    array: AnyArray = memory[start : start + size].view(kind).reshape(shape)
    return array
