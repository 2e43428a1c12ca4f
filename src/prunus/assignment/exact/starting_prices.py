"""Prices to start with in a square matrix: most rows then find a column of their own.

Where rows want different columns: the least cost of every column, of what is left above the least
of every row. Where they want the same ones: soft minima of the columns, if their bound is better.
At a temperature t the price that an assignment spread by ``exp(-cost / t)`` gives a column is about
``mean - variance / 2t`` of the costs in it, each less the mean of its row: the first two cumulants
(R. Sinkhorn's scaling; M. Cuturi, Sinkhorn distances, NIPS 2013). With t the root of the mean
variance these are the very prices of an optimum if costs are products of evenly spread numbers.
"""

from __future__ import annotations

import math

import numpy as np

from prunus.assignment.exact.vector_lanes import (
    FINAL,
    FLOAT,
    FLOATS,
    INFINITY,
    LANES,
    LENGTH,
    NOTHING,
    PARENT,
    PRICE,
    all_lanes,
    column_arrays,
    less_than,
    load,
    reduced,
    store,
    walk,
)
from prunus.hardware.jit.compiled import inner
from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic
from prunus.hardware.jit.later import cgutils, ir, types
from prunus.model.arrays import FloatArray, Int64Array

_COARSE = 2.0**40
"""Prices are multiples of some 2^-12 of the temperature, so that sums with them are exact."""

_FAR = 2.0**16
"""And of some 2^-36 of the mean."""

_TINY = 1e-300
"""Nothing is divided by 0."""


@intrinsic
def _tighten(row: types.Array, work: types.Array, sign: types.Float) -> Intrinsic:
    """Return the least of cost less price in a row, and lower every length to cost less that."""

    def codegen(call: Call) -> ir.Value:
        builder = call.builder
        price, length = column_arrays(call)[: LENGTH + 1]
        signs = all_lanes(builder, call.args[2], FLOATS)
        least = cgutils.alloca_once_value(builder, INFINITY)

        def find(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
            net = builder.fsub(builder.fmul(signs, values), load(builder, price, at, FLOATS))
            before = builder.load(least)
            lower = builder.and_(inside, builder.fcmp_ordered("<", net, before))
            builder.store(builder.select(lower, net, before), least)

        walk(builder, call.data(0), call.extent(0, 0), find)
        worth = reduced(builder, builder.load(least), "fmin", "f64")
        worths = all_lanes(builder, worth, FLOATS)

        def lower(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
            net = builder.fsub(builder.fmul(signs, values), worths)
            known = load(builder, length, at, FLOATS)
            less = builder.fcmp_ordered("<", net, known)
            store(builder, builder.select(less, net, known), length, at)

        walk(builder, call.data(0), call.extent(0, 0), lower)
        return worth

    return types.float64(row, work, sign), codegen


@intrinsic
def _add_moments(
    row: types.Array, work: types.Array, sign: types.Float, part: types.Float
) -> Intrinsic:
    """Add a row less its mean to lengths, and squares of that to final ones; return the mean.

    That is ``part`` of the sum. Infinite costs do not count in it, but in lengths.
    """

    def codegen(call: Call) -> ir.Value:
        builder = call.builder
        data, count = call.data(0), call.extent(0, 0)
        arrays = column_arrays(call)
        length, squares = arrays[LENGTH], arrays[FINAL]
        signs = all_lanes(builder, call.args[2], FLOATS)
        total = cgutils.alloca_once_value(builder, NOTHING)

        def add(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
            cost = builder.fmul(signs, values)
            there = builder.and_(inside, less_than(builder, cost, INFINITY))
            cost = builder.select(there, cost, NOTHING)
            builder.store(builder.fadd(builder.load(total), cost), total)

        walk(builder, data, count, add)
        kind = ir.FunctionType(FLOAT, [FLOAT, FLOATS])
        name = f"llvm.vector.reduce.fadd.v{LANES}f64"
        added = cgutils.get_or_insert_function(builder.module, kind, name)
        mean = builder.call(added, [FLOAT(0.0), builder.load(total)], fastmath=("reassoc",))
        mean = builder.fmul(mean, call.args[3])
        means = all_lanes(builder, mean, FLOATS)

        def spread(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
            above = builder.fsub(builder.fmul(signs, values), means)
            store(builder, builder.fadd(load(builder, length, at, FLOATS), above), length, at)
            square = builder.fmul(above, above)
            store(builder, builder.fadd(load(builder, squares, at, FLOATS), square), squares, at)

        walk(builder, data, count, spread)
        return mean

    return types.float64(row, work, sign, part), codegen


@inner
def raise_prices(a: FloatArray, sign: float, work: Int64Array) -> float:
    """Make every price as high as what rows have at these prices allows; return a lower bound.

    Of a square matrix, which may have more columns without a finite cost. Minus infinity, and
    prices of 0, if a row or another column has none either.
    """
    n, size = a.shape[0], work.shape[1]
    floats = work.view(np.float64)
    price, length = floats[PRICE], floats[LENGTH]
    bound = 0.0
    for j in range(size):
        length[j] = np.inf
    for i in range(n):
        bound += _tighten(a[i], work, sign)
    for j in range(n):
        bound += length[j]
    proven = -np.inf < bound < np.inf
    for j in range(size):
        price[j] = length[j] if proven and j < n else 0.0
    return bound if proven else -np.inf


@inner
def soften_prices(a: FloatArray, sign: float, work: Int64Array) -> None:
    """Set prices to soft minima of columns, and keep those before in place of parents."""
    n, size = a.shape[0], work.shape[1]
    floats = work.view(np.float64)
    price, total, before, squares = floats[PRICE], floats[LENGTH], floats[PARENT], floats[FINAL]
    for j in range(size):
        before[j] = price[j]
        total[j] = 0.0
        squares[j] = 0.0
    part = 1.0 / n
    overall = 0.0
    for i in range(n):
        overall += _add_moments(a[i], work, sign, part)
    variance = 0.0
    for j in range(n):
        total[j] *= part
        squares[j] = squares[j] * part - total[j] * total[j]
        variance += squares[j]
    temperature = math.sqrt(max(variance * part, 0.0)) + _TINY
    rounding = max(temperature * _COARSE, abs(overall * part) * _FAR)
    half = 0.5 / temperature
    for j in range(n):
        price[j] = (total[j] - squares[j] * half + rounding) - rounding


@inner
def unsoften_prices(work: Int64Array) -> None:
    """Take the prices from before they were softened."""
    for j in range(work.shape[1]):
        work[PRICE, j] = work[PARENT, j]
