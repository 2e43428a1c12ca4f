"""Intervals as the short arrays of a checkpoint: paths one after another, without their zeros."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.treesearch.compiled import outer
from prunus.treesearch.interval import Intervals
from prunus.treesearch.work import Bundle, Work

__all__ = ["flatten", "prepare", "unflatten"]


@outer
def _flatten(digits, directions, depth, flat, bits):  # type: ignore[no-untyped-def]
    """Write the paths without what follows them, and the directions as bits."""
    at = 0
    for i in range(len(depth)):
        for d in range(depth[i]):
            flat[at] = digits[i, d]
            bits[i, d >> 3] |= directions[i, d] << (d & 7)
            at += 1


@outer
def _unflatten(flat, bits, depth, digits, directions):  # type: ignore[no-untyped-def]
    """Undo ``_flatten``."""
    at = 0
    for i in range(len(depth)):
        for d in range(depth[i]):
            digits[i, d] = flat[at]
            directions[i, d] = (bits[i, d >> 3] >> (d & 7)) & 1
            at += 1


def prepare() -> None:
    """Have everything compiled that ``flatten`` needs: the first checkpoint may come soon."""
    for largest in (1, 2**8, 2**16):
        some = Intervals.tasks(largest, largest + 1)
        unflatten(flatten(some))


def flatten(work: Work) -> dict[str, NDArray[Any]]:
    """Return open work as arrays of the smallest types that hold it.

    The parts of a bundle are read one after the other, so that one at a time needs memory.
    """
    parts = work.parts if isinstance(work, Bundle) else [work]
    levels = work.levels if isinstance(work, Bundle) else work.intervals().digits.shape[1]
    found = [_flat(Intervals.empty(levels)), *(_flat(part.intervals()) for part in parts)]
    flat = {name: np.concatenate([arrays[name] for arrays in found]) for name in found[0]}
    return {"levels": np.array(levels), **flat}


def _flat(intervals: Intervals) -> dict[str, NDArray[Any]]:
    count, levels = intervals.digits.shape
    flat = np.empty(int(intervals.depth.sum()), _least(intervals.digits))
    bits = np.zeros((count, -(-levels // 8)), np.uint8)
    digits = np.ascontiguousarray(intervals.digits)
    directions = np.ascontiguousarray(intervals.directions)
    _flatten(digits, directions, np.ascontiguousarray(intervals.depth), flat, bits)
    others = {name: getattr(intervals, name) for name in ("depth", "end_level", "end_digit")}
    short = {name: values.astype(_least(values)) for name, values in others.items()}
    return {"digits": flat, "directions": bits, **short}


def _least(values: NDArray[Any]) -> np.dtype[Any]:
    """Return the smallest unsigned type that holds some numbers."""
    return np.dtype(np.min_scalar_type(int(values.max(initial=0))))


def unflatten(arrays: Mapping[str, NDArray[Any]]) -> Intervals:
    """Return the intervals that ``flatten`` was given.

    Raises
    ------
    ValueError
        If the arrays do not fit each other.
    """
    flat, bits, depth = arrays["digits"], arrays["directions"], arrays["depth"].astype(np.int32)
    count, levels = len(depth), int(arrays["levels"])
    whole = bits.shape == (count, -(-levels // 8)) and len(flat) == depth.sum()
    if not whole or depth.max(initial=0) > levels:
        raise ValueError("its open intervals are not whole")
    result = Intervals.empty(levels, count)
    _unflatten(flat, bits, depth, result.digits, result.directions)
    result.depth[:] = depth
    result.end_level[:] = arrays["end_level"]
    result.end_digit[:] = arrays["end_digit"]
    return result
