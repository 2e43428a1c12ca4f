"""The state of a flow-shop node, and how a child's is made from its parent's.

A row has four parts of ``width`` values, one value a machine, padded to whole blocks of lanes:

``front``
    when each machine is free after the prefix (at the root, the least head of all jobs);
``back``
    the least time from the end of each machine's work to the end of the schedule, once the suffix
    is fixed (at the root, the least tail of all jobs);
``front_load``, ``back_load``
    the work left on each machine, plus ``back`` and plus ``front``.

Appending job j to the prefix is ``t = max(t, front) + p`` from machine to machine. With the sums
``c`` of the job's times up to each machine this is ``c + running maximum of (front - c before)``,
a scan over the machines that needs no loop over them. The suffix is the mirror image.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from prunus.flowshop.bounds.johnson import heads_and_tails
from prunus.hardware.jit import vector as v
from prunus.hardware.jit.compiled import inner
from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic
from prunus.hardware.jit.later import ir, types
from prunus.model.arrays import AnyArray, Int64Array

FORWARD, BACKWARD = 0, 1


def padded(count: int) -> int:
    """Return the next multiple of a block of lanes."""
    return -(-count // v.BLOCK) * v.BLOCK


def job_rows(times: Int64Array, kind: DTypeLike) -> AnyArray:
    """Lay out for ``descend`` each job's times and their sums up to and from each machine.

    The rows, shape (jobs, 3 * width), have three parts: the times, their sums from the first
    machine on, their sums from the last one back.
    """
    jobs, machines = times.shape
    rows = np.zeros((jobs, 3, padded(machines)), kind)
    rows[:, 0, :machines] = times
    rows[:, 1, :machines] = np.cumsum(times, 1)
    rows[:, 2, :machines] = np.cumsum(times[:, ::-1], 1)[:, ::-1]
    return rows.reshape(jobs, -1)


def root_state(times: Int64Array) -> Int64Array:
    """Return the root's row."""
    machines = times.shape[1]
    front, back = heads_and_tails(times)
    remaining = times.sum(0)
    row = np.zeros((4, padded(machines)), np.int64)
    row[:, :machines] = front, back, remaining + back, remaining + front
    return row.ravel()


@intrinsic
def _descend_block(
    rows: types.Array,
    job: types.Integer,
    state: types.Array,
    level: types.Integer,
    offset: types.Integer,
    direction: types.IntegerLiteral,
    carry: types.Integer,
) -> Intrinsic:
    """Write one block of machines of a child's state; return the carry for the next block."""
    if not isinstance(direction, types.IntegerLiteral):
        return None
    backward = bool(direction.literal_value)

    def codegen(call: Call) -> ir.Value:
        builder = call.builder
        rows_p, state_p = call.data(0), call.data(2)
        _, job_v, _, level_v, offset_v, _, carry_v = call.args
        element = rows_p.type.pointee
        kind = v.vector(element)
        word = offset_v.type
        width_v = builder.lshr(call.extent(2, 1), word(2))
        row = builder.gep(rows_p, [builder.mul(job_v, builder.mul(width_v, word(3)))])
        parent = builder.gep(state_p, [builder.mul(level_v, builder.shl(width_v, word(2)))])
        child = builder.gep(parent, [builder.shl(width_v, word(2))])

        def part(index: int) -> ir.Value:
            return builder.add(offset_v, builder.mul(width_v, word(index)))

        here, there = (1, 0) if backward else (0, 1)
        p = v.load(builder, row, part(0), kind)
        sums = v.load(builder, row, part(2 if backward else 1), kind)
        free = v.load(builder, parent, part(here), kind)
        ahead = builder.sub(free, builder.sub(sums, p))
        lowest = v.constant(kind, -(1 << (element.width - 1)))
        carried = builder.trunc(carry_v, element) if element.width < 64 else carry_v
        ahead = v.maximum(builder, ahead, v.splat(builder, carried, kind))
        lanes = 1
        while lanes < v.BLOCK:
            moved = v.shift(builder, ahead, -lanes if backward else lanes, lowest)
            ahead = v.maximum(builder, ahead, moved)
            lanes *= 2
        time = builder.add(ahead, sums)
        v.store(builder, time, child, part(here))
        v.store(builder, v.load(builder, parent, part(there), kind), child, part(there))
        load = builder.sub(v.load(builder, parent, part(2 + here), kind), p)
        v.store(builder, load, child, part(2 + here))
        load = builder.sub(v.load(builder, parent, part(2 + there), kind), p)
        load = builder.add(load, builder.sub(time, free))
        v.store(builder, load, child, part(2 + there))
        edge = builder.extract_element(ahead, job_v.type(0 if backward else v.BLOCK - 1))
        return builder.sext(edge, word) if element.width < 64 else edge

    i8 = types.int64
    return i8(rows, i8, state, i8, i8, direction, i8), codegen


@inner
def descend(rows: AnyArray, state: AnyArray, level: int, job: int, direction: int) -> None:
    """Write row ``level + 1``: the child of row ``level`` in which ``job`` is fixed next.

    ``rows`` is what ``job_rows`` returns; ``state``, (levels, 4 * width), the explorer's rows. The
    direction is 0 to append the job to the prefix, 1 to put it before the suffix.
    """
    width = state.shape[1] >> 2
    carry = 0
    if direction == FORWARD:
        for offset in range(0, width, v.BLOCK):
            carry = _descend_block(rows, job, state, level, offset, FORWARD, carry)
    else:
        for offset in range(width - v.BLOCK, -1, -v.BLOCK):
            carry = _descend_block(rows, job, state, level, offset, BACKWARD, carry)
