"""How compiled code sees an instance: benefits to be maximised, row by row, and nothing else.

A matrix is read where it lies, in float32, float64 or int64, with a sign that turns costs into
benefits. Points with a metric have no matrix: a row is computed when it is looked at.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prunus.assignment.distances import METRICS
from prunus.hardware.jit.compiled import inner, outer
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, FloatArray, Int64Array, Number

NONE = -1
"""No row, no column, no metric."""


class Benefits(NamedTuple):
    """The benefit of row i and column j: ``sign * matrix[i, j]``, or ``sign`` times a distance."""

    matrix: AnyArray
    """Shape (n, m), or (0, m) for points. Minus infinity times the sign is a forbidden pair."""
    sign: Number
    """1 or -1, of the type in which prices are kept."""
    lowest: Number
    """Below every net value; stands for a forbidden pair."""
    left: FloatArray
    right: FloatArray
    """The points, shapes (n, d) and (d, m); empty for a matrix."""
    metric: int
    """The number of the metric; ``NONE`` for a matrix."""

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and of columns."""
        if self.metric == NONE:
            return self.matrix.shape[0], self.matrix.shape[1]
        return self.left.shape[0], self.right.shape[1]

    @property
    def price(self) -> np.dtype[Any]:
        """The type in which prices are kept: int64 for int64, float64 for all others."""
        return np.dtype(np.int64 if self.matrix.dtype == np.int64 else np.float64)

    @property
    def highest(self) -> Number:
        """What is above every distance of a shortest path."""
        return -self.lowest


class RowScratch(NamedTuple):
    """What one thread needs to look at a row: a computed row, maxima of its blocks, some blocks."""

    row: AnyArray
    top: AnyArray
    hot: Int64Array


def of_matrix(matrix: AnyArray, maximise: bool) -> Benefits:
    """Look at a C-contiguous matrix of float32, float64 or int64."""
    kind: Any = np.int64 if matrix.dtype == np.int64 else np.float64
    none = _reading(np.zeros((0, 0)))
    sign = kind(1 if maximise else -1)
    return Benefits(_reading(matrix), sign, _lowest(kind), none, none, NONE)


def of_points(left: FloatArray, right: FloatArray, metric: str, maximise: bool) -> Benefits:
    """Look at distances between two sets of points, shapes (n, d) and (m, d)."""
    return Benefits(
        _reading(np.zeros((0, len(right)))),
        np.float64(1 if maximise else -1),
        _lowest(np.float64),
        _reading(left),
        _reading(right.T),
        METRICS.index(metric),
    )


def _lowest(kind: type[np.int64] | type[np.float64]) -> Any:
    """Return what is below every net value in prices of a type."""
    return np.int64(-(2**62)) if kind is np.int64 else np.float64(-np.inf)


def _reading(array: AnyArray) -> AnyArray:
    """Return a contiguous view for reading only: Numba compiles anew for each way to hold data."""
    view = np.ascontiguousarray(array).view()
    view.setflags(write=False)
    return view


def new_row_scratch(values: Benefits) -> RowScratch:
    """Make the arrays that one thread needs."""
    columns = values.shape[1]
    length = 0 if values.metric == NONE else columns
    return RowScratch(
        np.zeros((1, length), values.matrix.dtype),
        np.zeros(max(columns, 1), values.price),
        np.zeros(max(columns, 1), np.int64),
    )


def of_arcs(rows: int, columns: int, price: Any, maximise: bool) -> Benefits:
    """Look at an instance whose lists hold all there is: points without coordinates."""
    kind = np.dtype(price).type
    sign = kind(1 if maximise else -1)
    none = _reading(np.zeros((0, columns), price))
    left, right = _reading(np.zeros((rows, 0))), _reading(np.zeros((0, columns)))
    return Benefits(none, sign, _lowest(kind), left, right, 0)


@inner
def locate_row(values: Benefits, work: RowScratch, i: int) -> int:
    """Return where row i is: in ``matrix``, or 0 in ``work.row`` after computing it there."""
    if values.metric < 0:
        return i
    left, right, row = values.left, values.right, work.row
    m = right.shape[1]
    for j in range(m):
        row[0, j] = 0.0
    for d in range(left.shape[1]):
        x = left[i, d]
        if values.metric <= 1:
            for j in range(m):
                row[0, j] += (x - right[d, j]) * (x - right[d, j])
        elif values.metric == 2:
            for j in range(m):
                row[0, j] += abs(x - right[d, j])
        else:
            for j in range(m):
                row[0, j] = max(row[0, j], abs(x - right[d, j]))
    if values.metric == 0:
        for j in range(m):
            row[0, j] = np.sqrt(row[0, j])
    return 0


# All distances of points, where there is room: reading one is faster than computing it.


@outer
def _fill(values: Benefits, work: RowScratch, target: AnyArray, begin: int, end: int) -> None:
    for i in range(begin, end):
        locate_row(values, work, i)
        row, source = target[i], work.row[0]
        for j in range(row.shape[0]):
            row[j] = source[j]


def with_all_distances(values: Benefits, threads: Threads) -> Benefits:
    """Return the same instance as a matrix of float64."""
    n, m = values.shape
    target = np.empty((n, m))
    threads.share(
        n, lambda _, begin, end: _fill(values, new_row_scratch(values), target, begin, end)
    )
    return of_matrix(target, values.sign > 0)
