"""From a matrix to its optimal assignment: which exact method, in which arithmetic.

Whole numbers are never rounded: they are solved in 128 bits where sums leave 64.
"""

from __future__ import annotations

import numpy as np

from prunus._native.assignment import Status
from prunus.assignment.arithmetic import sums_are_finite
from prunus.assignment.exact.dense import solve_whole_rows, solve_wide, whole_rows_budget
from prunus.assignment.exact.solver import ExactSolver, PricesTooLargeError
from prunus.assignment.instance import monge
from prunus.assignment.instance.matrix_scan import scan_matrix
from prunus.assignment.instance.prepared import PreparedInstance, from_scan
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, Int64Array

_SMALLER = -100
"""The power of 2 by which floats are multiplied whose sums may be beyond the largest."""


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
    budget = whole_rows_budget(matrix)
    if budget > 0:
        status, columns, _, _ = solve_whole_rows(matrix, maximise, budget)
        if status == Status.NOT_FINITE:
            raise NotFiniteError
        if status == Status.SOLVED:
            return columns
        if status == Status.IMPOSSIBLE:
            return None
        if status == Status.TOO_LARGE and matrix.dtype.kind == "f":
            return optimum(np.ldexp(matrix, _SMALLER), maximise, cores)
        if status == Status.TOO_LARGE:
            return solve_wide(matrix, maximise)[0]
    if matrix.dtype == np.uint64:
        least = matrix.min()
        if int(matrix.max()) - int(least) >= 2**63:
            return solve_wide(matrix, maximise)[0]
        matrix = (matrix - least).astype(np.int64)  # which changes no choice
    threads = Threads(cores)
    found = scan_matrix(np.ascontiguousarray(matrix), threads, copy=False)
    if found.missing or (found.plus if maximise else found.minus):
        raise NotFiniteError
    if found.matrix.dtype.kind == "f" and not sums_are_finite(max(found.high, -found.low), n):
        return optimum(np.ldexp(matrix, _SMALLER), maximise, cores)
    prepared = from_scan(found, maximise, False)
    if prepared.huge:
        return solve_wide(found.matrix, maximise)[0]
    return solve_prepared(prepared, threads)


def solve_prepared(prepared: PreparedInstance, threads: Threads) -> Int64Array | None:
    """Find the optimal column of each row; None if no assignment avoids the forbidden pairs."""
    sorted_ = monge.recognise(prepared)
    if sorted_ is not None:
        return sorted_[0]
    exact = ExactSolver(prepared, threads)
    try:
        for _ in exact.steps(lambda: 2**40):
            pass
    except PricesTooLargeError:
        return solve_wide(prepared.values.matrix, prepared.sign > 0)[0]
    return exact.column.astype(np.int64) if exact.feasible else None
