"""LB2, the two-machine bound: Johnson's rule on 32 pairs of machines at once, a pair a lane.

For machines u < v the jobs in between are delayed by ``lag``, the sum of their times strictly
between u and v; Johnson's order of the (p_u + lag, lag + p_v) is best for the pair (Lageweg,
Lenstra, Rinnooy Kan 1978). Walking a pair's order takes

    first += p_u;  second = max(second, first + lag) + p_v

for each job not yet scheduled. With ``ahead = second - first`` that is

    ahead = max(ahead + (p_v - p_u), lag + p_v)

and where ``first`` ends is known beforehand: when u is free, plus the work left there. So a step is
one sum and one maximum, for 32 pairs. The bound is ``ahead`` in the end + that + the tail after v.

What machine u alone gives, its start, work and tail, is LB1 and already in the bounds.
"""

from __future__ import annotations

from prunus.flowshop.cpu.machine_pairs import MachinePairs, mark_scheduled
from prunus.flowshop.cpu.state import descend
from prunus.hardware.jit import vector as v
from prunus.hardware.jit.compiled import inner
from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic
from prunus.hardware.jit.later import cgutils, ir, types
from prunus.model.arrays import AnyArray, UInt32Array
from prunus.treesearch.interval.cpu.item_sets import remove_item, trailing_zeros

BLOCK = v.BLOCK


@intrinsic
def _bound_block_of_pairs(
    pairs: types.BaseNamedTuple,
    state: types.Array,
    level: types.Integer,
    block: types.Integer,
    cutoff: types.Integer,
) -> Intrinsic:
    """Raise ``pairs.best`` to the bounds of a block of pairs at the node in row ``level``.

    Returns the lanes whose bound is at least ``cutoff``, one bit each.
    """

    def codegen(call: Call) -> ir.Value:
        builder = call.builder
        pairs_v, _, level_v, block_v, ub_v = call.args
        ends, steps, opened, best = (
            v.tuple_field(builder, call.signature.args[0], pairs_v, name)
            for name in ("ends", "steps", "open", "best")
        )
        ends_p, steps_p, open_p, best_p = (
            call.address(*array) for array in (ends, steps, opened, best)
        )
        state_p = call.data(1)
        word = block_v.type
        blocks_v, jobs_v = call.extent_of(*steps, 0), call.extent_of(*steps, 1)
        words_v = builder.udiv(call.extent_of(*opened, 1), blocks_v)
        width_v = builder.lshr(call.extent(1, 1), word(2))
        element = steps_p.type.pointee
        kind = v.vector(element)

        row = builder.gep(state_p, [builder.mul(level_v, builder.shl(width_v, word(2)))])
        u = builder.gep(ends_p, [builder.mul(block_v, word(2 * BLOCK))])
        w = builder.gep(u, [word(BLOCK)])

        def at(part: int, machines: ir.Value) -> ir.Value:
            data = builder.gep(row, [builder.mul(width_v, word(part))])
            return v.gather(call.context, builder, data, width_v, machines)

        front_u, front_v = at(0, u), at(0, w)
        load_u, back_v = at(3, u), at(1, w)
        ahead = cgutils.alloca_once_value(builder, builder.sub(front_v, front_u))
        block_jobs = builder.mul(block_v, jobs_v)
        steps_p = builder.gep(steps_p, [builder.mul(block_jobs, word(2 * BLOCK))])
        first = builder.mul(words_v, builder.add(builder.mul(level_v, blocks_v), block_v))
        open_p = builder.gep(open_p, [first])
        with cgutils.for_range(builder, jobs_v, intp=word) as loop:
            step = builder.mul(loop.index, word(2 * BLOCK))
            now = builder.load(ahead)
            later = builder.add(now, v.load(builder, steps_p, step, kind))
            least = v.load(builder, steps_p, builder.add(step, word(BLOCK)), kind)
            later = v.maximum(builder, later, least)
            lanes = builder.load(builder.gep(open_p, [loop.index]))
            lanes = builder.bitcast(lanes, v.vector(ir.IntType(1)))
            builder.store(builder.select(lanes, later, now), ahead)

        bound = builder.add(builder.add(builder.load(ahead), load_u), back_v)
        largest = v.maximum(builder, v.load(builder, best_p, word(0), kind), bound)
        v.store(builder, largest, best_p, word(0))
        reached = builder.icmp_signed(">=", bound, v.limit(builder, ub_v, kind))
        return builder.zext(builder.bitcast(reached, ir.IntType(BLOCK)), word)

    i8 = types.int64
    return i8(pairs, state, i8, i8, i8), codegen


@intrinsic
def _largest(best: types.Array) -> Intrinsic:
    """Return the largest of 32 values."""

    def codegen(call: Call) -> ir.Value:
        builder, data = call.builder, call.data(0)
        element = data.type.pointee
        kind = v.vector(element)
        reduce = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(element, [kind]),
            f"llvm.vector.reduce.smax.v{BLOCK}i{element.width}",
        )
        value = builder.call(reduce, [v.load(builder, data, ir.IntType(64)(0), kind)])
        return builder.sext(value, ir.IntType(64)) if element.width < 64 else value

    return types.int64(best), codegen


@inner
def tighten(
    pairs: MachinePairs,
    rows: AnyArray,
    state: AnyArray,
    level: int,
    bounds: AnyArray,
    survivors: UInt32Array,
    direction: int,
    cutoff: int,
) -> None:
    """Raise the bounds of one direction's surviving children to LB2; drop those it prunes.

    ``rows`` is what ``state.job_rows`` returns; row ``level`` of ``state``, (levels, 4 * width), is
    the node's, and the next one is overwritten. ``bounds``, (levels, 2, lanes), are LB1 of the
    children, raised to LB2, to the cutoff if pruned: how far above it a bound was found depends on
    the order of the pairs, which is learned; what is counted must not. ``survivors``, (2, words),
    lose those that LB2 prunes.
    """
    blocks = pairs.steps.shape[0]
    for word in range(survivors.shape[1]):
        bits = survivors[direction, word]
        while bits != 0:
            job = word * BLOCK + trailing_zeros(bits)
            bits &= bits - 1
            descend(rows, state, level, job, direction)
            mark_scheduled(pairs.places, pairs.open, level, job)
            for i in range(BLOCK):
                pairs.best[i] = 0
            block = 0
            reached = 0
            while block < blocks:
                reached = _bound_block_of_pairs(pairs, state, level + 1, block, cutoff)
                if reached != 0:
                    break
                block += 1
            if reached == 0:
                bound = _largest(pairs.best)
                if bound > bounds[level, direction, job]:
                    bounds[level, direction, job] = bound
            else:
                remove_item(survivors, direction, job)
                bounds[level, direction, job] = cutoff
                lane = trailing_zeros(reached)
                pairs.hits[block, lane] += 1
                if block > 0:
                    pairs.pruned[0] = block
                    pairs.pruned[1] = lane
