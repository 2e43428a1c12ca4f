"""Building blocks for code on LLVM's vector types, used by the flow shop's inner loops.

LLVM lowers them to AVX-512, AVX2, SSE2 or NEON, whatever the machine has. Loops that Numba
vectorises by itself do not reach this speed: 16-bit sums are widened there unless each step is
cast, and running values do not stay in registers.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

__all__ = [
    "BLOCK",
    "array_data",
    "constant",
    "load",
    "maximum",
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


def maximum(builder: Any, a: Any, b: Any) -> Any:
    """Return the larger value of each lane."""
    return builder.select(builder.icmp_signed(">", a, b), a, b)


def shift(builder: Any, value: Any, lanes: int, fill: Any) -> Any:
    """Move every lane up by ``lanes`` places (down if negative); ``fill`` gives the new ones."""
    index = [i - lanes if 0 <= i - lanes < BLOCK else BLOCK + i for i in range(BLOCK)]
    mask = ir.Constant(ir.VectorType(ir.IntType(32), BLOCK), index)
    return builder.shuffle_vector(value, fill, mask)
