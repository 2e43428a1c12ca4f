"""Schedules by insertion and by iterated greedy, in short and in long numbers."""

import numpy as np

from prunus.flowshop.heuristics.iterated_greedy import IteratedGreedy
from prunus.flowshop.heuristics.neh import neh
from prunus.flowshop.problem import FlowShop


def answers():
    """Return the schedules of runs of both objectives."""
    found = []
    for jobs, machines, factor in ((1, 1, 1), (12, 5, 1), (37, 9, 1), (20, 20, 999), (9, 4, 2**40)):
        times = np.random.default_rng(jobs).integers(0, 99, (jobs, machines)) * factor
        for objective in ("makespan", "flowtime"):
            problem = FlowShop(times, objective=objective)
            schedule, makespan = neh(problem)
            run = IteratedGreedy(problem, seed=3, start=schedule)
            run.run(30)
            found.append([schedule.tolist(), makespan, run.best_permutation.tolist()])
    return found
