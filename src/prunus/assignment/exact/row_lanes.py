"""Looking at a whole row in vector lanes: what the compact kernel does.

A row is read as costs, ``sign * row[j]``, with infinity for a forbidden pair. What is known of the
columns are arrays of a multiple of eight words, the rows of one array ``work``.
"""

from __future__ import annotations

import math

from prunus.assignment.exact.vector_lanes import (
    BITS,
    FINAL,
    FLOAT,
    FLOATS,
    INFINITY,
    LANES,
    LENGTH,
    LOWEST,
    NOTHING,
    PRICE,
    TAKEN,
    WORD,
    WORDS,
    Least,
    Total,
    all_lanes,
    column_arrays,
    columns_at,
    each_row,
    fill,
    less_than,
    load,
    reduced,
    store,
    walk,
)
from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic
from prunus.hardware.jit.later import cgutils, ir, types

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
def extend_paths(
    row: types.Array,
    work: types.Array,
    sign: types.Float,
    offset: types.Float,
    i: types.Integer,
    reached: types.Integer,
) -> Intrinsic:
    """Go from row i of the tree to every column, where that is shorter than what is known.

    ``length[j] = min(length[j], offset + cost - prices[j])``, and ``parent[j] = i`` where that is
    less. Columns whose way is final have minus infinity as their length; ``reached`` is one that
    gets it now, or -1.

    Returns the least length that is not final, and that of a free column.
    """

    def codegen(call: Call) -> ir.Value:
        builder, args = call.builder, call.args
        price, length, taken, parent, _ = column_arrays(call)
        signs, offsets = (all_lanes(builder, args[k], FLOATS) for k in (2, 3))
        rows, now_final = (all_lanes(builder, args[k], WORDS) for k in (4, 5))
        nearest, free = Least(builder), Least(builder)

        def body(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
            here = columns_at(builder, at)
            cost = builder.fmul(signs, values)
            way = builder.fadd(offsets, builder.fsub(cost, load(builder, price, at, FLOATS)))
            way = builder.select(inside, way, INFINITY)
            known = load(builder, length, at, FLOATS)
            # A store of one entry right before this load would hold the processor up.
            known = builder.select(builder.icmp_signed("==", here, now_final), LOWEST, known)
            less = less_than(builder, way, known)
            way = builder.select(less, way, known)
            store(builder, way, length, at)
            over = builder.select(less, rows, load(builder, parent, at, WORDS))
            store(builder, over, parent, at)
            final = builder.fcmp_ordered("==", way, LOWEST)
            way = builder.select(final, INFINITY, way)
            nearest.take(way, here)
            free.take(builder.fadd(way, load(builder, taken, at, FLOATS)), here)

        walk(builder, call.data(0), call.extent(0, 0), body)
        found = [*nearest.found(), *free.found()]
        return call.context.make_tuple(builder, call.signature.return_type, found)

    kinds = types.float64, types.int64, types.float64, types.int64
    return types.Tuple(kinds)(row, work, sign, offset, i, reached), codegen


@intrinsic
def best_two(row: types.Array, work: types.Array, sign: types.Float) -> Intrinsic:
    """Return the two least values of cost less price in a row, and the least of free columns.

    That is (least, column, second, least free, column).
    """

    def codegen(call: Call) -> ir.Value:
        builder, args = call.builder, call.args
        price, _, taken, _, _ = column_arrays(call)
        signs = all_lanes(builder, args[2], FLOATS)
        best, second, free = (Least(builder) for _ in range(3))

        def body(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
            here = columns_at(builder, at)
            net = builder.fsub(builder.fmul(signs, values), load(builder, price, at, FLOATS))
            net = builder.select(inside, net, INFINITY)
            second.take(best.take(net, here), here)
            free.take(builder.fadd(net, load(builder, taken, at, FLOATS)), here)

        walk(builder, call.data(0), call.extent(0, 0), body)
        least, where = best.found()
        # In the lane of the least value the second best counts, in all others the best.
        chosen = builder.icmp_signed(
            "==", builder.load(best.place), all_lanes(builder, where, WORDS)
        )
        others = builder.select(chosen, builder.load(second.value), builder.load(best.value))
        runner_up = reduced(builder, others, "fmin", "f64")
        found = [least, where, runner_up, *free.found()]
        return call.context.make_tuple(builder, call.signature.return_type, found)

    kinds = types.float64, types.int64, types.float64, types.float64, types.int64
    return types.Tuple(kinds)(row, work, sign), codegen


@intrinsic
def column_minima(
    a: types.Array, work: types.Array, sign: types.Float, columns: types.Integer
) -> Intrinsic:
    """Set lengths to the least of every column, of cost less what its row is worth; return a bound.

    A row is worth the least of cost less final length in it. The lengths are prices by which no
    assignment of a square matrix costs less than the bound.
    """

    def codegen(call: Call) -> ir.Value:
        builder = call.builder
        _, length, _, _, final = column_arrays(call)
        signs = all_lanes(builder, call.args[2], FLOATS)
        bound = cgutils.alloca_once_value(builder, FLOAT(0.0))
        fill(builder, length, call.extent(1, 1), INFINITY)

        def row(data: ir.Value, count: ir.Value) -> None:
            least = Least(builder)

            def find(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
                net = builder.fsub(builder.fmul(signs, values), load(builder, final, at, FLOATS))
                least.take(builder.select(inside, net, INFINITY), columns_at(builder, at))

            walk(builder, data, count, find)
            worth, _ = least.found()
            worths = all_lanes(builder, worth, FLOATS)
            builder.store(builder.fadd(builder.load(bound), worth), bound)

            def lower(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
                net = builder.fsub(builder.fmul(signs, values), worths)
                known = load(builder, length, at, FLOATS)
                less = less_than(builder, net, known)
                store(builder, builder.select(less, net, known), length, at)

            walk(builder, data, count, lower)

        each_row(call, row)
        total = Total(builder)

        def add(at: ir.Value, lengths: ir.Value, inside: ir.Value) -> None:
            total.add(builder.select(inside, lengths, NOTHING))

        walk(builder, length, call.args[3], add)
        return builder.fadd(builder.load(bound), total.found())

    return types.float64(a, work, sign, columns), codegen


@intrinsic
def unusable(a: types.Array, sign: types.Float, most: types.Float) -> Intrinsic:
    """Return 1 if there is a NaN or a cost of minus infinity, plus 2 if one is beyond ``most``."""

    def codegen(call: Call) -> ir.Value:
        builder, args = call.builder, call.args
        signs, most = (all_lanes(builder, args[k], FLOATS) for k in (1, 2))
        none = ir.Constant(BITS, [0] * LANES)
        bad, large = (cgutils.alloca_once_value(builder, none) for _ in range(2))

        def note(cell: ir.Value, where: ir.Value) -> None:
            builder.store(builder.or_(builder.load(cell), where), cell)

        def body(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
            cost = builder.fmul(signs, values)
            note(bad, builder.and_(inside, builder.fcmp_unordered("<=", cost, LOWEST)))
            below = less_than(builder, cost, builder.fneg(most))
            above = builder.and_(less_than(builder, most, cost), less_than(builder, cost, INFINITY))
            note(large, builder.and_(inside, builder.or_(below, above)))

        walk(builder, call.data(0), builder.mul(call.extent(0, 0), call.extent(0, 1)), body)
        flags = [reduced(builder, builder.load(cell), "or", "i1") for cell in (bad, large)]
        one, two = (builder.zext(flag, WORD) for flag in flags)
        return builder.or_(one, builder.shl(two, WORD(1)))

    return types.int64(a, sign, most), codegen
