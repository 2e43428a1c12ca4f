"""Arrays of the compact kernel: on the stack for small matrices, filled and copied by whole lanes.

What is one call here would be a loop in Numba, each of which takes some .05 s to compile.
"""

from __future__ import annotations

import math

from prunus.assignment.exact.compact.vector_lanes import (
    BITS,
    FINAL,
    FLOATS,
    INFINITY,
    LANES,
    LENGTH,
    LOWEST,
    PRICE,
    TAKEN,
    WORD,
    WORDS,
    columns_at,
    fill,
    less_than,
    reduced,
    walk,
)
from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic
from prunus.hardware.jit.later import cgutils, ir, types
from prunus.hardware.jit.vector import load, splat, store

ARRAYS = 9
"""Arrays of what is known of the columns and rows."""

STACKED_COLUMNS, STACKED_ENTRIES = 128, 1024
"""Up to so many columns and entries all is on the stack: to allocate takes as long as to solve."""


@intrinsic
def workspace(columns: types.Integer) -> Intrinsic:
    """Return ``work`` for at most ``STACKED_COLUMNS`` columns, on the stack of the caller."""
    kind = types.Array(types.int64, 2, "C")

    def codegen(call: Call) -> ir.Value:
        return _on_stack(call, kind, ARRAYS * STACKED_COLUMNS, WORD(ARRAYS), call.args[0])

    return kind(types.int64), codegen


@intrinsic
def rows_of(work: types.Array) -> Intrinsic:
    """Return the rows of ``work`` as arrays, those of lengths as floats.

    NumPy's ``view`` of it would take a tenth of the time to compile.
    """
    words, floats = (types.Array(kind, 1, "C") for kind in (types.int64, types.float64))
    kinds = [floats if k in (PRICE, LENGTH, TAKEN, FINAL) else words for k in range(ARRAYS)]
    result = types.Tuple(kinds)

    def codegen(call: Call) -> ir.Value:
        builder, size = call.builder, call.extent(0, 1)
        rows = []
        for k, kind in enumerate(kinds):
            row = builder.gep(call.data(0), [builder.mul(size, WORD(k))])
            rows.append(_array(call, kind, row, size))
        return call.context.make_tuple(builder, result, rows)

    return result(work), codegen


def _array(call: Call, kind: types.Array, data: ir.Value, *shape: ir.Value) -> ir.Value:
    """Return an array of 64-bit numbers that lie at an address."""
    from numba.np.arrayobj import populate_array

    builder = call.builder
    array = call.context.make_array(kind)(call.context, builder)
    strides = [WORD(8)]
    for size in reversed(shape[1:]):
        strides.insert(0, builder.mul(size, strides[0]))
    populate_array(
        array,
        data=builder.bitcast(data, array.data.type),
        shape=shape,
        strides=strides,
        itemsize=WORD(8),
        meminfo=None,
    )
    return array._getvalue()


@intrinsic
def stacked_costs(rows: types.Integer, columns: types.Integer) -> Intrinsic:
    """Return a matrix of at most ``STACKED_ENTRIES``, on the stack, of whole lanes of columns."""
    kind = types.Array(types.float64, 2, "C")

    def codegen(call: Call) -> ir.Value:
        most = STACKED_ENTRIES + (LANES - 1) * math.isqrt(STACKED_ENTRIES)
        return _on_stack(call, kind, most, *call.args)

    return kind(types.int64, types.int64), codegen


def _on_stack(
    call: Call, kind: types.Array, most: int, rows: ir.Value, columns: ir.Value
) -> ir.Value:
    """Return an array of 64-bit numbers, of whole lanes of columns."""
    builder = call.builder
    with builder.goto_entry_block():
        words = builder.alloca(ir.ArrayType(WORD, most))  # Numba's own would be filled with zeros
    size = builder.and_(builder.add(columns, WORD(LANES - 1)), WORD(-LANES))
    return _array(call, kind, words, rows, size)


@intrinsic
def clear(row: types.Array, value: types.Number) -> Intrinsic:
    """Write a number all over an array of whole lanes."""

    def codegen(call: Call) -> ir.Value:
        number = call.context.cast(call.builder, call.args[1], call.signature.args[1], row.dtype)
        kind = FLOATS if row.dtype == types.float64 else WORDS
        numbers = splat(call.builder, number, kind)
        fill(call.builder, call.data(0), call.extent(0, 0), lambda at: numbers)
        return call.context.get_dummy_value()

    return types.void(row, value), codegen


