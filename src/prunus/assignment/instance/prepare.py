"""From a problem to what compiled code solves: benefits, no more rows than columns, exact numbers.

Integers go into float64 (or float32, to be read faster) as long as no sum can leave the whole
numbers that these hold, beyond that into int64, and beyond that nowhere: `huge` solves them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.exact.lists import Lists
from prunus.assignment.instance.arcs import complete_lists, transposed
from prunus.assignment.instance.facts import Facts
from prunus.assignment.instance.survey import EXACT, Survey, survey
from prunus.assignment.problem import Assignment
from prunus.assignment.rows.distances import with_matrix
from prunus.assignment.rows.values import Values, of_arcs, of_matrix, of_points
from prunus.assignment.steps import Pause
from prunus.assignment.threads import Threads

__all__ = ["LIMIT", "Prepared", "from_survey", "prepare", "prepare_matrix"]

LIMIT = 2**60
"""Prices in int64 stay below this."""


@dataclass(frozen=True, slots=True)
class Prepared(Facts):
    """An instance as the solvers on cores take it.

    Attributes
    ----------
    values
        Benefits, rows at most columns.
    lists
        Complete lists of a sparse instance; else None.
    """

    values: Values
    lists: Lists | None = None

    @property
    def auction(self) -> bool:
        """Whether the auction applies."""
        return self.rows == self.columns and not self.forbidden

    @property
    def facts(self) -> Facts:
        """What is known, without the values."""
        return Facts(*(getattr(self, field.name) for field in fields(Facts)))


def prepare(
    problem: Assignment, threads: Threads, *, hold: bool = False, pause: Pause | None = None
) -> Prepared:
    """Prepare a problem that is not a stack; ``hold`` all distances of points in a matrix.

    Raises
    ------
    StoppedError
        If ``pause``, which is called while a matrix is looked at, does.
    """
    if problem.matrix is not None:
        return prepare_matrix(problem.matrix, problem.maximise, threads, pause)
    if problem.points is not None:
        prepared = _of_points(problem)
        if hold:
            return replace(prepared, values=with_matrix(prepared.values, threads))
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
        *values.shape,
        turned=turned,
        sign=1 if maximise else -1,
        shift=found.shift,
        high=found.high if maximise else -found.low,
        spread=spread,
        integral=found.integral,
        forbidden=found.plus or found.minus,
        huge=huge,
        values=values,
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
    return Prepared(
        len(left), len(right), turned, sign, 0, high, far,
        integral=False, forbidden=False, huge=False, values=values,
    )  # fmt: skip


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
        rows,
        columns,
        turned=turned,
        sign=sign,
        shift=shift,
        high=float(high),
        spread=float(high - low),
        integral=problem.integral or bool(np.all(data == np.floor(data))),
        forbidden=True,
        huge=huge,
        values=values,
        lists=lists,
    )
