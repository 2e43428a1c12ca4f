"""Building blocks for inner loops on LLVM's vector types, 32 lanes at a time.

LLVM lowers them to AVX-512, AVX2, SSE2 or NEON, whatever the machine has. Loops that Numba
vectorises by itself do not reach this speed: 16-bit sums are widened there unless each step is
cast, and running values do not stay in registers.
"""

from __future__ import annotations

from prunus.hardware.jit.later import BaseContext, cgutils, ir, types

BLOCK = 32
"""Lanes worked on together."""


def vector(element: ir.Type) -> ir.VectorType:
    """Return the type of a block of lanes."""
    return ir.VectorType(element, BLOCK)


def constant(kind: ir.VectorType, value: int) -> ir.Constant:
    """Return a block whose lanes all hold a constant."""
    return ir.Constant(kind, [value] * BLOCK)


def tuple_field(
    builder: ir.IRBuilder, tuple_type: types.BaseNamedTuple, value: ir.Value, name: str
) -> tuple[types.Type, ir.Value]:
    place = tuple_type.fields.index(name)
    return tuple_type.types[place], builder.extract_value(value, place)


def _bytes(kind: ir.VectorType) -> int:
    """Return the size of a lane; llvmlite says it of integers only, and other lanes are doubles."""
    return getattr(kind.element, "width", 64) // 8


def load(builder: ir.IRBuilder, data: ir.Value, index: ir.Value, kind: ir.VectorType) -> ir.Value:
    address = builder.bitcast(builder.gep(data, [index]), kind.as_pointer())
    return builder.load(address, align=_bytes(kind))


def store(builder: ir.IRBuilder, value: ir.Value, data: ir.Value, index: ir.Value) -> None:
    address = builder.bitcast(builder.gep(data, [index]), value.type.as_pointer())
    builder.store(value, address, align=_bytes(value.type))


def splat(builder: ir.IRBuilder, scalar: ir.Value, kind: ir.VectorType) -> ir.Value:
    """Return a vector whose lanes all hold a scalar."""
    undefined = ir.Constant(kind, ir.Undefined)
    one = builder.insert_element(undefined, scalar, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), kind.count), [0] * kind.count)
    return builder.shuffle_vector(one, undefined, zeros)


def limit(builder: ir.IRBuilder, scalar: ir.Value, kind: ir.VectorType) -> ir.Value:
    """Return a block of a 64-bit scalar, cut down to the largest value that the lanes can hold."""
    element = kind.element
    if element.width < 64:
        largest = scalar.type((1 << (element.width - 1)) - 1)
        scalar = builder.select(builder.icmp_signed("<", scalar, largest), scalar, largest)
        scalar = builder.trunc(scalar, element)
    return splat(builder, scalar, kind)


def maximum(builder: ir.IRBuilder, a: ir.Value, b: ir.Value) -> ir.Value:
    """Return the larger value of each lane."""
    return builder.select(builder.icmp_signed(">", a, b), a, b)


def shift(builder: ir.IRBuilder, value: ir.Value, lanes: int, fill: ir.Value) -> ir.Value:
    """Move every lane up by ``lanes`` places (down if negative); ``fill`` gives the new ones."""
    index = [i - lanes if 0 <= i - lanes < BLOCK else BLOCK + i for i in range(BLOCK)]
    mask = ir.Constant(ir.VectorType(ir.IntType(32), BLOCK), index)
    return builder.shuffle_vector(value, fill, mask)


def gather(
    context: BaseContext, builder: ir.IRBuilder, data: ir.Value, count: ir.Value, index: ir.Value
) -> ir.Value:
    """Return ``data[index[lane]]`` for each lane.

    ``data`` and ``index`` are addresses, the latter of a block of the same type as the data, of
    which there are ``count`` elements, whole blocks.
    """
    element = data.type.pointee
    wide = f"+{'avx512bw' if element.width == 16 else 'avx512f'}"
    if wide not in context.codegen().magic_tuple()[2].split(","):
        return _gather_one_by_one(builder, data, index)
    kind, word = vector(element), count.type
    wanted = load(builder, index, word(0), kind)
    cell = cgutils.alloca_once_value(
        builder, _permute(builder, load(builder, data, word(0), kind), wanted)
    )
    with cgutils.for_range_slice(builder, word(BLOCK), count, word(BLOCK), word) as (offset, _):
        start = builder.trunc(offset, element) if element.width < word.width else offset
        here = builder.icmp_signed(">=", wanted, splat(builder, start, kind))
        found = _permute(builder, load(builder, data, offset, kind), wanted)
        builder.store(builder.select(here, found, builder.load(cell)), cell)
    return builder.load(cell)


def _gather_one_by_one(builder: ir.IRBuilder, data: ir.Value, index: ir.Value) -> ir.Value:
    found = ir.Constant(vector(data.type.pointee), ir.Undefined)
    for lane in range(BLOCK):
        at = builder.load(builder.gep(index, [ir.IntType(32)(lane)]))
        at = builder.zext(at, ir.IntType(64)) if at.type.width < 64 else at
        value = builder.load(builder.gep(data, [at]))
        found = builder.insert_element(found, value, ir.IntType(32)(lane))
    return found


def _permute(builder: ir.IRBuilder, value: ir.Value, index: ir.Value) -> ir.Value:
    """Permute a block by AVX-512's instructions; of an index, only the low bits count."""
    lanes = 512 // value.type.element.width
    parts = [_lanes(builder, value, start, lanes) for start in range(0, BLOCK, lanes)]
    found = []
    for start in range(0, BLOCK, lanes):
        wanted = _lanes(builder, index, start, lanes)
        chosen = _permute_512(builder, parts[0], wanted)
        low = builder.and_(wanted, ir.Constant(wanted.type, [BLOCK - 1] * lanes))
        for number in range(1, len(parts)):
            below = ir.Constant(wanted.type, [number * lanes] * lanes)
            below = builder.icmp_signed("<", low, below)
            chosen = builder.select(below, chosen, _permute_512(builder, parts[number], wanted))
        found.append(chosen)
    while len(found) > 1:
        found = [_join(builder, a, b) for a, b in zip(found[::2], found[1::2], strict=True)]
    return found[0]


def _permute_512(builder: ir.IRBuilder, value: ir.Value, index: ir.Value) -> ir.Value:
    kind = value.type
    suffix = {16: "hi", 32: "si", 64: "di"}[kind.element.width]
    permute = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(kind, [kind, kind]), f"llvm.x86.avx512.permvar.{suffix}.512"
    )
    return builder.call(permute, [value, index])


def _lanes(builder: ir.IRBuilder, value: ir.Value, start: int, count: int) -> ir.Value:
    """Return some of a vector's lanes."""
    return builder.shuffle_vector(value, value, _numbers(range(start, start + count)))


def _join(builder: ir.IRBuilder, low: ir.Value, high: ir.Value) -> ir.Value:
    """Return the lanes of both vectors."""
    return builder.shuffle_vector(low, high, _numbers(range(2 * low.type.count)))


def _numbers(values: range) -> ir.Constant:
    return ir.Constant(ir.VectorType(ir.IntType(32), len(values)), list(values))
