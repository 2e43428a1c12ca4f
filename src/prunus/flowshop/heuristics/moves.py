"""What it takes to move a job, for 32 jobs side by side, each in a lane of its own.

A descent asks of one job after another where it would be best, and 95 of 100 stay where they are.
So many are asked at once, of the sequence as it is; as long as none of them moves, the answers are
those of asking one after another.

Each lane has the whole sequence but for its own job, at its *hole*. It passes the columns of
Taillard's acceleration (see ``insertion``): first all tails, from the end, which are stored, then
the heads, from the beginning; with each column of heads come the makespans with the own job in the
*gap* there. What a lane leaves out takes no time in it, which changes no column.

Numbers are unsigned, of 16 bits if the makespans that count fit: 32 of them are a register of
AVX-512. Sums that do not fit are the largest number, which is never the least of several.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit import vector as v
from prunus.hardware.jit.compiled import inner
from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic
from prunus.hardware.jit.later import cgutils, ir, types
from prunus.model.arrays import AnyArray, Int64Array, UInt32Array
from prunus.treesearch.interval.cpu.aligned import aligned_zeros

LANES = v.BLOCK


class Lanes(NamedTuple):
    """What each of 32 lanes asks for, what it is answered, and the tables of one thread.

    Numbers are of the type of the times.
    """

    own: AnyArray
    """The processing times of the job that moves. Shape (machines, lanes)."""
    holes: AnyArray
    """Its place in the sequence; ``nowhere`` for a job that is not in it."""
    least: AnyArray
    """The least makespan with the job in another gap than those beside its hole."""
    gaps: AnyArray
    """The first such gap: in front of the job at that place of the sequence."""
    heads: AnyArray
    """Of one column. Shape (machines, lanes)."""
    tails: AnyArray
    """Shape (jobs + 1, machines, lanes)."""


def unsigned_times(processing_times: Int64Array, makespan: int) -> AnyArray:
    """Return the times in the narrowest unsigned type that holds such a makespan, and a few more.

    It is that of a schedule of all jobs.
    """
    most = max(makespan + makespan // 8, len(processing_times)) + 1
    kinds = np.uint16, np.uint32, np.uint64
    kind = next(kind for kind in kinds if most < np.iinfo(kind).max - 1)
    return np.array(processing_times, kind)


def lanes_for(times: AnyArray) -> Lanes:
    """Make the tables of one thread, for times of shape (jobs, machines)."""
    jobs, machines = times.shape

    def table(*rows: int) -> AnyArray:
        return aligned_zeros((*rows, LANES), times.dtype)

    return Lanes(
        own=table(machines),
        holes=table(),
        least=table(),
        gaps=table(),
        heads=table(machines),
        tails=table(jobs + 1, machines),
    )


@inner
def nowhere(lanes: Lanes) -> AnyArray:
    """Return the hole of a job that is not in the sequence: no gap is beside it, not even 0."""
    kind = lanes.holes.dtype.type
    hole: AnyArray = ~kind(1)
    return hole


def _larger(builder: ir.IRBuilder, one: ir.Value, other: ir.Value) -> ir.Value:
    return builder.select(builder.icmp_unsigned(">", one, other), one, other)


def _sum(builder: ir.IRBuilder, one: ir.Value, other: ir.Value) -> ir.Value:
    """Add; what does not fit is the largest number."""
    kind = one.type
    name = f"llvm.uadd.sat.v{LANES}i{kind.element.width}"
    add = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind, kind]), name)
    return builder.call(add, [one, other])


class _Step:
    """A job of the sequence that all lanes pass but those of which it is the own."""

    def __init__(self, call: Call, kind: ir.VectorType, hole: ir.Value, k: ir.Value) -> None:
        self._builder, self._kind = call.builder, kind
        self.at = v.splat(self._builder, self._builder.trunc(k, kind.element), kind)
        is_passed = self._builder.icmp_unsigned("!=", hole, self.at)
        self._mask = self._builder.sext(is_passed, kind)
        self.after = cgutils.alloca_once_value(self._builder, v.constant(kind, 0))

    def passed(self, column: ir.Value, time: ir.Value) -> ir.Value:
        """Pass the next machine, which has a column and a time; return the new column."""
        builder = self._builder
        takes = builder.and_(v.splat(builder, builder.load(time), self._kind), self._mask)
        done = _sum(builder, _larger(builder, builder.load(self.after), column), takes)
        builder.store(done, self.after)
        return done


@intrinsic
def _pass_tails(
    times: types.Array,
    job: types.Integer,
    k: types.Integer,
    holes: types.Array,
    tails: types.Array,
) -> Intrinsic:
    """Compute the tails of column ``k``, where ``job`` is, from those behind it."""

    def codegen(call: Call) -> ir.Value:
        builder = call.builder
        times_p, holes_p, tails_p = call.data(0), call.data(3), call.data(4)
        job_v, k_v = call.args[1:3]
        word, machines = job_v.type, call.extent(0, 1)
        kind = v.vector(times_p.type.pointee)
        last = builder.sub(machines, word(1))
        lanes = word(LANES)
        column = builder.add(builder.mul(k_v, machines), last)
        here = builder.gep(tails_p, [builder.mul(column, lanes)])
        behind = builder.gep(here, [builder.mul(machines, lanes)])
        time = builder.gep(times_p, [builder.add(builder.mul(job_v, machines), last)])
        step = _Step(call, kind, v.load(builder, holes_p, word(0), kind), k_v)
        with cgutils.for_range(builder, machines) as loop:
            down = builder.neg(loop.index)
            row = builder.mul(down, lanes)
            tail = step.passed(v.load(builder, behind, row, kind), builder.gep(time, [down]))
            v.store(builder, tail, here, row)
        return call.context.get_dummy_value()

    return types.void(times, types.int64, types.int64, holes, tails), codegen


@intrinsic
def _pass_heads(
    times: types.Array, job: types.Integer, k: types.Integer, lanes: types.BaseNamedTuple
) -> Intrinsic:
    """Put the own jobs into gap ``k``; then pass ``job``, which is behind it."""

    def codegen(call: Call) -> ir.Value:
        builder = call.builder
        _, job_v, k_v, lanes_v = call.args
        word, machines = job_v.type, call.extent(0, 1)
        own, holes, least, gaps, heads, tails = (
            call.address(*v.tuple_field(builder, lanes, lanes_v, name)) for name in Lanes._fields
        )
        kind, zero = v.vector(own.type.pointee), word(0)
        time = builder.gep(call.data(0), [builder.mul(job_v, machines)])
        tails = builder.gep(tails, [builder.mul(builder.mul(k_v, machines), word(LANES))])
        hole = v.load(builder, holes, zero, kind)
        step = _Step(call, kind, hole, k_v)
        inserted = cgutils.alloca_once_value(builder, v.constant(kind, 0))
        makespan = cgutils.alloca_once_value(builder, v.constant(kind, 0))
        with cgutils.for_range(builder, machines) as loop:
            row = builder.mul(loop.index, word(LANES))
            head = v.load(builder, heads, row, kind)
            done = _larger(builder, builder.load(inserted), head)
            done = _sum(builder, done, v.load(builder, own, row, kind))
            builder.store(done, inserted)
            whole = _sum(builder, done, v.load(builder, tails, row, kind))
            builder.store(_larger(builder, builder.load(makespan), whole), makespan)
            v.store(builder, step.passed(head, builder.gep(time, [loop.index])), heads, row)
        before = builder.sub(step.at, v.constant(kind, 1))
        found, best = builder.load(makespan), v.load(builder, least, zero, kind)
        is_less = builder.icmp_unsigned("<", found, best)
        for own_gap in (step.at, before):
            is_less = builder.and_(is_less, builder.icmp_unsigned("!=", hole, own_gap))
        gap = v.load(builder, gaps, zero, kind)
        v.store(builder, builder.select(is_less, found, best), least, zero)
        v.store(builder, builder.select(is_less, step.at, gap), gaps, zero)
        return call.context.get_dummy_value()

    return types.void(times, types.int64, types.int64, lanes), codegen


@inner
def ask_for(times: AnyArray, lane: int, job: int, hole: int, lanes: Lanes) -> None:
    """Have a lane ask where ``job`` is best, of which ``hole`` is the place in the sequence."""
    for i in range(times.shape[1]):
        lanes.own[i, lane] = times[job, i]
    lanes.holes[lane] = hole


@inner
def rate_moves(times: AnyArray, sequence: UInt32Array, size: int, lanes: Lanes) -> None:
    """Write to ``lanes`` where each of their jobs is best among the ``size`` of the sequence."""
    for lane in range(LANES):
        lanes.least[lane] = nowhere(lanes)
        lanes.gaps[lane] = 0
        for i in range(times.shape[1]):
            lanes.heads[i, lane] = 0
            lanes.tails[size, i, lane] = 0
    for k in range(size - 1, -1, -1):
        _pass_tails(times, np.int64(sequence[k]), k, lanes.holes, lanes.tails)
    for k in range(size + 1):
        # Nothing comes behind the last gap, whatever is passed there.
        job = np.int64(sequence[k]) if k < size else 0
        _pass_heads(times, job, k, lanes)
