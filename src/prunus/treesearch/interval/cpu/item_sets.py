"""Sets of items, one a level, as rows of 32-bit words, in compiled code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from prunus.hardware.jit.compiled import inner
from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic
from prunus.hardware.jit.later import ir, types
from prunus.model.arrays import Integer, UInt32Array


def _typed(word: types.Type, count: Callable[[ir.IRBuilder, ir.Value], ir.Value]) -> Intrinsic:
    """Return an intrinsic that counts bits of an integer by an instruction of LLVM."""

    def codegen(call: Call) -> ir.Value:
        number = count(call.builder, call.args[0])
        return call.context.cast(call.builder, number, call.signature.args[0], types.int64)

    return types.int64(word), codegen


@intrinsic
def trailing_zeros(word: types.Type) -> Intrinsic:
    """Return the index of the lowest set bit of an integer that is not zero."""
    return _typed(word, lambda builder, x: builder.cttz(x, ir.Constant(ir.IntType(1), 1)))


@intrinsic
def leading_zeros(word: types.Type) -> Intrinsic:
    """Return the number of zeros above the highest set bit of an integer that is not zero."""
    return _typed(word, lambda builder, x: builder.ctlz(x, ir.Constant(ir.IntType(1), 1)))


@intrinsic
def popcount(word: types.Type) -> Intrinsic:
    """Return the number of set bits of an integer."""
    return _typed(word, lambda builder, x: builder.ctpop(x))


@inner
def rank_of(sets: UInt32Array, level: int, item: Integer) -> int:
    """Return how many items of a level's set are smaller than ``item``."""
    total = 0
    for w in range(item >> 5):
        total += popcount(sets[level, w])
    last = sets[level, item >> 5] & np.uint32((1 << (item & 31)) - 1)
    return int(total + popcount(last))


@inner
def lowest_item(sets: UInt32Array, level: int) -> int:
    """Return the lowest item of a level's set, or -1 if it is empty."""
    for w in range(sets.shape[1]):
        if sets[level, w] != 0:
            return int(w * 32 + trailing_zeros(sets[level, w]))
    return -1


@inner
def contains(sets: UInt32Array, level: int, item: int) -> int:
    """Return 1 if the item is in the level's set, else 0."""
    return int((sets[level, item >> 5] >> (item & 31)) & 1)


@inner
def count_items(sets: UInt32Array, level: int) -> int:
    """Return the number of items of a level's set."""
    total = 0
    for w in range(sets.shape[1]):
        total += popcount(sets[level, w])
    return int(total)


@inner
def nth_item(sets: UInt32Array, level: int, rank: Integer) -> int:
    """Return the item of a level's set that has ``rank`` smaller ones."""
    seen = 0
    capacity: int = sets.shape[1] * 32
    for i in range(capacity):
        if contains(sets, level, i):
            if seen == rank:
                return i
            seen += 1
    return capacity


@inner
def remove_item(sets: UInt32Array, level: int, item: int) -> None:
    """Remove one item from a level's set."""
    sets[level, item >> 5] &= ~(1 << (item & 31)) & 0xFFFFFFFF


@inner
def keep_ranks(
    sets: UInt32Array, among: UInt32Array, level: int, start: Integer, stop: Integer
) -> None:
    """Remove the items whose rank in ``among`` lies outside ``start .. stop - 1``."""
    position = 0
    for i in range(sets.shape[1] * 32):
        if contains(among, level, i):
            if position < start or position >= stop:
                remove_item(sets, level, i)
            position += 1
