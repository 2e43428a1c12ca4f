"""NEH, the constructive heuristic: jobs by decreasing total time, each put where it is best.

With Taillard's acceleration (``src/native/flowshop/insertion.cpp``) it takes O(jobs² x machines)
time. It is run on the instance and on its
reverse (machines and schedule backwards, the same makespan), where ties fall differently.

References
----------
M. Nawaz, E. E. Enscore, I. Ham (1983), A heuristic algorithm for the m-machine, n-job flow-shop
sequencing problem, Omega 11, 91-95.
E. Taillard (1990), Some efficient heuristic methods for the flow shop sequencing problem, European
Journal of Operational Research 47, 65-74.
V. Fernandez-Viagas, J. M. Framinan (2014), On insertion tie-breaking rules in heuristics for the
permutation flowshop scheduling problem, Computers & Operations Research 45, 60-67.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt

import numpy as np

from prunus._native.flowshop import insert_jobs
from prunus.flowshop.problem import FlowShop
from prunus.model.arrays import Int64Array

STEPS_BETWEEN_POLLS = 1_000_000
"""So many jobs times machines are passed between two questions whether to stop: milliseconds."""


def neh(
    problem: FlowShop, should_stop: Callable[[], bool] = lambda: False
) -> tuple[Int64Array, int]:
    """Build a good schedule in O(jobs² x machines).

    Ties between places are broken as in Fernandez-Viagas and Framinan (2014), ties in the order of
    the jobs by their index, so the result is always the same.

    ``should_stop`` is asked every few milliseconds; when it returns True, the jobs that are left
    are appended in their order, and the reverse instance is not tried any more.

    Returns
    -------
    permutation : ndarray of int64, shape (jobs,)
        The jobs in the order in which they are processed.
    makespan : int

    Examples
    --------
    >>> permutation, makespan = neh(FlowShop([[3, 2], [1, 4]]))
    >>> permutation.tolist(), makespan
    ([1, 0], 7)
    """
    times = problem.processing_times
    permutation, makespan = _construct(times, should_stop)
    if not should_stop():
        mirrored, other = _construct(np.ascontiguousarray(times[:, ::-1]), should_stop)
        if other < makespan:
            return mirrored[::-1].copy(), other
    return permutation, makespan


def _construct(times: Int64Array, should_stop: Callable[[], bool]) -> tuple[Int64Array, int]:
    """Run NEH in one direction."""
    jobs, machines = times.shape
    order = np.argsort(-times.sum(1), kind="stable").astype(np.int32)
    sequence = np.zeros(jobs, np.int32)
    done = makespan = 0
    while done < jobs:
        count = _jobs_in_a_slice(done, machines)
        if done > 0 and should_stop():
            # The last one is inserted all the same, for the makespan.
            sequence[done:] = order[done:]
            done, count = jobs - 1, 1
        makespan = insert_jobs(times, sequence, done, order[done : done + count])
        done += count
    return sequence.astype(np.int64), makespan


def _jobs_in_a_slice(size: int, machines: int) -> int:
    """Return how many jobs to insert behind ``size`` before the next question whether to stop.

    To insert a job into k jobs takes some 3 k passes over the machines.
    """
    steps = STEPS_BETWEEN_POLLS // machines
    return max(1, isqrt(size**2 + 2 * steps // 3) - size)
