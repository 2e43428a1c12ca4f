"""LB2, the two-machine bound of one child: Johnson's rule on every pair of machines.

For machines u < v the jobs in between are delayed by ``lag``, the sum of their times strictly
between u and v; Johnson's order of the (p_u + lag, lag + p_v) is best for the pair (Lageweg,
Lenstra, Rinnooy Kan 1978). The order does not depend on the node, so it is computed once.

Pairs that have pruned often are tried first: each success moves a pair one place forward.
"""

from __future__ import annotations

from typing import Any

from prunus.flowshop.vector import BLOCK
from prunus.treesearch.bits import clear, contains, trailing_zeros
from prunus.treesearch.compiled import inner

__all__ = ["bound_child", "clamp", "tighten"]


@inner
def bound_child(data: Any, state: Any, level: Any, free: Any, job: Any, direction: Any, ub: Any):  # type: ignore[no-untyped-def]
    """Bound the child in which ``job`` is fixed next; stop at the first pair that reaches ``ub``.

    Parameters
    ----------
    data
        A ``cpu.Node``: ``steps`` is (pairs, jobs, 4) with job, p_u, lag, p_v in Johnson's order;
        ``pairs`` is (pairs, 3) with u, v and the row in ``steps``, in the order they are tried;
        ``scratch`` is (2, machines).
    state : (levels, 4 * machines)
        Row ``level`` is the parent's state, as described in ``lb1``.
    free : (levels, words) uint32
        Row ``level`` holds the parent's unscheduled jobs.
    job, direction
        The child.
    ub
        The incumbent's objective.

    Returns
    -------
    int
        The largest bound over the pairs, or the first that is at least ``ub``; 0 for one machine.
    """
    m = data.machines
    width = state.shape[1] >> 2
    front = data.scratch[0]
    back = data.scratch[1]
    for k in range(m):
        front[k] = state[level, k]
        back[k] = state[level, width + k]
    time = 0
    if direction == 0:
        for k in range(m):
            time = max(time, front[k]) + data.times[k, job]
            front[k] = time
    else:
        for k in range(m - 1, -1, -1):
            time = max(time, back[k]) + data.times[k, job]
            back[k] = time
    best = 0
    for place in range(data.pairs.shape[0]):
        u = data.pairs[place, 0]
        v = data.pairs[place, 1]
        row = data.pairs[place, 2]
        first = front[u]
        second = front[v]
        for i in range(data.steps.shape[1]):
            j = data.steps[row, i, 0]
            if j != job and contains(free, level, j):
                first += data.steps[row, i, 1]
                second = max(second, first + data.steps[row, i, 2]) + data.steps[row, i, 3]
        best = max(best, second + back[v], first + back[u])
        if best >= ub:
            if place > 0:
                for c in range(3):
                    kept = data.pairs[place - 1, c]
                    data.pairs[place - 1, c] = data.pairs[place, c]
                    data.pairs[place, c] = kept
            break
    return best


@inner
def tighten(data: Any, state: Any, level: Any, free: Any, bounds: Any, direction: Any, ub: Any):  # type: ignore[no-untyped-def]
    """Raise the bounds of one direction's surviving children to LB2; drop those it prunes."""
    survivors = data.survivors
    for word in range(survivors.shape[1]):
        bits = survivors[direction, word]
        while bits != 0:
            bit = trailing_zeros(bits)
            bits &= bits - 1
            job = word * BLOCK + bit
            bound = bound_child(data, state, level, free, job, direction, ub)
            if bound > bounds[level, direction, job]:
                bounds[level, direction, job] = bound
            if bound >= ub:
                clear(survivors, direction, job)


@inner
def clamp(bounds: Any, level: Any, direction: Any, free: Any, ub: Any):  # type: ignore[no-untyped-def]
    """Lower the bounds of pruned children to ``ub``.

    How far above it a bound was found depends on the order of the pairs, which is learned; a
    branching rule that sums bounds must not.
    """
    for job in range(bounds.shape[2]):
        if contains(free, level, job) and bounds[level, direction, job] > ub:
            bounds[level, direction, job] = ub
