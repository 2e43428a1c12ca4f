"""Looking at a whole row in vector lanes, eight columns at a time: what the compact kernel does.

A row is read as costs, ``sign * row[j]``, with infinity for a forbidden pair. What is known of the
columns are arrays of a multiple of eight words, the rows of one array ``work``. LLVM does not
vectorise loops that keep the least value of floats and where it was: the vectors are written out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic
from prunus.hardware.jit.later import cgutils, ir, types

LANES = 8
"""Columns that are looked at together."""

PRICE, LENGTH, TAKEN, PARENT = range(4)
"""Rows of ``work``: prices; lengths of the shortest ways; 0 for a free column, else infinity, as
float64; and the row before each column on its way, as int64."""

ARRAYS = 9
"""Arrays of what is known of the columns and rows."""

STACKED_COLUMNS, STACKED_ENTRIES = 128, 1024
"""Up to so many columns and entries all is on the stack: to allocate takes as long as to solve."""

_FLOAT, _WORD, _BIT = ir.DoubleType(), ir.IntType(64), ir.IntType(1)
_FLOATS, _WORDS, _BITS = (ir.VectorType(kind, LANES) for kind in (_FLOAT, _WORD, _BIT))
_LANE = ir.Constant(_WORDS, list(range(LANES)))
_INFINITY = ir.Constant(_FLOATS, [float("inf")] * LANES)
_LOWEST = ir.Constant(_FLOATS, [float("-inf")] * LANES)
_NOWHERE = ir.Constant(_WORDS, [2**62] * LANES)

Body: TypeAlias = "Callable[[ir.Value, ir.Value, ir.Value], None]"


@intrinsic
def workspace(columns: types.Integer) -> Intrinsic:
    """Return ``work`` for at most ``STACKED_COLUMNS`` columns, on the stack of the caller."""
    kind = types.Array(types.int64, 2, "C")

    def codegen(call: Call) -> ir.Value:
        return _on_stack(call, kind, ARRAYS * STACKED_COLUMNS, _WORD(ARRAYS), call.args[0])

    return kind(types.int64), codegen


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
    from numba.np.arrayobj import populate_array

    builder = call.builder
    with builder.goto_entry_block():
        words = builder.alloca(ir.ArrayType(_WORD, most))  # Numba's own would be filled with zeros
    array = call.context.make_array(kind)(call.context, builder)
    size = builder.and_(builder.add(columns, _WORD(LANES - 1)), _WORD(-LANES))
    populate_array(
        array,
        data=builder.bitcast(words, array.data.type),
        shape=(rows, size),
        strides=(builder.mul(size, _WORD(8)), _WORD(8)),
        itemsize=_WORD(8),
        meminfo=None,
    )
    return array._getvalue()


def _all(builder: ir.IRBuilder, scalar: ir.Value, kind: ir.VectorType) -> ir.Value:
    """Return a vector whose lanes all hold a scalar."""
    undefined = ir.Constant(kind, ir.Undefined)
    one = builder.insert_element(undefined, scalar, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, undefined, zeros)


def _load(builder: ir.IRBuilder, data: ir.Value, at: ir.Value, kind: ir.VectorType) -> ir.Value:
    address = builder.bitcast(builder.gep(data, [at]), kind.as_pointer())
    return builder.load(address, align=8)


def _store(builder: ir.IRBuilder, value: ir.Value, data: ir.Value, at: ir.Value) -> None:
    address = builder.bitcast(builder.gep(data, [at]), value.type.as_pointer())
    builder.store(value, address, align=8)


def _less(builder: ir.IRBuilder, a: ir.Value, b: ir.Value) -> ir.Value:
    return builder.fcmp_ordered("<", a, b)


def _reduced(builder: ir.IRBuilder, value: ir.Value, how: str, name: str) -> ir.Value:
    """Reduce a vector to a scalar, none of it being NaN."""
    kind = ir.FunctionType(value.type.element, [value.type])
    function = cgutils.get_or_insert_function(
        builder.module, kind, f"llvm.vector.reduce.{how}.v{LANES}{name}"
    )
    return builder.call(function, [value], fastmath=("nnan",) if how == "fmin" else ())


def _walk(builder: ir.IRBuilder, row: ir.Value, count: ir.Value, body: Body) -> None:
    """Emit ``body(offset, values of the row, lanes that are in it)`` for all blocks of a row."""
    whole = builder.and_(count, _WORD(-LANES))
    with cgutils.for_range_slice(builder, _WORD(0), whole, _WORD(LANES), _WORD) as (offset, _):
        body(offset, _load(builder, row, offset, _FLOATS), ir.Constant(_BITS, [1] * LANES))
    with builder.if_then(builder.icmp_signed("<", whole, count)):
        # Lanes beyond the end hold the block's first value again: nothing is read outside.
        values = ir.Constant(_FLOATS, ir.Undefined)
        for lane in range(LANES):
            at = builder.add(whole, _WORD(lane))
            at = builder.select(builder.icmp_signed("<", at, count), at, whole)
            value = builder.load(builder.gep(row, [at]))
            values = builder.insert_element(values, value, ir.IntType(32)(lane))
        left = _all(builder, builder.sub(count, whole), _WORDS)
        body(whole, values, builder.icmp_signed("<", _LANE, left))


class _Least:
    """The least value so far in each lane, and in which block it was."""

    def __init__(self, builder: ir.IRBuilder) -> None:
        self.builder = builder
        self.value = cgutils.alloca_once_value(builder, _INFINITY)
        self.place = cgutils.alloca_once_value(builder, ir.Constant(_WORDS, [0] * LANES))

    def take(self, value: ir.Value, here: ir.Value) -> ir.Value:
        """Compare with a block of the columns ``here``; return what is more."""
        builder = self.builder
        before = builder.load(self.value)
        less = _less(builder, value, before)
        builder.store(builder.select(less, value, before), self.value)
        builder.store(builder.select(less, here, builder.load(self.place)), self.place)
        return builder.select(less, before, value)

    def found(self) -> tuple[ir.Value, ir.Value]:
        """Return the least of all lanes, and its column."""
        builder = self.builder
        values = builder.load(self.value)
        least = _reduced(builder, values, "fmin", "f64")
        there = builder.fcmp_ordered("==", values, _all(builder, least, _FLOATS))
        places = builder.select(there, builder.load(self.place), _NOWHERE)
        return least, _reduced(builder, places, "smin", "i64")


def _here(builder: ir.IRBuilder, offset: ir.Value) -> ir.Value:
    """Return the columns of a block."""
    return builder.add(_all(builder, offset, _WORDS), _LANE)


def _columns(call: Call) -> list[ir.Value]:
    """Return the addresses of what is known of the columns: prices, lengths, taken, parents."""
    builder, data, size = call.builder, call.data(1), call.extent(1, 1)
    rows = [builder.gep(data, [builder.mul(size, _WORD(k))]) for k in range(4)]
    return [builder.bitcast(row, _FLOAT.as_pointer()) for row in rows[:PARENT]] + rows[PARENT:]


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
        price, length, taken, parent = _columns(call)
        signs, offsets = (_all(builder, args[k], _FLOATS) for k in (2, 3))
        rows, now_final = (_all(builder, args[k], _WORDS) for k in (4, 5))
        nearest, free = _Least(builder), _Least(builder)

        def body(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
            here = _here(builder, at)
            cost = builder.fmul(signs, values)
            way = builder.fadd(offsets, builder.fsub(cost, _load(builder, price, at, _FLOATS)))
            way = builder.select(inside, way, _INFINITY)
            known = _load(builder, length, at, _FLOATS)
            # A store of one entry right before this load would hold the processor up.
            known = builder.select(builder.icmp_signed("==", here, now_final), _LOWEST, known)
            less = _less(builder, way, known)
            way = builder.select(less, way, known)
            _store(builder, way, length, at)
            over = builder.select(less, rows, _load(builder, parent, at, _WORDS))
            _store(builder, over, parent, at)
            final = builder.fcmp_ordered("==", way, _LOWEST)
            way = builder.select(final, _INFINITY, way)
            nearest.take(way, here)
            free.take(builder.fadd(way, _load(builder, taken, at, _FLOATS)), here)

        _walk(builder, call.data(0), call.extent(0, 0), body)
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
        price, _, taken, _ = _columns(call)
        signs = _all(builder, args[2], _FLOATS)
        best, second, free = (_Least(builder) for _ in range(3))

        def body(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
            here = _here(builder, at)
            net = builder.fsub(builder.fmul(signs, values), _load(builder, price, at, _FLOATS))
            net = builder.select(inside, net, _INFINITY)
            second.take(best.take(net, here), here)
            free.take(builder.fadd(net, _load(builder, taken, at, _FLOATS)), here)

        _walk(builder, call.data(0), call.extent(0, 0), body)
        least, where = best.found()
        # In the lane of the least value the second best counts, in all others the best.
        chosen = builder.icmp_signed("==", builder.load(best.place), _all(builder, where, _WORDS))
        others = builder.select(chosen, builder.load(second.value), builder.load(best.value))
        runner_up = _reduced(builder, others, "fmin", "f64")
        found = [least, where, runner_up, *free.found()]
        return call.context.make_tuple(builder, call.signature.return_type, found)

    kinds = types.float64, types.int64, types.float64, types.float64, types.int64
    return types.Tuple(kinds)(row, work, sign), codegen


@intrinsic
def unusable(row: types.Array, sign: types.Float, most: types.Float) -> Intrinsic:
    """Return 1 if a row has a NaN or a cost of minus infinity, plus 2 if one is beyond ``most``."""

    def codegen(call: Call) -> ir.Value:
        builder, args = call.builder, call.args
        signs, most = (_all(builder, args[k], _FLOATS) for k in (1, 2))
        none = ir.Constant(_BITS, [0] * LANES)
        bad, large = (cgutils.alloca_once_value(builder, none) for _ in range(2))

        def note(cell: ir.Value, where: ir.Value) -> None:
            builder.store(builder.or_(builder.load(cell), where), cell)

        def body(at: ir.Value, values: ir.Value, inside: ir.Value) -> None:
            cost = builder.fmul(signs, values)
            note(bad, builder.and_(inside, builder.fcmp_unordered("<=", cost, _LOWEST)))
            below = _less(builder, cost, builder.fneg(most))
            above = builder.and_(_less(builder, most, cost), _less(builder, cost, _INFINITY))
            note(large, builder.and_(inside, builder.or_(below, above)))

        _walk(builder, call.data(0), call.extent(0, 0), body)
        flags = [_reduced(builder, builder.load(cell), "or", "i1") for cell in (bad, large)]
        one, two = (builder.zext(flag, _WORD) for flag in flags)
        return builder.or_(one, builder.shl(two, _WORD(1)))

    return types.int64(row, sign, most), codegen
