"""What bounds of total flow times are made of, and that of all schedules, in plain code."""

from __future__ import annotations

import numpy as np

from prunus.flowshop.problem import FlowShop
from prunus.model.arrays import Int64Array


def shortest_first(times: Int64Array) -> Int64Array:
    """Return the jobs on each machine, the shortest first. Shape (machines, jobs)."""
    return np.argsort(times, 0, kind="stable").T


def tails_of(times: Int64Array) -> Int64Array:
    """Return each job's times on all later machines, added up."""
    tails: Int64Array = np.cumsum(times[:, ::-1], 1)[:, ::-1] - times
    return tails


def root_bound(problem: FlowShop) -> int:
    """Bound the total flow time from below: machine by machine, the shortest jobs first."""
    times = problem.processing_times
    jobs, machines = times.shape
    tails = tails_of(times)
    ranks = range(jobs, 0, -1)
    begin, best = 0, 0
    for i in range(machines):
        column = sorted(times[:, i].tolist())
        value = jobs * begin + sum(tails[:, i].tolist())
        value += sum(rank * time for rank, time in zip(ranks, column, strict=True))
        best = max(best, value)
        begin += column[0]
    return best
