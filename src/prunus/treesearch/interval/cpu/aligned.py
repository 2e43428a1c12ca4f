"""Arrays that begin where a cache line begins."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["aligned", "aligned_copy"]

LINE = 64
"""Bytes of a cache line, and of the longest vectors; one that lies across two is read twice."""


def aligned(shape: tuple[int, ...], kind: Any) -> NDArray[Any]:
    """Return zeros whose first element lies at the beginning of a cache line."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    memory = np.zeros(size + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    array: NDArray[Any] = memory[start : start + size].view(kind).reshape(shape)
    return array


def aligned_copy(array: NDArray[Any]) -> NDArray[Any]:
    """Return a copy whose first element lies at the beginning of a cache line."""
    copy = aligned(array.shape, array.dtype)
    copy[...] = array
    return copy
