"""Solve a matrix by whole rows, with nothing set up around it: what is small, mostly."""

from __future__ import annotations

import math

import numpy as np

from prunus._native.assignment import Status
from prunus.assignment.certificate import Certificate
from prunus.assignment.exact.dense import NO_LISTS, solve_whole_rows, whole_rows_budget
from prunus.assignment.instance.facts import InstanceFacts
from prunus.assignment.portfolio.small_matrix import is_small, small_matrix
from prunus.assignment.problem import Assignment
from prunus.runtime.duals import Duals
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome

_SMALL = 90_000
"""Up to so many entries it takes no time worth a look at the clock to go through whole rows."""

_WORST_S = 0.5
"""Up to ``NO_LISTS`` entries take less at worst, so nobody looks at the clock."""

_HURRIED = 0.25
"""In less time than that no more than this part of it is spent: whole rows are mostly done sooner
than anything else has a good bound."""

_ENTRY_S = 5e-10
"""About how many seconds it takes to look at an entry."""

_PASSES_BEFORE_PATHS = 12
"""How many times whole rows are gone through before paths are searched for, at most."""


def _budget_within(entries: int, seconds: float) -> int:
    """Return how many entries may be read in searches for paths in a time too short to try all.

    0 if it is not even long enough for what comes before paths.
    """
    return max(0, int(seconds / _ENTRY_S) - _PASSES_BEFORE_PATHS * entries)


def facts_of(problem: Assignment) -> InstanceFacts:
    """Return what is known of a problem whose matrix is solved as it is."""
    rows, columns = sorted((problem.agents, problem.jobs))
    return InstanceFacts(
        rows,
        columns,
        transposed=problem.agents > problem.jobs,
        sign=1 if problem.maximise else -1,
        shift=0,
        high=math.inf,
        spread=math.inf,
        integral=problem.integral,
        forbidden=problem.best_value is None,
        huge=False,
    )


def solve_empty(problem: Assignment, monitor: Monitor) -> Outcome:
    """Solve a problem without agents or without jobs, or an empty stack: nobody has a job."""
    batch = () if problem.batch is None else (problem.batch,)
    solution = np.full((*batch, problem.agents), -1, np.int64)
    value = problem.evaluate(solution)
    monitor.incumbent.offer(value, problem.shown(solution), "nothing to assign")
    kind = np.int64 if problem.integral else np.float64
    return Outcome(
        complete=True,
        bound=value,
        explored=1.0,
        method="exact",
        duals=Duals(np.zeros(solution.shape, kind), np.zeros((*batch, problem.jobs), kind)),
    )


def solve_directly(problem: Assignment, monitor: Monitor) -> tuple[Certificate, bool] | None:
    """Solve a problem on the host in its matrix, if whole rows are right for that.

    Returns None where they are not, or have given up.
    """
    left = monitor.time_left if monitor.limited else math.inf
    hurried = monitor.limited and not _WORST_S <= left < math.inf and not is_small(problem, _SMALL)
    if left <= 0 or (hurried and left == math.inf):
        return None
    if monitor.limited and not is_small(problem, NO_LISTS):
        return None
    matrix = small_matrix(problem) if problem.matrix is None else problem.matrix
    if matrix is None:
        return None
    facts = facts_of(problem)
    values = matrix.T if facts.transposed else matrix
    budget = whole_rows_budget(values)
    if hurried:
        budget = _budget_within(values.size, _HURRIED * left)
    if budget == 0:
        return None
    status, columns, prices, best = solve_whole_rows(values, problem.maximise, budget)
    if status not in (Status.SOLVED, Status.IMPOSSIBLE):
        return None
    certificate = Certificate(problem, facts, monitor)
    if status == Status.SOLVED:
        certificate.offer(columns, "augmenting paths")
        certificate.improve_by_duals(best, prices)
    certificate.poll("augmenting paths", force=True)
    return certificate, status != Status.SOLVED
