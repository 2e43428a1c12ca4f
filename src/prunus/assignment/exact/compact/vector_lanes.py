"""Vectors of eight 64-bit numbers for compiled code: rows gone through eight columns at a time.

LLVM does not vectorise loops that keep the least value of floats and where it was: the vectors are
written out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from prunus.hardware.jit.intrinsics import Call
from prunus.hardware.jit.later import cgutils, ir
from prunus.hardware.jit.vector import load, splat, store

LANES = 8
"""Columns that are looked at together."""

PRICE, LENGTH, TAKEN, PARENT, FINAL = range(5)
"""Rows of ``work``: prices; lengths of the shortest ways; 0 for a free column, else infinity, as
float64; the step of the search in which each column was found, as int64; final lengths, in the
order in which they became that."""

FLOAT, WORD, BIT = ir.DoubleType(), ir.IntType(64), ir.IntType(1)
FLOATS, WORDS, BITS = (ir.VectorType(kind, LANES) for kind in (FLOAT, WORD, BIT))
LANE = ir.Constant(WORDS, list(range(LANES)))
INFINITY = ir.Constant(FLOATS, [float("inf")] * LANES)
NOTHING = ir.Constant(FLOATS, [0.0] * LANES)
LOWEST = ir.Constant(FLOATS, [float("-inf")] * LANES)
NOWHERE = ir.Constant(WORDS, [2**62] * LANES)

Body: TypeAlias = "Callable[[ir.Value, ir.Value, ir.Value], None]"


def less_than(builder: ir.IRBuilder, a: ir.Value, b: ir.Value) -> ir.Value:
    return builder.fcmp_ordered("<", a, b)


def cost_less(
    builder: ir.IRBuilder, signs: ir.Value, values: ir.Value, worth: ir.Value
) -> ir.Value:
    """Return ``signs * values - worth``: signs are 1 or -1, so that it is rounded once at most."""
    kind = ir.FunctionType(FLOATS, [FLOATS] * 3)
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fmuladd.v{LANES}f64")
    return builder.call(function, [signs, values, builder.fneg(worth)])


def reduced(builder: ir.IRBuilder, value: ir.Value, how: str, name: str) -> ir.Value:
    """Reduce a vector to a scalar, none of it being NaN."""
    kind = ir.FunctionType(value.type.element, [value.type])
    function = cgutils.get_or_insert_function(
        builder.module, kind, f"llvm.vector.reduce.{how}.v{LANES}{name}"
    )
    return builder.call(function, [value], fastmath=("nnan",) if how == "fmin" else ())


def walk(builder: ir.IRBuilder, row: ir.Value, count: ir.Value, body: Body) -> None:
    """Emit ``body(offset, values of the row, lanes that are in it)`` for all blocks of a row."""
    whole = builder.and_(count, WORD(-LANES))
    with cgutils.for_range_slice(builder, WORD(0), whole, WORD(LANES), WORD) as (offset, _):
        body(offset, load(builder, row, offset, FLOATS), ir.Constant(BITS, [1] * LANES))
    with builder.if_then(builder.icmp_signed("<", whole, count)):
        left = splat(builder, builder.sub(count, whole), WORDS)
        inside = builder.icmp_signed("<", LANE, left)
        address = builder.bitcast(builder.gep(row, [whole]), FLOATS.as_pointer())
        kind = ir.FunctionType(FLOATS, [address.type, ir.IntType(32), BITS, FLOATS])
        name = f"llvm.masked.load.v{LANES}f64.p0"
        masked = cgutils.get_or_insert_function(builder.module, kind, name)
        values = builder.call(masked, [address, ir.IntType(32)(8), inside, NOTHING])
        body(whole, values, inside)


def each_row(call: Call, body: Callable[[ir.Value, ir.Value], None]) -> None:
    """Emit ``body(address of the row, columns)`` for all rows of a matrix, the first argument."""
    builder, data, columns = call.builder, call.data(0), call.extent(0, 1)
    with cgutils.for_range(builder, call.extent(0, 0), intp=WORD) as loop:
        body(builder.gep(data, [builder.mul(loop.index, columns)]), columns)


def fill(
    builder: ir.IRBuilder, data: ir.Value, count: ir.Value, vector: Callable[[ir.Value], ir.Value]
) -> None:
    """Emit stores of ``vector(offset)`` all over an array of whole lanes."""
    with cgutils.for_range_slice(builder, WORD(0), count, WORD(LANES), WORD) as (offset, _):
        store(builder, vector(offset), data, offset)


class Least:
    """The least value so far in each lane, and the offset of the block in which it was."""

    def __init__(self, builder: ir.IRBuilder) -> None:
        self.builder = builder
        self.value = cgutils.alloca_once_value(builder, INFINITY)
        self.place = cgutils.alloca_once_value(builder, ir.Constant(WORDS, [0] * LANES))

    def take(self, value: ir.Value, here: ir.Value) -> ir.Value:
        """Compare with a block, whose offset all lanes of ``here`` are; return what is more."""
        builder = self.builder
        before = builder.load(self.value)
        less = less_than(builder, value, before)
        builder.store(builder.select(less, value, before), self.value)
        builder.store(builder.select(less, here, builder.load(self.place)), self.place)
        return builder.select(less, before, value)

    def found(self) -> tuple[ir.Value, ir.Value]:
        """Return the least of all lanes, and its column."""
        builder = self.builder
        values = builder.load(self.value)
        least = reduced(builder, values, "fmin", "f64")
        there = builder.fcmp_ordered("==", values, splat(builder, least, FLOATS))
        places = builder.select(there, self.columns(), NOWHERE)
        return least, reduced(builder, places, "smin", "i64")

    def columns(self) -> ir.Value:
        """Return the column of the least of each lane."""
        return self.builder.add(self.builder.load(self.place), LANE)


class Total:
    """The sum so far in each lane."""

    def __init__(self, builder: ir.IRBuilder) -> None:
        self._builder = builder
        self._value = cgutils.alloca_once_value(builder, NOTHING)

    def add(self, value: ir.Value) -> None:
        before = self._builder.load(self._value)
        self._builder.store(self._builder.fadd(before, value), self._value)

    def found(self) -> ir.Value:
        """Return the sum of all lanes, in whatever order is fastest."""
        kind = ir.FunctionType(FLOAT, [FLOAT, FLOATS])
        name = f"llvm.vector.reduce.fadd.v{LANES}f64"
        function = cgutils.get_or_insert_function(self._builder.module, kind, name)
        values = self._builder.load(self._value)
        return self._builder.call(function, [FLOAT(0.0), values], fastmath=("reassoc",))


def columns_at(builder: ir.IRBuilder, offset: ir.Value) -> ir.Value:
    """Return the columns of a block."""
    return builder.add(splat(builder, offset, WORDS), LANE)


def column_arrays(call: Call) -> list[ir.Value]:
    """Return the addresses of what is known of the columns: the first rows of ``work``."""
    builder, data, size = call.builder, call.data(1), call.extent(1, 1)
    rows = [builder.gep(data, [builder.mul(size, WORD(k))]) for k in range(FINAL + 1)]
    for k in (PRICE, LENGTH, TAKEN, FINAL):
        rows[k] = builder.bitcast(rows[k], FLOAT.as_pointer())
    return rows
