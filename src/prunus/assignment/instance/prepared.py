"""From a problem to what native code solves: benefits, no more rows than columns, exact numbers.

Integers go into float64 (or float32, to be read faster) as long as no sum can leave the whole
numbers that these hold, beyond that into int64, and beyond that nowhere: `huge` solves them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from prunus.assignment.arithmetic import sums_are_exact
from prunus.assignment.instance.benefits import (
    Benefits,
    of_arcs,
    of_matrix,
    of_points,
    with_all_distances,
)
from prunus.assignment.instance.facts import InstanceFacts
from prunus.assignment.instance.matrix_scan import EXACT, MatrixScan, scan_matrix
from prunus.assignment.instance.pairs import PairLists
from prunus.assignment.problem import Assignment
from prunus.assignment.stepwise import CheckTime
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, Int32Array, Int64Array

Arcs = tuple[Int64Array, Int32Array, AnyArray]
"""Where the allowed pairs of each row begin, their columns, and their values."""

LIMIT = 2**60
"""Prices in int64 stay below this."""


@dataclass(frozen=True, slots=True)
class PreparedInstance(InstanceFacts):
    """An instance as the solvers on cores take it."""

    values: Benefits
    """Values, rows at most columns."""
    narrow: bool = False
    """Values of the matrix are not of float32, but it holds them: worth a copy if they are to be
    read often."""
    lists: PairLists | None = None
    """The pairs of a sparse instance; else None."""

    @property
    def auction_applies(self) -> bool:
        """Whether the auction applies: a bid needs a second column to compare with."""
        return self.rows == self.columns > 1 and not self.forbidden

    @property
    def facts(self) -> InstanceFacts:
        """What is known, without the values."""
        return InstanceFacts(*(getattr(self, field.name) for field in fields(InstanceFacts)))


def prepare(
    problem: Assignment,
    threads: Threads,
    *,
    all_distances: bool = False,
    pause: CheckTime | None = None,
    copy: bool = True,
) -> PreparedInstance:
    """Prepare a problem that is not a stack; with all distances of points in a matrix, or not.

    ``copy`` is as for `scan_matrix`.
    Raises ``StoppedError`` if ``pause``, which is called while a matrix is looked at, does.
    """
    if problem.matrix is not None:
        return prepare_matrix(problem.matrix, problem.maximise, threads, pause, copy=copy)
    if problem.points is not None:
        prepared = _of_points(problem)
        if all_distances:
            return replace(prepared, values=with_all_distances(prepared.values, threads))
        return prepared
    return _of_arcs(problem)


def prepare_matrix(
    matrix: AnyArray,
    maximise: bool,
    threads: Threads,
    pause: CheckTime | None = None,
    *,
    copy: bool = True,
) -> PreparedInstance:
    """Prepare a matrix of float32, float64, int32 or int64."""
    transposed = matrix.shape[0] > matrix.shape[1]
    lines = np.ascontiguousarray(matrix.T if transposed else matrix)
    found = scan_matrix(lines, threads, pause, copy=copy)
    return from_scan(found, maximise, transposed)


def from_scan(found: MatrixScan, maximise: bool, transposed: bool) -> PreparedInstance:
    """Prepare what a scan_matrix has looked at."""
    values = of_matrix(found.matrix, maximise, floats=found.floats)
    spread = found.high - found.low
    huge = not found.floats and spread >= LIMIT // (len(found.matrix) + 2)
    return PreparedInstance(
        *values.shape,
        transposed=transposed,
        sign=1 if maximise else -1,
        shift=found.shift,
        high=found.high if maximise else -found.low,
        spread=spread,
        integral=found.integral,
        forbidden=found.plus or found.minus,
        huge=huge,
        values=values,
        narrow=found.narrow,
    )


def _of_points(problem: Assignment) -> PreparedInstance:
    assert problem.points is not None
    assert problem.metric is not None
    transposed = problem.agents > problem.jobs
    left, right = reversed(problem.points) if transposed else problem.points
    values = of_points(left, right, problem.metric, problem.maximise)
    low = np.minimum(left.min(axis=0), right.min(axis=0))
    sides = np.maximum(left.max(axis=0), right.max(axis=0)) - low
    with np.errstate(over="ignore"):  # the certificate refuses what is infinite
        square = float((sides**2).sum())
    far = {
        "euclidean": square**0.5,
        "sqeuclidean": square,
        "cityblock": float(sides.sum()),
        "chebyshev": float(sides.max()),
    }[problem.metric]
    sign = 1 if problem.maximise else -1
    high = far if problem.maximise else 0.0
    return PreparedInstance(
        len(left), len(right), transposed, sign, 0, high, far,
        integral=False, forbidden=False, huge=False, values=values,
    )  # fmt: skip


def _of_arcs(problem: Assignment) -> PreparedInstance:
    assert problem.arcs is not None
    transposed = problem.agents > problem.jobs
    arcs = _transposed(problem.arcs, problem.jobs) if transposed else problem.arcs
    columns = max(problem.agents, problem.jobs)
    prepared = prepare_arcs(arcs, columns, maximise=problem.maximise, transposed=transposed)
    whole = sums_are_exact(prepared.largest, prepared.rows) and _is_whole(arcs[2])
    return replace(prepared, integral=prepared.integral or whole)


def prepare_arcs(arcs: Arcs, columns: int, *, maximise: bool, transposed: bool) -> PreparedInstance:
    """Prepare the allowed pairs of rows with so many columns; the rows are jobs if ``transposed``.

    Values are of float32, float64 or int64; whether floats are whole numbers is not looked for.
    """
    data, rows = arcs[2], len(arcs[0]) - 1
    low, high = _finite_extremes(data)
    sign = 1 if maximise else -1
    shift = 0
    price: Any = np.float64
    huge = False
    integral = data.dtype.kind == "i"
    if integral:
        shift, low, high = int(low), 0, int(high) - int(low)
        if high * (rows + 2) >= EXACT:
            price = np.int64
        huge = high * (rows + 2) >= LIMIT
        data = data if huge else data - np.int64(shift)
    values = of_arcs(rows, columns, price, maximise)
    benefits = np.multiply(data, price(sign), dtype=price)
    heads = np.ascontiguousarray(arcs[1], np.int32)
    lists = PairLists(np.ascontiguousarray(arcs[0], np.int64), heads, benefits, columns)
    low, high = (low, high) if maximise else (-high, -low)
    return PreparedInstance(
        rows,
        columns,
        transposed=transposed,
        sign=sign,
        shift=shift,
        high=float(high),
        spread=float(high - low),
        integral=integral,
        forbidden=True,
        huge=huge,
        values=values,
        lists=lists,
    )


def _finite_extremes(data: AnyArray) -> tuple[Any, Any]:
    """Return the least and the largest of the finite values; 0 if there is none."""
    if not len(data):
        return 0, 0
    low, high = data.min(), data.max()
    if np.isfinite(low) and np.isfinite(high):
        return low, high
    finite = data[np.isfinite(data)]
    return (finite.min(), finite.max()) if len(finite) else (0, 0)


def _is_whole(data: AnyArray) -> bool:
    """Tell whether all values are whole numbers, which the first ones mostly say."""
    return all(bool(np.all(some == np.floor(some))) for some in (data[:100], data))


def _transposed(arcs: Arcs, columns: int) -> Arcs:
    """Sort the arcs by their heads."""
    start, heads, data = arcs
    tails = np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))
    order = np.argsort(heads, kind="stable")
    transposed = np.zeros(columns + 1, np.int64)
    np.cumsum(np.bincount(heads, minlength=columns), out=transposed[1:])
    return transposed, tails[order], data[order]
