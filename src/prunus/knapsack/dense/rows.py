"""One item's step of the dense recursion over a range of capacities, in vector lanes.

``to[c] = max(to[c], at[c - w] + p)``, block by block from the top: all of a block is read before
any of it is written, so source and target may be the same array, shifted by any weight. LLVM does
not vectorise the plain loop, because it cannot rule out that a step reads what it has written.
"""

from __future__ import annotations

from collections.abc import Callable

from prunus.hardware.jit import vector as v
from prunus.hardware.jit.compiled import inner
from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic
from prunus.hardware.jit.later import cgutils, ir, types
from prunus.model.arrays import AnyArray, UInt32Array

BLOCK = v.BLOCK


def _blocks(builder: ir.IRBuilder, count: ir.Value, body: Callable[[ir.Value], None]) -> None:
    """Emit ``body(offset)`` for the offsets of whole blocks, the last one first."""
    word = count.type
    offset = cgutils.alloca_once_value(builder, builder.sub(count, word(BLOCK)))
    head = builder.append_basic_block("head")
    inside = builder.append_basic_block("inside")
    after = builder.append_basic_block("after")
    builder.branch(head)
    builder.position_at_end(head)
    here = builder.load(offset)
    builder.cbranch(builder.icmp_signed(">=", here, word(0)), inside, after)
    builder.position_at_end(inside)
    body(here)
    builder.store(builder.sub(here, word(BLOCK)), offset)
    builder.branch(head)
    builder.position_at_end(after)


def _codegen(call: Call) -> ir.Value:
    builder, args = call.builder, call.args
    to, at = builder.gep(call.data(0), [args[1]]), builder.gep(call.data(2), [args[3]])
    element = to.type.pointee
    kind = v.vector(element)
    profit = builder.trunc(args[5], element) if element.width < 64 else args[5]
    profits = v.splat(builder, profit, kind)
    bits = None
    if len(args) > 6:
        array, word = (builder.extract_value(args[6], k) for k in range(2))
        data = call.address(call.signature.args[6].types[0], array)
        bits = builder.gep(data, [word])

    def body(here: ir.Value) -> None:
        old = v.load(builder, to, here, kind)
        new = builder.add(v.load(builder, at, here, kind), profits)
        better = builder.icmp_signed(">", new, old)
        v.store(builder, builder.select(better, new, old), to, here)
        if bits is not None:
            place = builder.gep(bits, [builder.sdiv(here, here.type(BLOCK))])
            builder.store(builder.bitcast(better, ir.IntType(BLOCK)), place)

    _blocks(builder, args[4], body)
    return call.context.get_dummy_value()


@intrinsic
def _add_max_blocks(
    to: types.Type,
    start: types.Type,
    at: types.Type,
    origin: types.Type,
    count: types.Type,
    profit: types.Type,
) -> Intrinsic:
    """Work on whole blocks: ``to[start + i]`` and ``at[origin + i]``, i below ``count``."""
    i8 = types.int64
    return types.none(to, i8, at, i8, i8, i8), _codegen


@intrinsic
def _add_max_blocks_bits(
    to: types.Type,
    start: types.Type,
    at: types.Type,
    origin: types.Type,
    count: types.Type,
    profit: types.Type,
    bits: types.Type,
) -> Intrinsic:
    """The same, and note where it was better: ``bits`` are words, and the first of them."""
    i8 = types.int64
    return types.none(to, i8, at, i8, i8, i8, bits), _codegen


@inner
def add_max(to: AnyArray, start: int, at: AnyArray, origin: int, count: int, profit: int) -> None:
    """Raise ``to[start + i]`` to at least ``at[origin + i] + profit``, for i from count - 1 to 0.

    Where both arrays are the same, ``origin`` must be below ``start``.
    """
    if count <= 0:
        return
    rest = count % BLOCK
    _add_max_blocks(to, start + rest, at, origin + rest, count - rest, profit)
    for i in range(rest - 1, -1, -1):
        to[start + i] = max(to[start + i], at[origin + i] + profit)


@inner
def add_max_bits(
    to: AnyArray,
    start: int,
    at: AnyArray,
    origin: int,
    count: int,
    profit: int,
    bits: UInt32Array,
    first: int,
) -> None:
    """The same, and set or clear bit ``first + i`` of ``bits``: whether it was raised."""
    if count <= 0:
        return
    top = min(count, (first + count) % BLOCK)  # the part word at the upper end
    for i in range(count - 1, count - top - 1, -1):
        _one(to, start + i, at, origin + i, profit, bits, first + i)
    count -= top
    rest = min(count, (-first) % BLOCK)  # the part word at the lower end
    whole = count - rest
    words = (bits, (first + rest) // BLOCK)
    _add_max_blocks_bits(to, start + rest, at, origin + rest, whole, profit, words)
    for i in range(rest - 1, -1, -1):
        _one(to, start + i, at, origin + i, profit, bits, first + i)


@inner
def _one(
    to: AnyArray, c: int, at: AnyArray, d: int, profit: int, bits: UInt32Array, bit: int
) -> None:
    value = at[d] + profit
    word, mask = bit // BLOCK, 1 << (bit % BLOCK)
    if value > to[c]:
        to[c] = value
        bits[word] |= mask
    else:
        bits[word] &= ~mask