@intrinsic
def number(row: types.Array) -> Intrinsic:
    """Write 0, 1, 2 and so on into an array of whole lanes."""

    def codegen(call: Call) -> ir.Value:
        builder = call.builder
        fill(builder, call.data(0), call.extent(0, 0), lambda at: columns_at(builder, at))
        return call.context.get_dummy_value()

    return types.void(row), codegen


@intrinsic
def copy(row: types.Array, source: types.Array) -> Intrinsic:
    """Copy an array of whole lanes of floats."""

    def codegen(call: Call) -> ir.Value:
        builder, data = call.builder, call.data(1)
        fill(builder, call.data(0), call.extent(0, 0), lambda at: load(builder, data, at, FLOATS))
        return call.context.get_dummy_value()

    return types.void(row, source), codegen


@intrinsic
def copy_costs(costs: types.Array, a: types.Array, sign: types.Float) -> Intrinsic:
    """Write a matrix, or its transpose if that has fewer rows, as costs.

    What is beyond its columns becomes infinite: whole lanes are quicker to read than parts.
    """

    def codegen(call: Call) -> ir.Value:
        builder, (_, _, sign) = call.builder, call.args
        data, rows, size = call.data(0), call.extent(0, 0), call.extent(0, 1)
        given, height, width = call.data(1), call.extent(1, 0), call.extent(1, 1)
        signs = splat(builder, sign, FLOATS)

        def of_row(i: ir.Value) -> None:
            row = builder.gep(data, [builder.mul(i, size)])

            def write(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
                cost = builder.fmul(signs, values)
                store(builder, builder.select(inside, cost, INFINITY), row, at)

            walk(builder, builder.gep(given, [builder.mul(i, width)]), width, write)

        def of_column(i: ir.Value) -> None:
            with cgutils.for_range(builder, height, intp=WORD) as inner:
                j = inner.index
                value = builder.load(builder.gep(given, [builder.add(builder.mul(j, width), i)]))
                place = builder.gep(data, [builder.add(builder.mul(i, size), j)])
                builder.store(builder.fmul(sign, value), place)

        with builder.if_else(builder.icmp_signed(">", height, rows)) as (then, otherwise):
            with then:
                fill(builder, data, builder.mul(rows, size), lambda at: INFINITY)
                with cgutils.for_range(builder, rows, intp=WORD) as outer:
                    of_column(outer.index)
            with otherwise, cgutils.for_range(builder, rows, intp=WORD) as outer:
                of_row(outer.index)
        return call.context.get_dummy_value()

    return types.void(costs, a, sign), codegen


@intrinsic
def unusable(a: types.Array, sign: types.Float, most: types.Float) -> Intrinsic:
    """Return 1 if there is a NaN or a cost of minus infinity, plus 2 if a finite one is beyond
    ``most``.
    """

    def codegen(call: Call) -> ir.Value:
        builder, args = call.builder, call.args
        signs, most = (splat(builder, args[k], FLOATS) for k in (1, 2))
        none = ir.Constant(BITS, [0] * LANES)
        bad, large = (cgutils.alloca_once_value(builder, none) for _ in range(2))
        kind = ir.FunctionType(FLOATS, [FLOATS])
        name = f"llvm.fabs.v{LANES}f64"
        absolute = cgutils.get_or_insert_function(builder.module, kind, name)

        def note(cell: ir.Value, where: ir.Value) -> None:
            builder.store(builder.or_(builder.load(cell), where), cell)

        def body(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
            cost = builder.fmul(signs, values)
            note(bad, builder.and_(inside, builder.fcmp_unordered("<=", cost, LOWEST)))
            size = builder.call(absolute, [values])
            within = builder.and_(
                less_than(builder, most, size), less_than(builder, size, INFINITY)
            )
            note(large, builder.and_(inside, within))

        walk(builder, call.data(0), builder.mul(call.extent(0, 0), call.extent(0, 1)), body)
        flags = [reduced(builder, builder.load(cell), "or", "i1") for cell in (bad, large)]
        one, two = (builder.zext(flag, WORD) for flag in flags)
        return builder.or_(one, builder.shl(two, WORD(1)))

    return types.int64(a, sign, most), codegen
