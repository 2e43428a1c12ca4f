"""One item's step of the dense recursion over a range of capacities, in vector lanes.

``to[c] = max(to[c], at[c - w] + p)``, block by block from the top: all of a block is read before
any of it is written, so source and target may be the same array, shifted by any weight. LLVM does
not vectorise the plain loop, because it cannot rule out that a step reads what it has written.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from prunus.hardware.jit import vector as v
from prunus.hardware.jit.compiled import inner

__all__ = ["BLOCK", "add_max", "add_max_bits"]

BLOCK = v.BLOCK


def _blocks(builder: Any, count: Any, body: Any) -> None:
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


def _codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    to, at = (v.array_data(context, builder, signature.args[k], args[k]) for k in (0, 2))
    to, at = builder.gep(to, [args[1]]), builder.gep(at, [args[3]])
    element = to.type.pointee
    kind = v.vector(element)
    profit = builder.trunc(args[5], element) if element.width < 64 else args[5]
    profits = v.splat(builder, profit, kind)
    bits = None
    if len(args) > 6:
        data = v.array_data(context, builder, signature.args[6], args[6])
        bits = builder.gep(data, [args[7]])

    def body(here: Any) -> None:
        old = v.load(builder, to, here, kind)
        new = builder.add(v.load(builder, at, here, kind), profits)
        better = builder.icmp_signed(">", new, old)
        v.store(builder, builder.select(better, new, old), to, here)
        if bits is not None:
            place = builder.gep(bits, [builder.sdiv(here, here.type(BLOCK))])
            builder.store(builder.bitcast(better, ir.IntType(BLOCK)), place)

    _blocks(builder, args[4], body)
    return context.get_dummy_value()


@intrinsic
def _add_max_blocks(
    typingctx: Any, to: Any, start: Any, at: Any, origin: Any, count: Any, profit: Any
) -> Any:
    """Work on whole blocks: ``to[start + i]`` and ``at[origin + i]``, i below ``count``."""
    i8 = types.int64
    return types.none(to, i8, at, i8, i8, i8), _codegen


@intrinsic
def _add_max_blocks_bits(
    typingctx: Any,
    to: Any,
    start: Any,
    at: Any,
    origin: Any,
    count: Any,
    profit: Any,
    bits: Any,
    word: Any,
) -> Any:
    """The same, and note in whole 32-bit words from ``bits[word]`` on where it was better."""
    i8 = types.int64
    return types.none(to, i8, at, i8, i8, i8, bits, i8), _codegen


@inner
def add_max(to: Any, start: Any, at: Any, origin: Any, count: Any, profit: Any):  # type: ignore[no-untyped-def]
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
def add_max_bits(  # type: ignore[no-untyped-def]
    to: Any, start: Any, at: Any, origin: Any, count: Any, profit: Any, bits: Any, first: Any
):
    """The same, and set or clear bit ``first + i`` of ``bits`` (uint32): whether it was raised."""
    if count <= 0:
        return
    top = min(count, (first + count) % BLOCK)  # the part word at the upper end
    for i in range(count - 1, count - top - 1, -1):
        _one(to, start + i, at, origin + i, profit, bits, first + i)
    count -= top
    rest = min(count, (-first) % BLOCK)  # the part word at the lower end
    whole = count - rest
    _add_max_blocks_bits(
        to, start + rest, at, origin + rest, whole, profit, bits, (first + rest) // BLOCK
    )
    for i in range(rest - 1, -1, -1):
        _one(to, start + i, at, origin + i, profit, bits, first + i)


@inner
def _one(to, c, at, d, profit, bits, bit):  # type: ignore[no-untyped-def]
    value = at[d] + profit
    word, mask = bit // BLOCK, 1 << (bit % BLOCK)
    if value > to[c]:
        to[c] = value
        bits[word] |= mask
    else:
        bits[word] &= ~mask
