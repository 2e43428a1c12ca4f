"""From a matrix to its optimal assignment: which exact method, in which arithmetic.

Integers are solved in float64 as long as no sum can leave the whole numbers that float64 holds,
beyond that in int64, and beyond that in Python's integers, which is slow but never rounds.
"""

from __future__ import annotations

import numpy as np

from prunus.assignment.arithmetic import sums_are_finite
from prunus.assignment.exact import big_integers
from prunus.assignment.exact.compact.paths import IMPOSSIBLE, NOT_FINITE, SOLVED
from prunus.assignment.exact.solver import ExactSolver, PricesTooLargeError
from prunus.assignment.exact.whole_rows import (
    few_distinct,
    scan_rows,
    scans_allowed,
    too_early_for_lists,
    whole_row_optimum,
)
from prunus.assignment.instance import monge
from prunus.assignment.instance.matrix_scan import scan_matrix
from prunus.assignment.instance.prepared import PreparedInstance, from_scan
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, Int64Array

_SMALLER = -100
"""The power of 2 by which floats are multiplied whose sums may be beyond the largest."""

_SMALL = 12_000
"""Up to so many entries whole rows are faster than lists in any arithmetic."""


class NotFiniteError(ValueError):
    """There is a NaN, or an infinity that no assignment could do without."""


def optimum(matrix: AnyArray, maximise: bool, cores: int) -> Int64Array | None:
    """Find an optimal assignment of the smaller side of a matrix.

    Returns the column of each row, -1 for a row without one; None if no assignment avoids the
    forbidden pairs. Raises ``NotFiniteError`` if there is a NaN or an infinity of the better sign.

    The matrix is of float32, float64, int64 or uint64, in any memory order.
    """
    n, m = matrix.shape
    if n == 0 or m == 0:
        return np.full(n, -1, np.int64)
    if n > m:
        rows = optimum(matrix.T, maximise, cores)
        if rows is None:
            return None
        columns = np.full(n, -1, np.int64)
        columns[rows] = np.arange(m)
        return columns
    if matrix.dtype == np.uint64:
        least = matrix.min()
        if int(matrix.max()) - int(least) >= 2**63:
            return big_integers.solve(matrix, maximise)[0]
        matrix = (matrix - least).astype(np.int64)  # which changes no choice
    scans = scans_allowed(matrix)
    if scans > 0:
        status, columns, _ = scan_rows(matrix, maximise, scans)
        if status == NOT_FINITE:
            raise NotFiniteError
        if status in (SOLVED, IMPOSSIBLE):
            return columns if status == SOLVED else None
    threads = Threads(cores)
    found = scan_matrix(np.ascontiguousarray(matrix), threads)
    if found.missing or (found.plus if maximise else found.minus):
        raise NotFiniteError
    if found.matrix.dtype.kind == "f" and not sums_are_finite(max(found.high, -found.low), n):
        return optimum(np.ldexp(matrix, _SMALLER), maximise, cores)
    prepared = from_scan(found, maximise, False)
    if prepared.huge:
        return big_integers.solve(found.matrix, maximise)[0]
    if matrix.size <= _SMALL or too_early_for_lists(prepared.values.matrix):
        return whole_row_optimum(prepared.values.matrix, maximise)[0]
    return solve_prepared(prepared, threads)


def solve_prepared(prepared: PreparedInstance, threads: Threads) -> Int64Array | None:
    """Find the optimal column of each row; None if no assignment avoids the forbidden pairs."""
    sorted_ = monge.recognise(prepared)
    if sorted_ is not None:
        return sorted_[0]
    matrix = prepared.values.matrix
    if few_distinct(matrix):
        return whole_row_optimum(matrix, prepared.sign > 0)[0]
    exact = ExactSolver(prepared, threads)
    try:
        for _ in exact.steps(lambda: 2**40):
            pass
    except PricesTooLargeError:
        return big_integers.solve(prepared.values.matrix, prepared.sign > 0)[0]
    return exact.auction.column if exact.feasible else None
