"""Johnson's order for every pair of machines, on which the two-machine bound LB2 rests.

Look at machines u < v alone, and let the machines in between work on any number of jobs at once: a
job then takes p_u on u, a lag (its total time strictly between u and v), and p_v on v. The best
order for both is Johnson's for the times (p_u + lag, lag + p_v). It does not depend on what is
already scheduled, so it is computed once.

References
----------
S. M. Johnson (1954), Optimal two- and three-stage production schedules with setup times included,
Naval Research Logistics Quarterly 1, 61-68.
B. J. Lageweg, J. K. Lenstra, A. H. G. Rinnooy Kan (1978), A general bounding scheme for the
permutation flow-shop problem, Operations Research 26, 53-67.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from prunus.flowshop.problem import FlowShop
from prunus.model.arrays import Int32Array, Int64Array, IntArray

ENTRIES_BETWEEN_POLLS = 1 << 17
"""Pairs of machines times jobs between two questions whether to stop: some 20 ms."""


def heads_and_tails(times: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return the least time that any job takes before each machine, and after it."""
    until = np.cumsum(times, axis=1)
    return (until - times).min(axis=0), (until[:, -1:] - until).min(axis=0)


def johnson_pairs(times: Int64Array) -> tuple[Int32Array, Int64Array]:
    """Return all pairs of machines, and the jobs in Johnson's order for each of them.

    ``times`` has the shape (jobs, machines). The pairs u < v are sorted, in an array of shape
    (pairs, 2). The other, of shape (pairs, jobs, 4), has a job, its time on u, its lag and its time
    on v. For one machine there are no pairs.
    """
    u, v = np.triu_indices(times.shape[1], 1)
    steps: Int64Array = np.stack(_in_johnsons_order(times, u, v), axis=-1)
    return np.stack([u, v], axis=1).astype(np.int32), steps


def _in_johnsons_order(
    times: Int64Array, u: IntArray, v: IntArray
) -> tuple[IntArray, Int64Array, Int64Array, Int64Array]:
    """Return the jobs in order for each pair of machines ``u[i] < v[i]``; ties by index.

    With them their times on u, their lags, and their times on v. Each has the shape (pairs, jobs).
    """
    by_machine = np.ascontiguousarray(times.T)
    until = np.cumsum(by_machine, axis=0)
    lag = until[v] - by_machine[v] - until[u]
    first, second = by_machine[u] + lag, lag + by_machine[v]
    # Jobs with first <= second by increasing first, then the others by decreasing second.
    later = first > second
    order = np.lexsort((np.where(later, -second, first), later), axis=-1)
    lag = np.take_along_axis(lag, order, axis=1)
    return order, times[order, u[:, None]], lag, times[order, v[:, None]]


def root_bound(problem: FlowShop, should_stop: Callable[[], bool] = lambda: False) -> int:
    """Bound the makespan of every schedule from below, before any job is fixed.

    The larger of LB1 (one machine: smallest head, all the work, smallest tail) and LB2 (Johnson's
    schedule on each pair of machines, with the same heads and tails).

    ``should_stop`` is asked every few milliseconds; when it returns True, pairs that are left are
    left out, and the bound is the best so far.
    """
    times = problem.processing_times
    head, tail = heads_and_tails(times)
    bound = int((head + times.sum(axis=0) + tail).max())
    machine = np.arange(problem.machines)
    before = machine * (2 * problem.machines - machine - 1) // 2  # pairs of earlier machines
    size = max(1, ENTRIES_BETWEEN_POLLS // problem.jobs)
    for start in range(0, int(before[-1]), size):
        if start > 0 and should_stop():
            break
        pair = np.arange(start, min(start + size, before[-1]))
        u = np.searchsorted(before, pair, "right") - 1
        v = pair - before[u] + u + 1
        _, on_u, lag, on_v = _in_johnsons_order(times, u, v)
        ready = head[u][:, None] + on_u.cumsum(axis=1) + lag
        # Machine v works without a pause from its head on, or from some job on.
        left = on_v[:, ::-1].cumsum(axis=1)[:, ::-1]
        second = np.maximum(head[v] + left[:, 0], (ready + left).max(axis=1))
        # Machine u with its own tail is LB1, and counted above.
        bound = max(bound, int((second + tail[v]).max()))
    return bound
