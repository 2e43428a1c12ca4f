"""Prices to start with where all rows of a square matrix want the same columns: soft minima.

At a temperature t the price that an assignment spread by ``exp(-cost / t)`` gives a column is about
``mean - variance / 2t`` of the costs in it, each less the mean of its row: the first two cumulants
(R. Sinkhorn's scaling; M. Cuturi, Sinkhorn distances, NIPS 2013). With t the root of the mean
variance these are the very prices of an optimum if costs are products of evenly spread numbers.
"""

from __future__ import annotations

from prunus.assignment.exact.compact.vector_lanes import (
    FLOAT,
    FLOATS,
    NOTHING,
    Total,
    column_arrays,
    cost_less,
    each_row,
    fill,
    walk,
)
from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic
from prunus.hardware.jit.later import cgutils, ir, types
from prunus.hardware.jit.vector import load, splat, store

_COARSE = 2.0**40
"""Prices are multiples of some 2^-12 of the temperature, so that sums with them are exact."""

_FAR = 2.0**16
"""And of some 2^-36 of the mean."""

_TINY = 1e-300
"""Nothing is divided by 0."""


@intrinsic
def soften_prices(
    a: types.Array, work: types.Array, sign: types.Float, columns: types.Integer
) -> Intrinsic:
    """Set final lengths to soft minima of the columns of a square matrix; lengths are lost.

    They are not finite where a cost is not, but beyond the columns.
    """

    def codegen(call: Call) -> ir.Value:
        builder, columns = call.builder, call.args[3]
        _, length, _, _, final = column_arrays(call)
        signs = splat(builder, call.args[2], FLOATS)
        part = builder.fdiv(FLOAT(1.0), builder.sitofp(columns, FLOAT))
        parts = splat(builder, part, FLOATS)
        means = cgutils.alloca_once_value(builder, FLOAT(0.0))
        sums, squares = length, final
        for moments in (sums, squares):
            fill(builder, moments, call.extent(1, 1), lambda at: NOTHING)

        def row(data: ir.Value, _: ir.Value) -> None:
            total = Total(builder)

            def add(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
                total.add(builder.select(inside, builder.fmul(signs, values), NOTHING))

            walk(builder, data, columns, add)
            mean = builder.fmul(total.found(), part)
            builder.store(builder.fadd(builder.load(means), mean), means)
            center = splat(builder, mean, FLOATS)

            def spread(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
                above = cost_less(builder, signs, values, center)
                for moment, power in ((sums, above), (squares, builder.fmul(above, above))):
                    known = load(builder, moment, at, FLOATS)
                    store(builder, builder.fadd(known, power), moment, at)

            walk(builder, data, columns, spread)

        each_row(call, row)
        total = Total(builder)

        def mean_and_variance(at: ir.Value, values: ir.Value) -> tuple[ir.Value, ir.Value]:
            mean = builder.fmul(values, parts)
            square = builder.fmul(load(builder, squares, at, FLOATS), parts)
            return mean, builder.fsub(square, builder.fmul(mean, mean))

        def add(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
            total.add(builder.select(inside, mean_and_variance(at, values)[1], NOTHING))

        walk(builder, sums, columns, add)
        temperature = _of_one(builder, "sqrt", builder.fmul(total.found(), part))
        temperature = builder.fadd(temperature, FLOAT(_TINY))
        far = _of_one(builder, "fabs", builder.fmul(builder.load(means), part))
        far = builder.fmul(far, FLOAT(_FAR))
        rounding = builder.fadd(builder.fmul(temperature, FLOAT(_COARSE)), far)
        rounding = splat(builder, rounding, FLOATS)
        half = splat(builder, builder.fdiv(FLOAT(0.5), temperature), FLOATS)

        def soften(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
            mean, variance = mean_and_variance(at, values)
            price = builder.fsub(mean, builder.fmul(variance, half))
            price = builder.fsub(builder.fadd(price, rounding), rounding)
            store(builder, builder.select(inside, price, NOTHING), final, at)

        walk(builder, sums, columns, soften)
        return call.context.get_dummy_value()

    return types.void(a, work, sign, columns), codegen


def _of_one(builder: ir.IRBuilder, name: str, value: ir.Value) -> ir.Value:
    """Call a function of one float that LLVM knows."""
    kind = ir.FunctionType(FLOAT, [FLOAT])
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.f64")
    return builder.call(function, [value])
