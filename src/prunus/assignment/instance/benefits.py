"""How native code sees an instance: benefits to be maximised, row by row, and nothing else.

A matrix is read where it lies, in float32, float64 or int64, with a sign that turns costs into
benefits. Points with a metric have no matrix: a row is computed when it is looked at.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prunus._native.assignment import write_distances
from prunus.assignment.distances import METRICS
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, FloatArray, Number

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
        """The type in which prices are kept: int64 where float64 does not hold sums of integers."""
        return np.dtype(type(self.sign))

    @property
    def highest(self) -> Number:
        """What is above every distance of a shortest path."""
        return -self.lowest


def of_matrix(matrix: AnyArray, maximise: bool, *, floats: bool = False) -> Benefits:
    """Look at a C-contiguous matrix of float32, float64 or int64.

    With ``floats`` float64 holds all sums of a matrix of int32 or int64.
    """
    kind: Any = np.int64 if matrix.dtype == np.int64 and not floats else np.float64
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
    """Return a contiguous view for reading only."""
    view = np.ascontiguousarray(array).view()
    view.setflags(write=False)
    return view


def of_arcs(rows: int, columns: int, price: Any, maximise: bool) -> Benefits:
    """Look at an instance whose lists hold all there is: points without coordinates."""
    kind = np.dtype(price).type
    sign = kind(1 if maximise else -1)
    none = _reading(np.zeros((0, columns), price))
    left, right = _reading(np.zeros((rows, 0))), _reading(np.zeros((0, columns)))
    return Benefits(none, sign, _lowest(kind), left, right, 0)


def with_all_distances(values: Benefits, threads: Threads) -> Benefits:
    """Return the same instance as a matrix: reading a distance is faster than computing it."""
    target = np.empty(values.shape)
    threads.share(len(target), lambda _, begin, end: write_distances(values, begin, end, target))
    return of_matrix(target, values.sign > 0)
