"""From a problem to what compiled code solves: benefits, no more rows than columns, exact numbers.

Integers go into float64 (or float32, to be read faster) as long as no sum can leave the whole
numbers that these hold, beyond that into int64, and beyond that nowhere: `huge` solves them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.arcs import complete_lists, transposed
from prunus.assignment.distances import with_matrix
from prunus.assignment.lists import Lists
from prunus.assignment.steps import Pause
from prunus.assignment.survey import EXACT, Survey, survey
from prunus.assignment.threads import Threads
from prunus.assignment.values import Values, of_arcs, of_matrix, of_points
from prunus.problems.assignment import Assignment

__all__ = ["LIMIT", "Prepared", "from_survey", "prepare", "prepare_matrix"]

LIMIT = 2**60
"""Prices in int64 stay below this."""


class Prepared(NamedTuple):
    """An instance as the solvers take it.

    Attributes
    ----------
    values
        Benefits, rows at most columns.
    lists
        Complete lists of a sparse instance; else None.
    turned
        Rows are the jobs, columns the agents.
    sign, shift
        A pair's value is ``sign * benefit + shift``.
    spread
        The largest less the smallest benefit.
    integral
        All benefits are whole numbers.
    forbidden
        Not all pairs are allowed.
    huge
        Sums may leave int64.
    """

    values: Values
    lists: Lists | None
    turned: bool
    sign: int
    shift: int
    high: float
    spread: float
    integral: bool
    forbidden: bool
    huge: bool

    @property
    def auction(self) -> bool:
        """Whether the auction applies."""
        rows, columns = self.values.shape
        return rows == columns and not self.forbidden

    def columns(self, assignment: NDArray[np.int64]) -> NDArray[np.int64]:
        """Turn the column of each row into the job of each agent, or the other way round."""
        if not self.turned:
            return assignment
        columns = self.values.shape[1]
        jobs = np.full(columns, -1, np.int64)
        at = np.flatnonzero(assignment >= 0)
        jobs[assignment[at]] = at
        return jobs

    def rows(self, solution: NDArray[np.int64]) -> NDArray[np.int64]:
        """Turn the job of each agent into the column of each row."""
        if not self.turned:
            return solution
        column = np.full(self.values.shape[0], -1, np.int64)
        at = np.flatnonzero(solution >= 0)
        column[solution[at]] = at
        return column

    def objective(self, benefit: int | float) -> int | float:
        """Turn a sum of benefits into a sum of values."""
        value = self.sign * benefit
        if self.integral and float(benefit).is_integer():
            value = int(value)
        return value + self.shift * self.values.shape[0]


def prepare(
    problem: Assignment, threads: Threads, *, hold: bool = False, pause: Pause | None = None
) -> Prepared:
    """Prepare a problem that is not a stack; ``hold`` all distances of points in a matrix.

    Raises
    ------
    OutOfTimeError
        If ``pause``, which is called while a matrix is looked at, does.
    """
    if problem.matrix is not None:
        return prepare_matrix(problem.matrix, problem.maximise, threads, pause)
    if problem.points is not None:
        prepared = _of_points(problem)
        if hold:
            return prepared._replace(values=with_matrix(prepared.values, threads))
        return prepared
    return _of_arcs(problem)


def prepare_matrix(
    matrix: NDArray[Any], maximise: bool, threads: Threads, pause: Pause | None = None
) -> Prepared:
    """Prepare a matrix of float32, float64, int32 or int64."""
    turned = matrix.shape[0] > matrix.shape[1]
    found = survey(np.ascontiguousarray(matrix.T if turned else matrix), threads, pause)
    return from_survey(found, maximise, turned)


def from_survey(found: Survey, maximise: bool, turned: bool) -> Prepared:
    """Prepare what a survey has looked at."""
    values = of_matrix(found.matrix, maximise)
    spread = found.high - found.low
    huge = found.matrix.dtype == np.int64 and spread >= LIMIT // (len(found.matrix) + 2)
    return Prepared(
        values,
        None,
        turned,
        1 if maximise else -1,
        found.shift,
        found.high if maximise else -found.low,
        spread,
        found.integral,
        found.plus or found.minus,
        huge,
    )


def _of_points(problem: Assignment) -> Prepared:
    assert problem.points is not None
    assert problem.metric is not None
    turned = problem.agents > problem.jobs
    left, right = reversed(problem.points) if turned else problem.points
    values = of_points(left, right, problem.metric, problem.maximise)
    low = np.minimum(left.min(axis=0), right.min(axis=0))
    sides = np.maximum(left.max(axis=0), right.max(axis=0)) - low
    with np.errstate(over="ignore"):  # the ledger refuses what is infinite
        square = float((sides**2).sum())
    far = {
        "euclidean": square**0.5,
        "sqeuclidean": square,
        "cityblock": float(sides.sum()),
        "chebyshev": float(sides.max()),
    }[problem.metric]
    sign = 1 if problem.maximise else -1
    high = far if problem.maximise else 0.0
    return Prepared(values, None, turned, sign, 0, high, far, False, False, False)


def _of_arcs(problem: Assignment) -> Prepared:
    assert problem.arcs is not None
    turned = problem.agents > problem.jobs
    arcs = transposed(problem.arcs, problem.jobs) if turned else problem.arcs
    rows, columns = sorted((problem.agents, problem.jobs))
    data = arcs[2]
    finite = np.isfinite(data)
    shift = 0
    low, high = (data[finite].min(), data[finite].max()) if finite.any() else (0, 0)
    price: Any = np.float64
    huge = False
    if problem.integral:
        shift, low, high = int(low), 0, int(high) - int(low)
        if high * (rows + 2) >= EXACT:
            price = np.int64
        huge = high * (rows + 2) >= LIMIT
        data = (data - np.int64(shift)) if not huge else data
    sign = 1 if problem.maximise else -1
    values = of_arcs(rows, columns, price, problem.maximise)
    lists = complete_lists(arcs, data.astype(price) * price(sign), values.lowest)
    low, high = (low, high) if problem.maximise else (-high, -low)
    return Prepared(
        values,
        lists,
        turned,
        sign,
        shift,
        float(high),
        float(high - low),
        problem.integral or bool(np.all(data == np.floor(data))),
        True,
        huge,
    )
