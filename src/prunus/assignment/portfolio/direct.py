"""Solve a matrix with the compact kernel, with nothing set up around it: what is small, mostly."""

from __future__ import annotations

import math

import numpy as np

from prunus.assignment.certificate import Certificate
from prunus.assignment.exact.compact.paths import IMPOSSIBLE, SOLVED, prices_in, rounded
from prunus.assignment.exact.whole_rows import (
    NO_LISTS,
    SMALL,
    scan_rows,
    scans_allowed,
    scans_within,
)
from prunus.assignment.instance.facts import InstanceFacts
from prunus.assignment.portfolio.small_matrix import is_small, small_matrix
from prunus.assignment.problem import Assignment
from prunus.model.arrays import AnyArray
from prunus.runtime.duals import Duals
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome

_TOGETHER = 2**15
"""Entries whose net values are made at once: as many as a core's own memory holds."""


_WORST_S = 0.5
"""Up to ``NO_LISTS`` entries take half of that at worst, so nobody looks at the clock."""


_HURRIED = 0.25
"""In less time than that no more than this part of it is spent: whole rows are mostly done sooner
than anything else has a good bound, and spare compiling that."""


def row_maxima(values: AnyArray, prices: AnyArray, sign: int) -> AnyArray:
    """Return the best net value of every row of a matrix, or of those of a stack."""
    kind = np.result_type(values, prices)
    best = np.empty(values.shape[:-1], kind)
    step = max(1, min(len(values), _TOGETHER * len(values) // max(1, values.size)))
    net = np.empty((step, *values.shape[1:]), kind)
    for first in range(0, len(values), step):
        part = values[first : first + step]
        beside = prices if values.ndim == 2 else prices[first : first + step, None]
        if sign > 0:
            np.subtract(part, beside, out=net[: len(part)]).max(-1, out=best[first : first + step])
        else:
            np.add(part, beside, out=net[: len(part)]).min(-1, out=best[first : first + step])
    return best if sign > 0 else np.negative(best, out=best)


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
    """Solve a problem on the host in its matrix, if the compact kernel is right for that.

    Returns None where it is not, or has given up.
    """
    left = monitor.time_left if monitor.limited else math.inf
    hurried = monitor.limited and not _WORST_S <= left < math.inf and not is_small(problem, SMALL)
    if left <= 0 or (hurried and left == math.inf):
        return None
    if monitor.limited and not is_small(problem, NO_LISTS):
        return None
    matrix = small_matrix(problem) if problem.matrix is None else problem.matrix
    if matrix is None:
        return None
    facts = facts_of(problem)
    values = matrix.T if facts.transposed else matrix
    scans = scans_within(values, _HURRIED * left) if hurried else scans_allowed(values)
    if scans == 0:
        return None
    status, columns, work = scan_rows(values, problem.maximise, scans)
    if status not in (SOLVED, IMPOSSIBLE):
        return None
    certificate = Certificate(problem, facts, monitor)
    if status == SOLVED:
        certificate.offer(columns, "augmenting paths")
        prices = prices_in(work, facts.columns)
        prices = rounded(prices) if facts.integral else prices
        certificate.improve_by_duals(row_maxima(values, prices, facts.sign), prices)
    certificate.poll("augmenting paths", force=True)
    return certificate, status != SOLVED
