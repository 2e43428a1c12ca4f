"""From a matrix to its optimal assignment: which exact method, in which arithmetic.

Integers are solved in float64 as long as no sum can leave the whole numbers that float64 holds,
beyond that in int64, and beyond that in Python's integers, which is slow but never rounds.
"""

from __future__ import annotations

import numpy as np

from prunus.assignment.exact import big_integers
from prunus.assignment.exact.dense_paths import INFEASIBLE, solve_stack
from prunus.assignment.exact.solver import ExactSolver, PricesTooLargeError
from prunus.assignment.instance import monge
from prunus.assignment.instance.matrix_scan import MatrixScan, scan_matrix
from prunus.assignment.instance.prepared import PreparedInstance, from_scan
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, FloatArray, Int64Array

__all__ = [
    "SMALL",
    "NotFiniteError",
    "few_distinct",
    "optimum",
    "solve_prepared",
    "whole_row_optimum",
]

SMALL = 12_000
"""Up to so many entries whole rows are faster than lists."""

_MOST_TIES = 25
"""Columns a distinct value: from so many on whole rows are faster than lists."""

_WHOLE_ROW_COLUMNS = 6000
"""With more columns lists are used all the same."""

_SAMPLED = 48
"""Rows and columns of a sample."""


class NotFiniteError(ValueError):
    """There is a NaN, or an infinity that no assignment could do without."""


def optimum(matrix: AnyArray, maximise: bool, cores: int) -> Int64Array | None:
    """Find an optimal assignment of the smaller side of a matrix.

    Parameters
    ----------
    matrix
        Shape (n, m) of float32, float64, int64 or uint64, in any memory order.
    maximise
        The sense.
    threads
        How many threads to use.

    Returns
    -------
    ndarray of int64 or None
        The column of each row, -1 for a row without one; None if no assignment avoids the
        forbidden pairs.

    Raises
    ------
    NotFiniteError
        If there is a NaN or an infinity of the better sign.
    """
    n, m = matrix.shape
    if n == 0 or m == 0:
        if np.isnan(matrix).any():
            raise NotFiniteError
        return np.full(n, -1, np.int64)
    if n > m:
        rows = optimum(matrix.T, maximise, cores)
        if rows is None:
            return None
        columns = np.full(n, -1, np.int64)
        columns[rows] = np.arange(m)
        return columns
    matrix = np.ascontiguousarray(matrix)
    if matrix.dtype == np.uint64:
        return big_integers.solve(matrix, maximise)[0]
    threads = Threads(1 if matrix.size <= SMALL else cores)
    if matrix.size <= SMALL and matrix.dtype != np.int64:
        return _small(matrix.astype(np.float64, copy=False), maximise, threads)
    return _large(scan_matrix(matrix, threads), maximise, threads)


def _small(matrix: FloatArray, maximise: bool, threads: Threads) -> Int64Array | None:
    worst = -np.inf if maximise else np.inf
    if not np.isfinite(matrix).all() and (
        np.isnan(matrix).any() or np.any(np.isinf(matrix) & (matrix != worst))
    ):
        raise NotFiniteError
    columns, _ = solve_stack(matrix[None], maximise, threads)
    return None if columns[0, 0] == INFEASIBLE else columns[0]


def _large(found: MatrixScan, maximise: bool, threads: Threads) -> Int64Array | None:
    if found.missing or (found.plus if maximise else found.minus):
        raise NotFiniteError
    prepared = from_scan(found, maximise, False)
    if prepared.huge:
        return big_integers.solve(found.matrix, maximise)[0]
    if found.matrix.size <= SMALL:
        return solve_whole_rows(prepared, threads)
    return solve_prepared(prepared, threads)


def solve_whole_rows(prepared: PreparedInstance, threads: Threads) -> Int64Array | None:
    """Find the optimal column of each row with whole rows, without lists; None if there is none."""
    return whole_row_optimum(prepared, threads)[0]


def whole_row_optimum(
    prepared: PreparedInstance, threads: Threads
) -> tuple[Int64Array | None, AnyArray]:
    """Do the same; return the prices that prove it, too."""
    matrix = prepared.values.matrix
    if matrix.dtype == np.float32:
        matrix = matrix.astype(np.float64)
    columns, prices = solve_stack(matrix[None], prepared.sign > 0, threads)
    return None if columns[0, 0] == INFEASIBLE else columns[0], prices[0]


def few_distinct(prepared: PreparedInstance) -> bool:
    """Tell, from a sample, whether a row's best value stands in more columns than a list holds.

    Then lists say nothing, and searches go through all ties: scanning whole rows is faster.
    """
    matrix = prepared.values.matrix
    if prepared.lists is not None or prepared.values.metric >= 0:
        return False
    rows, columns = matrix.shape
    if columns < _MOST_TIES or columns > _WHOLE_ROW_COLUMNS:
        return False
    sample = matrix[:: max(1, rows // _SAMPLED), :: max(1, columns // _SAMPLED)]
    return bool(len(np.unique(sample)) * _MOST_TIES <= columns)


def solve_prepared(prepared: PreparedInstance, threads: Threads) -> Int64Array | None:
    """Find the optimal column of each row; None if no assignment avoids the forbidden pairs."""
    sorted_ = monge.recognise(prepared)
    if sorted_ is not None:
        return sorted_[0]
    if few_distinct(prepared):
        return solve_whole_rows(prepared, threads)
    exact = ExactSolver(prepared, threads)
    try:
        for _ in exact.steps(lambda: 2**40):
            pass
    except PricesTooLargeError:
        return big_integers.solve(prepared.values.matrix, prepared.sign > 0)[0]
    return exact.auction.column if exact.feasible else None
