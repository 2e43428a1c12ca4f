"""Building blocks for code on LLVM's vector types, used by the flow shop's inner loops.

LLVM lowers them to AVX-512, AVX2, SSE2 or NEON, whatever the machine has. Loops that Numba
vectorises by itself do not reach this speed: 16-bit sums are widened there unless each step is
cast, and running values do not stay in registers.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils

__all__ = [
    "BLOCK",
    "array_data",
    "constant",
    "limit",
    "load",
    "maximum",
    "permute",
    "shift",
    "splat",
    "store",
    "vector",
]

BLOCK = 32
"""Lanes worked on together."""


def vector(element: Any) -> Any:
    """Return the type of a block of lanes."""
    return ir.VectorType(element, BLOCK)


def constant(kind: Any, value: int) -> Any:
    """Return a block whose lanes all hold a constant."""
    return ir.Constant(kind, [value] * BLOCK)


def array_data(context: Any, builder: Any, array_type: Any, array: Any) -> Any:
    """Return the address of an array's first element."""
    return context.make_array(array_type)(context, builder, array).data


def load(builder: Any, data: Any, index: Any, kind: Any) -> Any:
    """Load the block that starts at ``data[index]``."""
    address = builder.bitcast(builder.gep(data, [index]), kind.as_pointer())
    return builder.load(address, align=kind.element.width // 8)


def store(builder: Any, value: Any, data: Any, index: Any) -> None:
    """Store a block at ``data[index]``."""
    address = builder.bitcast(builder.gep(data, [index]), value.type.as_pointer())
    builder.store(value, address, align=value.type.element.width // 8)


def splat(builder: Any, scalar: Any, kind: Any) -> Any:
    """Return a block whose lanes all hold a scalar."""
    undefined = ir.Constant(kind, ir.Undefined)
    one = builder.insert_element(undefined, scalar, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), BLOCK), [0] * BLOCK)
    return builder.shuffle_vector(one, undefined, zeros)


def limit(builder: Any, scalar: Any, kind: Any) -> Any:
    """Return a block of a 64-bit scalar, cut down to the largest value that the lanes can hold."""
    element = kind.element
    if element.width < 64:
        largest = scalar.type((1 << (element.width - 1)) - 1)
        scalar = builder.select(builder.icmp_signed("<", scalar, largest), scalar, largest)
        scalar = builder.trunc(scalar, element)
    return splat(builder, scalar, kind)


def maximum(builder: Any, a: Any, b: Any) -> Any:
    """Return the larger value of each lane."""
    return builder.select(builder.icmp_signed(">", a, b), a, b)


def shift(builder: Any, value: Any, lanes: int, fill: Any) -> Any:
    """Move every lane up by ``lanes`` places (down if negative); ``fill`` gives the new ones."""
    index = [i - lanes if 0 <= i - lanes < BLOCK else BLOCK + i for i in range(BLOCK)]
    mask = ir.Constant(ir.VectorType(ir.IntType(32), BLOCK), index)
    return builder.shuffle_vector(value, fill, mask)


def permute(context: Any, builder: Any, value: Any, index: Any) -> Any:
    """Return ``value[index]`` for each lane; of an index, the bits beyond a block do not count."""
    kind = value.type
    lanes = min(BLOCK, 512 // kind.element.width)
    wide = f"+{'avx512bw' if kind.element.width == 16 else 'avx512f'}"
    part = _permute_512 if wide in context.codegen().magic_tuple()[2].split(",") else _permute_any
    parts = [_lanes(builder, value, start, lanes) for start in range(0, BLOCK, lanes)]
    found = []
    for start in range(0, BLOCK, lanes):
        wanted = _lanes(builder, index, start, lanes)
        wanted = builder.and_(wanted, ir.Constant(wanted.type, [BLOCK - 1] * lanes))
        chosen = part(builder, parts[0], wanted)
        for number in range(1, len(parts)):
            below = ir.Constant(wanted.type, [number * lanes] * lanes)
            below = builder.icmp_signed("<", wanted, below)
            chosen = builder.select(below, chosen, part(builder, parts[number], wanted))
        found.append(chosen)
    while len(found) > 1:
        found = [_join(builder, a, b) for a, b in zip(found[::2], found[1::2], strict=True)]
    return found[0]


def _permute_512(builder: Any, value: Any, index: Any) -> Any:
    """Permute 512 bits by AVX-512's instruction; it looks at the low bits of the index only."""
    kind = value.type
    suffix = {16: "hi", 32: "si", 64: "di"}[kind.element.width]
    permute = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(kind, [kind, kind]), f"llvm.x86.avx512.permvar.{suffix}.512"
    )
    return builder.call(permute, [value, index])


def _permute_any(builder: Any, value: Any, index: Any) -> Any:
    """Permute 512 bits lane by lane."""
    lanes = value.type.count
    index = builder.and_(index, ir.Constant(index.type, [lanes - 1] * lanes))
    found = ir.Constant(value.type, ir.Undefined)
    for i in range(lanes):
        at = builder.extract_element(index, ir.IntType(32)(i))
        lane = builder.extract_element(value, at)
        found = builder.insert_element(found, lane, ir.IntType(32)(i))
    return found


def _lanes(builder: Any, value: Any, start: int, count: int) -> Any:
    """Return some of a vector's lanes."""
    return builder.shuffle_vector(value, value, _numbers(range(start, start + count)))


def _join(builder: Any, low: Any, high: Any) -> Any:
    """Return the lanes of both vectors."""
    return builder.shuffle_vector(low, high, _numbers(range(2 * low.type.count)))


def _numbers(values: range) -> Any:
    return ir.Constant(ir.VectorType(ir.IntType(32), len(values)), list(values))
