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
from typing import NamedTuple

import numpy as np

from prunus.flowshop.problem import FlowShop
from prunus.model.arrays import Int32Array, Int64Array, IntArray

ENTRIES_BETWEEN_POLLS = 1 << 17
"""Pairs of machines times jobs between two questions whether to stop: some 20 ms."""


def heads_and_tails(times: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return the least time that any job takes before each machine, and after it."""
    until = np.cumsum(times, axis=1)
    return (until - times).min(axis=0), (until[:, -1:] - until).min(axis=0)


class JohnsonPairs(NamedTuple):
    """All pairs of machines, with P = machines * (machines - 1) / 2."""

    pairs: Int32Array
    """Shape (P, 2): u < v, sorted."""
    order: Int32Array
    """Shape (P, jobs): the jobs in Johnson's order for the pair; ties by index."""
    lag: Int64Array
    """Shape (P, jobs): column j is the time of job j strictly between u and v."""


def johnson_pairs(processing_times: Int64Array) -> JohnsonPairs:
    """Compute lags and Johnson's order for every pair of machines.

    The processing times have the shape (jobs, machines). For one machine there are no rows.
    """
    u, v = np.triu_indices(processing_times.shape[1], 1)
    order, lag = _order_and_lag(processing_times, u, v)
    return JohnsonPairs(np.stack([u, v], axis=1).astype(np.int32), order.astype(np.int32), lag)


def _order_and_lag(
    processing_times: Int64Array, u: IntArray, v: IntArray
) -> tuple[IntArray, Int64Array]:
    """Compute Johnson's order and the lags for the pairs of machines ``u[i] < v[i]``."""
    times = np.ascontiguousarray(processing_times.T)
    until = np.cumsum(times, axis=0)
    lag = until[v] - times[v] - until[u]
    first, second = times[u] + lag, lag + times[v]
    # Jobs with first <= second by increasing first, then the others by decreasing second.
    later = first > second
    return np.lexsort((np.where(later, -second, first), later), axis=-1), lag


def johnson_steps(processing_times: Int64Array) -> Int64Array:
    """Lay the same out as a kernel walks it.

    The result has the shape (P, jobs, 4): job, p_u, lag and p_v of the jobs in Johnson's order, for
    each pair in turn.
    """
    pairs, order, lag = johnson_pairs(processing_times)
    u, v = pairs[:, :1], pairs[:, 1:]
    return np.stack(
        [
            order,
            processing_times[order, u],
            np.take_along_axis(lag, order.astype(np.int64), axis=1),
            processing_times[order, v],
        ],
        axis=-1,
    )


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
        order, lag = _order_and_lag(times, u, v)
        rows = np.arange(len(order))[:, None]
        on_u, on_v, lag = times[order, u[:, None]], times[order, v[:, None]], lag[rows, order]
        ready = head[u][:, None] + on_u.cumsum(axis=1) + lag
        # Machine v works without a pause from its head on, or from some job on.
        left = on_v[:, ::-1].cumsum(axis=1)[:, ::-1]
        second = np.maximum(head[v] + left[:, 0], (ready + left).max(axis=1))
        # Machine u with its own tail is LB1, and counted above.
        bound = max(bound, int((second + tail[v]).max()))
    return bound
