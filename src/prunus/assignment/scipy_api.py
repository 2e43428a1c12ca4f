"""``linear_sum_assignment``: SciPy's call, its answers, and its words when something is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.errors import InputError
from prunus.hardware.devices import available_cores
from prunus.model.arrays import AnyArray, Int64Array
from prunus.model.scalar import truth

__all__ = ["linear_sum_assignment"]

_SMALL = 12_000
"""Up to so many entries whole rows are faster than lists."""

_QUICK = frozenset("?bBhHiIlLqQefd")
"""Types of at most 64 bits that NumPy turns into float64; what that rounds is noticed."""

_ARRAY = ("__array__", "__array_interface__", "__array_struct__", "__buffer__")


def linear_sum_assignment(
    cost_matrix: Any, maximize: bool = False
) -> tuple[Int64Array, Int64Array]:
    """Solve the linear assignment problem; a drop-in replacement for SciPy's function.

    Uses all cores available to the process. Integers of any size are exact: they are never
    rounded to floats.

    Parameters
    ----------
    cost_matrix
        Shape (n, m). Infinite entries (of the unfavourable sign) are forbidden pairs. Arrays must
        be of a type that converts safely to float64, as for SciPy; anything else is converted.
    maximize
        Whether to find the largest sum instead of the smallest.

    Returns
    -------
    row_ind, col_ind : ndarray of int64
        Of length min(n, m): the pairs of an optimal assignment, sorted by row. If several are
        optimal, the choice may differ from SciPy's.

    Raises
    ------
    InputError
        A ``ValueError``: if it is not a matrix, holds NaN or infinity of the wrong sign, or allows
        no assignment.
    TypeError
        If its entries cannot be converted safely to numbers.

    Examples
    --------
    >>> rows, columns = linear_sum_assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    >>> columns
    array([1, 0, 2])
    """
    # Only now: it brings Numba, which takes longer to import than all the rest.
    from prunus.assignment.exact.dense_paths import IMPOSSIBLE, NOT_FINITE, SOLVED, solve_one

    maximise = truth("maximize", maximize)
    matrix = cost_matrix if type(cost_matrix) is np.ndarray else _numbers(cost_matrix)
    if 0 < matrix.size <= _SMALL and matrix.ndim == 2 and matrix.dtype.char in _QUICK:
        status, rows, columns = solve_one(matrix, maximise)
        if status == SOLVED:
            return rows, columns  # type: ignore[return-value]
        if status == NOT_FINITE:
            raise InputError("matrix contains invalid numeric entries")
        if status == IMPOSSIBLE:
            raise InputError("cost matrix is infeasible")
    return _large(_numbers(cost_matrix), maximise)


def _large(matrix: AnyArray, maximise: bool) -> tuple[Int64Array, Int64Array]:
    """Solve what is too large, or has too large numbers, for whole rows in float64."""
    from prunus.assignment.exact.optimum import NotFiniteError, optimum

    try:
        columns = optimum(matrix, maximise, available_cores())
    except NotFiniteError:
        raise InputError("matrix contains invalid numeric entries") from None
    if columns is None:
        raise InputError("cost matrix is infeasible")
    rows = np.flatnonzero(columns >= 0)
    return rows, columns[rows]


def _numbers(cost_matrix: Any) -> AnyArray:
    """Return a 2-D array of float32, float64 or int64; other kinds as float64.

    As in SciPy, an array must be of a kind that float64 can hold safely; whatever else NumPy makes
    an array of, it makes one of float64 of, strings and None and all.
    """
    try:
        try:
            matrix = np.asarray(cost_matrix)
        except (TypeError, ValueError):
            matrix = np.asarray(cost_matrix, dtype=np.float64)
        if matrix.dtype.kind not in "biuf" or not np.can_cast(matrix.dtype, np.float64):
            if any(hasattr(cost_matrix, name) for name in _ARRAY):
                matrix = matrix.astype(np.float64, casting="safe")
            else:
                matrix = np.asarray(cost_matrix, dtype=np.float64)
    except ValueError as error:
        raise InputError(str(error)) from None
    if matrix.ndim != 2:
        raise InputError(f"expected a matrix (2-D array), got a {matrix.ndim} array")
    if matrix.dtype.kind in "bi" or (matrix.dtype.kind == "u" and matrix.dtype.itemsize < 8):
        return matrix.astype(np.int64, copy=False)
    if matrix.dtype.kind == "u":
        return _signed(matrix)
    if matrix.dtype != np.float32 or not matrix.dtype.isnative:
        return matrix.astype(np.float64, copy=False)
    return matrix


def _signed(matrix: AnyArray) -> AnyArray:
    """Return uint64 as int64; what is taken off every value changes no choice.

    Values that are too far apart for that are returned as they are, for arithmetic without limit.
    """
    if matrix.size == 0 or int(matrix.max()) < 2**63:
        return matrix.astype(np.int64)
    least = matrix.min()
    if int(matrix.max()) - int(least) < 2**63:
        shifted: AnyArray = (matrix - least).astype(np.int64)
        return shifted
    return matrix
