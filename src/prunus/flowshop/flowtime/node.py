"""What a node of the tree is, in compiled code: a schedule's first jobs, and what they lead to.

A state has, for each machine, when it is free after those jobs; then their completion times added
up.

The bound looks at one machine at a time (Bansal 1977; Ahmadi and Bagchi 1990; Chung, Flynn and
Kirca 2002). From when the machine can begin with another job, the jobs that are left are processed
there without a pause, the shortest first, which is the order with the least sum of completion
times; after that each needs at least its times on all later machines. If r jobs are left and the
k-th shortest takes p_k, that sum is r times the beginning, plus (r - k + 1) p_k for each k. Without
one of the jobs it is less by that job's term and by the times of all that are shorter, so that one
pass over the jobs in their order serves all children of a node.

References
----------
S. P. Bansal (1977), Minimizing the sum of completion times of n jobs over m machines in a flowshop
- a branch and bound approach, AIIE Transactions 9, 306-311.
C.-S. Chung, J. Flynn, O. Kirca (2002), A branch and bound algorithm to minimize the total flow time
for m-machine permutation flowshop problems, International Journal of Production Economics 79,
185-196.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prunus.errors import InputError
from prunus.hardware.jit.compiled import inlined
from prunus.model.arrays import AnyArray, Int64Array, UInt32Array

_LARGEST = 2**62


class NodeData(NamedTuple):
    """An instance, and one explorer's scratch memory."""

    times: AnyArray
    """(machines, lanes): processing times, 0 in lanes without a job."""
    rows: AnyArray
    """(jobs, machines): the same by job."""
    tails: AnyArray
    """(machines, lanes): a job's times on all later machines, added up."""
    order: AnyArray
    """(machines, jobs): the jobs on each machine, the shortest first."""
    lines: AnyArray
    """(4, lanes) Scratch, for each child: whether its job is free; when it is completed on a
    machine; when the next job can begin there; what it has in the sum of all jobs that are left."""


def number_type(processing_times: Int64Array) -> np.dtype[Any]:
    """Return the narrowest integer type in which no value of a search can overflow.

    Raises ``InputError`` if there is none.
    """
    jobs, machines = processing_times.shape
    longest = sum(processing_times.max(1).tolist()) + sum(processing_times.max(0).tolist())
    limit = 4 * (jobs + machines) * longest
    for kind in (np.int32, np.int64):
        if limit <= np.iinfo(kind).max:
            return np.dtype(kind)
    raise InputError("the processing times are too large for a total flow time")


def root_state(machines: int) -> Int64Array:
    """Return the root's state: nothing is scheduled."""
    return np.zeros(machines + 1, np.int64)


@inlined
def descend(data: NodeData, state: AnyArray, level: int, job: int, direction: int) -> None:
    """Write the state of the child in which ``job`` comes next."""
    machines = data.rows.shape[1]
    time = state[level, 0] + data.rows[job, 0]
    state[level + 1, 0] = time
    for i in range(1, machines):
        time = max(time, state[level, i]) + data.rows[job, i]
        state[level + 1, i] = time
    state[level + 1, machines] = state[level, machines] + time


@inlined
def branch(
    data: NodeData,
    state: AnyArray,
    level: int,
    free: UInt32Array,
    waiting: UInt32Array,
    bounds: AnyArray,
    cutoff: int,
    forced: int,
) -> int:
    """Bound the children of a node and keep those below the cutoff; they are ahead always."""
    times, lines, value = data.times, data.lines, bounds[level, 0]
    machines, lanes = times.shape
    jobs = data.rows.shape[0]
    kind = times.dtype.type  # sums of two would be 64 bits wide, and half as many at a time
    for j in range(lanes):
        lines[0, j] = (free[level, j >> 5] >> (j & 31)) & 1
        lines[1, j] = 0
        lines[2, j] = 0
        value[j] = 0
    others = kind(jobs - level - 1)
    least = kind(0)
    for i in range(machines):
        front = state[level, i]
        rank, total, shorter = jobs - level, 0, 0
        soonest = kind(0)
        for k in range(jobs):
            j = data.order[i, k]
            if lines[0, j] != 0:
                p = times[i, j]
                if rank == jobs - level:
                    soonest = p
                own = rank * p + data.tails[i, j]
                total += own
                lines[3, j] = own + shorter
                shorter += p
                rank -= 1
        base = kind(state[level, machines] + total)
        for j in range(lanes):
            start = lines[1, j] if lines[1, j] > front else front
            time = kind(start + times[i, j])
            begin = kind(lines[2, j] + least)
            begin = time if time > begin else begin
            found = kind(kind(base - lines[3, j]) + kind(others * begin))
            lines[1, j], lines[2, j] = time, begin
            value[j] = found if found > value[j] else value[j]
        least = soonest
    for w in range(free.shape[1]):
        kept = free[level, w] & 0
        for b in range(32):
            j = w * 32 + b
            value[j] = value[j] + lines[1, j]
            if lines[0, j] != 0 and value[j] < cutoff:
                kept |= 1 << b
        waiting[level, w] = kept
    return 0
