"""A lower bound on the total flow time of any schedule, in plain code."""

from __future__ import annotations

import numpy as np

from prunus.flowshop.problem import FlowShop


def root_bound(problem: FlowShop) -> int:
    """Bound the total flow time from below: machine by machine, the shortest jobs first."""
    times = problem.processing_times
    jobs, machines = times.shape
    tails = np.cumsum(times[:, ::-1], 1)[:, ::-1] - times
    ranks = range(jobs, 0, -1)
    begin, best = 0, 0
    for i in range(machines):
        column = sorted(times[:, i].tolist())
        value = jobs * begin + sum(tails[:, i].tolist())
        value += sum(rank * time for rank, time in zip(ranks, column, strict=True))
        best = max(best, value)
        begin += column[0]
    return best
