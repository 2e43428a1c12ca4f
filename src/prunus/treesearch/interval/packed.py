"""Intervals as they are sent: paths one after another, without their zeros, in short numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from prunus._native import treesearch as native
from prunus.model.arrays import AnyArray, UInt8Array
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.lengths import total
from prunus.treesearch.interval.work import Bundle, intervals_in
from prunus.treesearch.model import Work


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """A batch of ``k`` intervals of one tree, as short as arrays can be; ``Work``."""

    levels: int
    """Of the tree."""
    digits: AnyArray
    """The paths, one after another. Shape (sum of depths,)."""
    directions: UInt8Array
    """Bit ``d & 7`` of byte ``d >> 3`` is the direction at level ``d``.
    Shape (k, ceil(levels / 8))."""
    depth: AnyArray
    end_level: AnyArray
    end_digit: AnyArray
    """As in ``Intervals``. Shape (k,)."""

    @classmethod
    def of(cls, intervals: Intervals) -> Packed:
        count, levels = intervals.digits.shape
        flat = np.empty(int(intervals.depth.sum()), _least(intervals.digits))
        bits = np.zeros((count, -(-levels // 8)), np.uint8)
        native.pack(intervals.fields(), flat.view(np.uint8), flat.itemsize, bits)
        others = (getattr(intervals, name) for name in ("depth", "end_level", "end_digit"))
        return cls(levels, flat, bits, *(values.astype(_least(values)) for values in others))

    @classmethod
    def concatenate(cls, batches: Sequence[Packed]) -> Packed:
        """Join several batches, at least one, of the same tree into one."""
        if len(batches) == 1:
            return batches[0]
        names = [field.name for field in fields(cls)][1:]
        arrays = (np.concatenate([getattr(batch, name) for batch in batches]) for name in names)
        return cls(batches[0].levels, *arrays)

    def __len__(self) -> int:
        return len(self.depth)

    def __getitem__(self, index: slice) -> Packed:
        """Return some of the intervals, one after another, as a batch of their own."""
        begin, end, step = index.indices(len(self))
        assert step == 1, "paths lie one after another"
        first = int(self.depth[:begin].sum(dtype=np.int64))
        last = first + int(self.depth[begin:end].sum(dtype=np.int64))
        others = (self.directions, self.depth, self.end_level, self.end_digit)
        return Packed(self.levels, self.digits[first:last], *(a[begin:end] for a in others))

    @property
    def whole(self) -> bool:
        """Whether the arrays fit each other."""
        count = len(self.depth)
        deepest = int(self.depth.max(initial=0))
        return (
            self.directions.shape == (count, -(-self.levels // 8))
            and len(self.end_level) == len(self.end_digit) == count
            and deepest <= self.levels
            and len(self.digits) == self.depth.sum(dtype=np.int64)
        )

    def intervals(self) -> Intervals:
        result = Intervals.empty(self.levels, len(self))
        result.depth[:] = self.depth
        result.end_level[:] = self.end_level
        result.end_digit[:] = self.end_digit
        directions = np.ascontiguousarray(self.directions)
        native.unpack(*_as_bytes(self.digits), directions, result.fields())
        return result


def pack(work: Work) -> Packed:
    """Pack any work; what lies on a device is packed there, so that nothing else may run on it."""
    if isinstance(work, Packed):
        return work
    if isinstance(work, Bundle):
        nothing = Packed.of(Intervals.empty(work.levels))
        return Packed.concatenate([*filter(len, map(pack, work.parts))] or [nothing])
    packed: Packed = work.packed() if hasattr(work, "packed") else Packed.of(intervals_in(work))
    return packed


def audit(packed: Packed, radix: Sequence[int]) -> int:
    """Return the number of leaves in all intervals together, exactly.

    Raises ``ValueError`` if something is no interval of the tree.
    """
    if not _is_packed(packed) or packed.levels != len(radix) or not packed.whole:
        raise ValueError("its intervals are incomplete")
    counts = np.zeros(len(radix) + 1, np.int64)
    others = (packed.depth, packed.end_level, packed.end_digit)
    depth, end_level, end_digit = (values.astype(np.int64) for values in others)
    number = native.audit(
        *_as_bytes(packed.digits),
        np.ascontiguousarray(packed.directions),
        (depth, end_level, end_digit),
        np.array(radix, np.int64),
        counts,
    )
    if number >= 0:
        raise ValueError(f"interval {number} is not one of the tree")
    return total(counts, radix)


def _as_bytes(digits: AnyArray) -> tuple[UInt8Array, int]:
    """Return numbers as bytes, and how many bytes one has."""
    return np.ascontiguousarray(digits).view(np.uint8), digits.itemsize


def _least(values: AnyArray) -> np.dtype[Any]:
    """Return the smallest unsigned type that holds some numbers."""
    return np.dtype(np.min_scalar_type(int(values.max(initial=0))))


def _is_packed(value: object) -> bool:
    """Tell whether something is a batch of intervals with arrays as ``Packed`` makes them."""
    if not (isinstance(value, Packed) and isinstance(value.levels, int)):
        return False
    lines = (value.digits, value.depth, value.end_level, value.end_digit)
    return all(
        isinstance(array, np.ndarray) and array.dtype.kind == "u" and array.ndim == dimensions
        for array, dimensions in [*((line, 1) for line in lines), (value.directions, 2)]
    )
