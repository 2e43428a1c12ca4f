"""LB1, the one-machine bound, of all children of a node at once: children in vector lanes.

A child's bound is the largest, over the machines, of its start there plus the work left there plus
the least tail after it: ``max(start + load)`` in terms of the row that ``state`` describes
(Lageweg, Lenstra, Rinnooy Kan 1978). Both directions of a block of jobs share one pass over the
machines; the running times and bounds stay in registers.
"""

from __future__ import annotations

from prunus.hardware.jit import vector as v
from prunus.hardware.jit.compiled import inner
from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic
from prunus.hardware.jit.later import cgutils, ir, types
from prunus.model.arrays import AnyArray, UInt32Array

BLOCK = v.BLOCK


class _Walk:
    """One direction's pass over the machines: pointers that move, and the running values."""

    def __init__(
        self,
        builder: ir.IRBuilder,
        kind: ir.VectorType,
        pointers: list[ir.Value],
        strides: list[ir.Value],
    ) -> None:
        self.builder, self.kind, self.strides = builder, kind, strides
        self.pointers = [cgutils.alloca_once_value(builder, p) for p in pointers]
        self.time = cgutils.alloca_once_value(builder, v.constant(kind, 0))
        self.bound = cgutils.alloca_once_value(builder, v.constant(kind, 0))

    def step(self) -> None:
        builder, kind = self.builder, self.kind
        times, free, load = (builder.load(p) for p in self.pointers)
        start = v.maximum(
            builder, builder.load(self.time), v.splat(builder, builder.load(free), kind)
        )
        value = builder.add(start, v.splat(builder, builder.load(load), kind))
        builder.store(v.maximum(builder, builder.load(self.bound), value), self.bound)
        p = v.load(builder, times, self.strides[0].type(0), kind)
        builder.store(builder.add(start, p), self.time)
        for cell, pointer, stride in zip(
            self.pointers, (times, free, load), self.strides, strict=True
        ):
            builder.store(builder.gep(pointer, [stride]), cell)


@intrinsic
def _bound_block(
    times: types.Array,
    offset: types.Integer,
    state: types.Array,
    bounds: types.Array,
    cutoff: types.Integer,
    level: types.Integer,
) -> Intrinsic:
    """Bound a block of jobs both ways; store the bounds, return two masks of those to keep."""

    def codegen(call: Call) -> ir.Value:
        builder = call.builder
        times_p, state_p, bounds_p = call.data(0), call.data(2), call.data(3)
        _, offset_v, _, _, ub_v, level_v = call.args
        word = offset_v.type
        machines_v, lanes_v = call.extent(0, 0), call.extent(0, 1)
        width_v = builder.lshr(call.extent(2, 1), word(2))
        element = times_p.type.pointee
        kind = v.vector(element)
        row = builder.gep(state_p, [builder.mul(level_v, builder.shl(width_v, word(2)))])
        out = builder.gep(bounds_p, [builder.mul(level_v, builder.shl(lanes_v, word(1)))])
        last = builder.sub(machines_v, word(1))
        parts = [builder.gep(row, [builder.mul(width_v, word(i))]) for i in range(4)]
        first_times = builder.gep(times_p, [offset_v])
        last_times = builder.gep(first_times, [builder.mul(last, lanes_v)])
        forward = _Walk(
            builder, kind, [first_times, parts[0], parts[2]], [lanes_v, word(1), word(1)]
        )
        backward = _Walk(
            builder,
            kind,
            [last_times, builder.gep(parts[1], [last]), builder.gep(parts[3], [last])],
            [builder.neg(lanes_v), word(-1), word(-1)],
        )
        with cgutils.for_range(builder, machines_v):
            forward.step()
            backward.step()

        limit = v.limit(builder, ub_v, kind)
        masks = []
        for walk, side in ((forward, word(0)), (backward, lanes_v)):
            value = builder.load(walk.bound)
            v.store(builder, value, out, builder.add(side, offset_v))
            below = builder.icmp_signed("<", value, limit)
            masks.append(builder.zext(builder.bitcast(below, ir.IntType(BLOCK)), word))
        return builder.or_(masks[0], builder.shl(masks[1], word(32)))

    i8 = types.int64
    return types.uint64(times, i8, state, bounds, i8, i8), codegen


@intrinsic
def _difference_block(
    bounds: types.Array,
    lanes: types.Integer,
    offset: types.Integer,
    mask: types.Integer,
    level: types.Integer,
) -> Intrinsic:
    """Sum (forward bound - backward bound) over the lanes of ``mask`` in one block."""

    def codegen(call: Call) -> ir.Value:
        builder, args = call.builder, call.args
        data = call.data(0)
        data = builder.gep(data, [builder.mul(args[4], builder.shl(args[1], args[1].type(1)))])
        element = data.type.pointee
        kind = v.vector(element)
        wide = ir.IntType(32 if element.width == 16 else 64)
        forward = v.load(builder, data, args[2], kind)
        backward = v.load(builder, data, builder.add(args[1], args[2]), kind)
        if element.width < wide.width:
            forward = builder.sext(forward, v.vector(wide))
            backward = builder.sext(backward, v.vector(wide))
        bits = builder.trunc(args[3], ir.IntType(BLOCK))
        kept = builder.select(
            builder.bitcast(bits, v.vector(ir.IntType(1))),
            builder.sub(forward, backward),
            v.constant(v.vector(wide), 0),
        )
        reduce = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(wide, [v.vector(wide)]),
            f"llvm.vector.reduce.add.v{BLOCK}i{wide.width}",
        )
        total = builder.call(reduce, [kept])
        return builder.sext(total, ir.IntType(64)) if wide.width < 64 else total

    i8 = types.int64
    return i8(bounds, i8, i8, types.uint64, i8), codegen


@inner
def bound_children(
    times: AnyArray,
    state: AnyArray,
    level: int,
    free: UInt32Array,
    cutoff: int,
    bounds: AnyArray,
    survivors: UInt32Array,
) -> None:
    """Bound every free job of a node as the next one in front and as the next one at the back.

    Arrays are passed whole, with the node's level beside them: ``times``, (machines, lanes), with
    the jobs padded to whole blocks of lanes; ``state``, (levels, 4 * width); and ``free``, (levels,
    words), which holds the unscheduled jobs, one bit each. Children whose bound is at least the
    cutoff are pruned. Written are row ``level`` of ``bounds``, (levels, 2, lanes), of the forward
    and of the backward children, undefined in lanes of other jobs; and ``survivors``, (2, words),
    the children that survive in each direction, one bit each.
    """
    for word in range(free.shape[1]):
        here = free[level, word]
        if here == 0:
            survivors[0, word] = 0
            survivors[1, word] = 0
            continue
        both = _bound_block(times, word * BLOCK, state, bounds, cutoff, level)
        survivors[0, word] = here & (both & 0xFFFFFFFF)
        survivors[1, word] = here & (both >> 32)


@inner
def bound_difference(bounds: AnyArray, level: int, free: UInt32Array) -> int:
    """Sum of forward bounds minus sum of backward bounds over a node's free jobs."""
    total = 0
    lanes = bounds.shape[2]
    for word in range(free.shape[1]):
        if free[level, word] != 0:
            total += _difference_block(bounds, lanes, word * BLOCK, free[level, word], level)
    return total
