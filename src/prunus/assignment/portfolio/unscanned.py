"""A deadline before the matrix is even read: some assignment, and the bound of the best value."""

from __future__ import annotations

import contextlib

import numpy as np

from prunus.assignment.portfolio.methods_used import MethodsUsed
from prunus.assignment.problem import Assignment
from prunus.assignment.stepwise import CheckTime
from prunus.errors import InputError
from prunus.model.arrays import Number
from prunus.runtime.monitor import Monitor
from prunus.runtime.stop_token import StoppedError

__all__ = ["answer_unscanned", "pausing"]


def pausing(monitor: Monitor) -> CheckTime:
    """Return a pause that ends what has no answer before its end, if it is late."""

    def pause() -> None:
        if monitor.time_left <= 0:
            raise StoppedError

    return pause


def answer_unscanned(
    problem: Assignment, monitor: Monitor, seed: int, used: MethodsUsed
) -> Number | None:
    """Offer any assignment, if none was given; return as many times the best value as a bound."""
    rows, columns = sorted((problem.agents, problem.jobs))
    if monitor.incumbent.best is None:
        solution = np.random.default_rng([seed, 1]).permutation(columns)[:rows]
        if problem.agents > problem.jobs:
            chosen, solution = solution, np.full(columns, -1, np.int64)
            solution[chosen] = np.arange(rows)
        # It may be a forbidden one.
        with contextlib.suppress(InputError):
            monitor.incumbent.offer(problem.evaluate(solution), solution, "random start")
            used.start = "random start"
    bound = None if problem.best_value is None else rows * problem.best_value
    monitor.poll("reading", bound=bound)
    return bound
