"""Looking at a whole row in vector lanes: what the compact kernel does.

A row is read as costs, ``sign * row[j]``, with infinity for a forbidden pair. What is known of the
columns are arrays of a multiple of eight words, the rows of one array ``work``.
"""

from __future__ import annotations

from prunus.assignment.exact.compact.vector_lanes import (
    FLOAT,
    FLOATS,
    INFINITY,
    LANE,
    LOWEST,
    NOTHING,
    PARENT,
    WORDS,
    Least,
    Total,
    column_arrays,
    cost_less,
    each_row,
    fill,
    less_than,
    reduced,
    walk,
)
from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic
from prunus.hardware.jit.later import cgutils, ir, types
from prunus.hardware.jit.vector import load, splat, store


@intrinsic
def extend_paths(
    row: types.Array,
    work: types.Array,
    sign: types.Float,
    offset: types.Float,
    step: types.Integer,
    reached: types.Integer,
) -> Intrinsic:
    """Go from a row of the tree to every column, where that is shorter than what is known.

    ``length[j] = min(length[j], offset + cost - prices[j])``, and ``parent[j] = step`` where that
    is less, the number of rows that were looked at before. Columns whose way is final have minus
    infinity as their length; ``reached`` is one that gets it now, or -1.

    Returns the least length that is not final, and that of a free column.
    """

    def codegen(call: Call) -> ir.Value:
        builder, args = call.builder, call.args
        price, length, taken, parent, _ = column_arrays(call)
        signs, offsets = (splat(builder, args[k], FLOATS) for k in (2, 3))
        steps, now_final = (splat(builder, args[k], WORDS) for k in (4, 5))
        now_final = builder.sub(now_final, LANE)
        nearest, free = Least(builder), Least(builder)

        def body(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
            here = splat(builder, at, WORDS)
            net = cost_less(builder, signs, values, load(builder, price, at, FLOATS))
            way = builder.fadd(offsets, net)
            way = builder.select(inside, way, INFINITY)
            known = load(builder, length, at, FLOATS)
            # A store of one entry right before this load would hold the processor up.
            known = builder.select(builder.icmp_signed("==", here, now_final), LOWEST, known)
            less = less_than(builder, way, known)
            way = builder.select(less, way, known)
            store(builder, way, length, at)
            found_in = builder.select(less, steps, load(builder, parent, at, WORDS))
            store(builder, found_in, parent, at)
            final = builder.fcmp_ordered("==", way, LOWEST)
            way = builder.select(final, INFINITY, way)
            nearest.take(way, here)
            free.take(builder.fadd(way, load(builder, taken, at, FLOATS)), here)

        walk(builder, call.data(0), call.extent(0, 0), body)
        found = [*nearest.found(), *free.found()]
        return call.context.make_tuple(builder, call.signature.return_type, found)

    kinds = types.float64, types.int64, types.float64, types.int64
    return types.Tuple(kinds)(row, work, sign, offset, step, reached), codegen


@intrinsic
def found_last(length: types.Array, work: types.Array, least: types.Float) -> Intrinsic:
    """Return the column whose length is this that was found last.

    Where many are equal, a search goes on from where it has come to, not in all directions.
    """

    def codegen(call: Call) -> ir.Value:
        builder = call.builder
        parent = column_arrays(call)[PARENT]
        sought = splat(builder, call.args[2], FLOATS)
        latest = Least(builder)

        def body(at: ir.Value, found: ir.Value, inside: ir.Value) -> None:
            steps = builder.sitofp(load(builder, parent, at, WORDS), FLOATS)
            same = builder.fcmp_ordered("==", found, sought)
            value = builder.select(same, builder.fneg(steps), INFINITY)
            latest.take(value, splat(builder, at, WORDS))

        walk(builder, call.data(0), call.extent(0, 0), body)
        return latest.found()[1]

    return types.int64(length, work, least), codegen


@intrinsic
def best_two(row: types.Array, work: types.Array, sign: types.Float) -> Intrinsic:
    """Return the two least values of cost less price in a row, and the least of free columns.

    That is (least, column, second, least free, column).
    """

    def codegen(call: Call) -> ir.Value:
        builder, args = call.builder, call.args
        price, _, taken, _, _ = column_arrays(call)
        signs = splat(builder, args[2], FLOATS)
        best, second, free = (Least(builder) for _ in range(3))

        def body(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
            here = splat(builder, at, WORDS)
            net = cost_less(builder, signs, values, load(builder, price, at, FLOATS))
            net = builder.select(inside, net, INFINITY)
            second.take(best.take(net, here), here)
            free.take(builder.fadd(net, load(builder, taken, at, FLOATS)), here)

        walk(builder, call.data(0), call.extent(0, 0), body)
        least, where = best.found()
        # In the lane of the least value the second best counts, in all others the best.
        chosen = builder.icmp_signed("==", best.columns(), splat(builder, where, WORDS))
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
        signs = splat(builder, call.args[2], FLOATS)
        bound = cgutils.alloca_once_value(builder, FLOAT(0.0))
        fill(builder, length, call.extent(1, 1), lambda at: INFINITY)

        def row(data: ir.Value, count: ir.Value) -> None:
            least = Least(builder)

            def find(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
                net = cost_less(builder, signs, values, load(builder, final, at, FLOATS))
                least.take(builder.select(inside, net, INFINITY), splat(builder, at, WORDS))

            walk(builder, data, count, find)
            worth, _ = least.found()
            worths = splat(builder, worth, FLOATS)
            builder.store(builder.fadd(builder.load(bound), worth), bound)

            def lower(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
                net = cost_less(builder, signs, values, worths)
                known = load(builder, length, at, FLOATS)
                less = less_than(builder, net, known)
                store(builder, builder.select(less, net, known), length, at)

            walk(builder, data, count, lower)

        each_row(call, row)
        total = Total(builder)

        def add(at: ir.Value, lengths: ir.Value, inside: ir.Value) -> None:
            lengths = builder.select(inside, lengths, NOTHING)
            store(builder, lengths, length, at)
            total.add(lengths)

        walk(builder, length, call.args[3], add)
        return builder.fadd(builder.load(bound), total.found())

    return types.float64(a, work, sign, columns), codegen
