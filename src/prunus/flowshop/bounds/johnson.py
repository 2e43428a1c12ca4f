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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.flowshop.problem import FlowShop

__all__ = ["JohnsonPairs", "johnson_pairs", "johnson_steps", "root_bound"]


class JohnsonPairs(NamedTuple):
    """All pairs of machines, with P = machines * (machines - 1) / 2."""

    pairs: NDArray[np.int32]
    """Shape (P, 2): u < v, sorted."""
    order: NDArray[np.int32]
    """Shape (P, jobs): the jobs in Johnson's order for the pair; ties by index."""
    lag: NDArray[np.int64]
    """Shape (P, jobs): column j is the time of job j strictly between u and v."""


def johnson_pairs(processing_times: NDArray[np.int64]) -> JohnsonPairs:
    """Compute lags and Johnson's order for every pair of machines.

    Parameters
    ----------
    processing_times
        Shape (jobs, machines).

    Returns
    -------
    JohnsonPairs
        With no rows for one machine.
    """
    times = np.ascontiguousarray(processing_times.T)
    u, v = np.triu_indices(len(times), 1)
    until = np.cumsum(times, axis=0)
    lag = until[v] - times[v] - until[u]
    first, second = times[u] + lag, lag + times[v]
    # Jobs with first <= second by increasing first, then the others by decreasing second.
    later = first > second
    order = np.lexsort((np.where(later, -second, first), later), axis=-1)
    pairs = np.stack([u, v], axis=1)
    return JohnsonPairs(pairs.astype(np.int32), order.astype(np.int32), lag)


def johnson_steps(processing_times: NDArray[np.int64]) -> NDArray[np.int64]:
    """Lay the same out as a kernel walks it.

    Returns
    -------
    ndarray of int64, shape (P, jobs, 4)
        Job, p_u, lag and p_v of the jobs in Johnson's order, for each pair in turn.
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


def root_bound(problem: FlowShop) -> int:
    """Bound the makespan of every schedule from below, before any job is fixed.

    The larger of LB1 (one machine: smallest head, all the work, smallest tail) and LB2 (Johnson's
    schedule on each pair of machines, with the same heads and tails).
    """
    times = problem.processing_times
    until = np.cumsum(times, axis=1)
    head = (until - times).min(axis=0)
    tail = (until[:, -1:] - until).min(axis=0)
    bound = int((head + times.sum(axis=0) + tail).max())
    if problem.machines == 1:
        return bound
    pairs, order, lag = johnson_pairs(times)
    u, v = pairs.T
    row = np.arange(len(pairs))
    first, second = head[u], head[v]
    for job in order.T:
        first = first + times[job, u]
        second = np.maximum(second, first + lag[row, job]) + times[job, v]
    # Machine u with its own tail is LB1, and counted above.
    return max(bound, int((second + tail[v]).max()))
