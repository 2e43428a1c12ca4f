"""A deadline before the matrix is even read: some assignment, and the bound of the best value."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from prunus.assignment.instance.benefits import of_matrix
from prunus.assignment.portfolio.direct import facts_of
from prunus.assignment.portfolio.feasible_start import feasible_columns
from prunus.assignment.portfolio.record import SolveRecord
from prunus.assignment.problem import Assignment
from prunus.assignment.stepwise import CheckTime
from prunus.errors import InputError
from prunus.hardware import clock
from prunus.model.arrays import Int64Array
from prunus.runtime.monitor import Monitor
from prunus.runtime.stop_token import StoppedError

_MOMENT_S = 0.03
"""An assignment is sought for so long even where no time is left."""


def pausing(monitor: Monitor) -> CheckTime:
    """Return a pause that ends what has no answer before its end, if it is late."""

    def pause() -> None:
        if monitor.time_left <= 0:
            raise StoppedError

    return pause


def answer_unscanned(problem: Assignment, monitor: Monitor, seed: int, record: SolveRecord) -> None:
    """Offer any assignment, if none was given, with as many times the best value as a bound."""
    rows = min(problem.agents, problem.jobs)
    record.bound = None if problem.best_value is None else rows * problem.best_value
    _offer_any(problem, monitor, seed, record)
    monitor.poll("reading", bound=record.bound)


def _offer_any(problem: Assignment, monitor: Monitor, seed: int, record: SolveRecord) -> None:
    if monitor.incumbent.best is None:
        facts = facts_of(problem)
        column = np.random.default_rng([seed, 1]).permutation(facts.columns)[: facts.rows]
        solution = facts.solution(column)
        source = "random start"
        try:
            value = problem.evaluate(solution)
        except InputError:  # it has a forbidden pair
            source = "feasible start"
            found = _feasible(problem, monitor)
            if found is None:
                return
            solution, value = found, problem.evaluate(found)
        monitor.incumbent.offer(value, problem.shown(solution), source)
        record.start = source


def _feasible(problem: Assignment, monitor: Monitor) -> Int64Array | None:
    """Return an assignment without forbidden pairs, if one is found at once."""
    if problem.matrix is None:
        return None
    facts = facts_of(problem)
    matrix = np.ascontiguousarray(problem.matrix.T if facts.transposed else problem.matrix)
    column = feasible_columns(of_matrix(matrix, problem.maximise), None, going_on(monitor))
    return None if column is None else facts.solution(column)


def going_on(monitor: Monitor) -> Callable[[], bool]:
    """Return what tells whether there is time for a first assignment: a moment in any case."""
    began = clock.seconds()
    return lambda: monitor.time_left > 0 or clock.seconds() - began < _MOMENT_S
