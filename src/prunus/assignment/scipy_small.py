"""The short way of ``linear_sum_assignment``: small plain matrices go straight to their kernel.

For the smallest of them every tenth of a microsecond counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from prunus.assignment.scipy_matrix import INFEASIBLE, NOT_FINITE
from prunus.errors import InputError
from prunus.model.arrays import AnyArray, Int64Array
from prunus.model.scalar import truth

_NO_LISTS = 1_000_000
"""Up to so many entries the compact kernel solves everything, see ``exact.whole_rows``."""

_QUICK = frozenset("?bBhHiIlLqQefd")
"""Types of at most 64 bits that NumPy turns into float64; what that rounds is noticed."""

_NDARRAY, _FLOAT64, _INT64 = np.ndarray, np.dtype(np.float64), np.dtype(np.int64)
_empty, _asarray = np.empty, np.asarray

_small_entries = _small_columns = _small_side = 0
"""The most entries and columns of what `_small_kernel` solves, and the largest square; none before
it is imported, with Numba, which takes longer than all the rest."""

_small_float64 = 0
_small_flags: Mapping[str, int] = {}
_small_kernel: Callable[[AnyArray, int, Int64Array, Int64Array, Int64Array], int]
_no_work: Int64Array
_solve_pairs: Callable[..., tuple[int, Int64Array, Int64Array, Int64Array]] | None = None
"""See `prunus.assignment.exact.compact.paths`."""

_Solve = TypeVar("_Solve", bound=Callable[..., tuple[Int64Array, ...]])


_WORDS = {1: INFEASIBLE, 2: NOT_FINITE}
"""What is said where the compact kernel finds one of these."""


def small_first(solve: _Solve) -> _Solve:
    """Solve small plain matrices before a function that solves everything is called.

    Python spends a tenth of a microsecond on filling in options that are not given.
    """

    @wraps(solve)
    def call(cost_matrix: Any, maximize: Any = False, **options: Any) -> tuple[Int64Array, ...]:
        if options:
            return solve(cost_matrix, maximize, **options)
        matrix = cost_matrix
        if type(matrix) is not _NDARRAY:
            if type(matrix) is not list:
                return solve(cost_matrix, maximize)
            try:
                matrix = _asarray(cost_matrix)
            except (TypeError, ValueError):
                return solve(cost_matrix, maximize)
        shape = matrix.shape
        if len(shape) == 2:
            n, m = shape
            if 0 < n <= m <= _small_side or _small_shape(n, m):
                costs = matrix
                if matrix.dtype is _FLOAT64:
                    flags, order = _small_float64, matrix.flags
                    if not order.carray:
                        if not order.aligned or not order.forc:
                            costs = matrix.astype(_FLOAT64, "C")
                        elif not order.c_contiguous:
                            costs = matrix.T
                            flags += 4
                else:
                    flags = _small_flags.get(matrix.dtype.char, -1)
                    if flags < 0:
                        return solve(cost_matrix, maximize)
                    costs = matrix.astype(_FLOAT64, "C")
                if maximize is not False:
                    flags += maximize is True or truth("maximize", maximize)
                if n > m:
                    n = m
                rows, columns = _empty(n, _INT64), _empty(n, _INT64)
                if _small_kernel(costs, flags, rows, columns, _no_work) == 0:
                    return rows, columns
            elif 0 < n * m <= _NO_LISTS and matrix.dtype.char in _QUICK:
                pairs = _whole_rows(matrix, truth("maximize", maximize))
                if pairs is not None:
                    return pairs
        return solve(matrix if matrix.dtype.char in _QUICK else cost_matrix, maximize)

    return call  # type: ignore[return-value]


def _whole_rows(matrix: AnyArray, maximise: bool) -> tuple[Int64Array, Int64Array] | None:
    """Solve a matrix of at most ``_NO_LISTS`` entries, of types that float64 holds.

    None if sums of its numbers may not be exact in that.
    """
    solve = _solve_pairs or _compact_kernel()
    status, rows, columns, _ = solve(matrix, maximise)
    if status == 0:
        return rows, columns
    if status in _WORDS:
        raise InputError(_WORDS[status])
    return None


def _small_shape(n: int, m: int) -> bool:
    """Tell whether a matrix of this shape is small."""
    return 0 < n * m <= _small_entries and n <= _small_columns and m <= _small_columns


def _compact_kernel() -> Callable[..., tuple[int, Int64Array, Int64Array, Int64Array]]:
    """Import the compact kernel; from then on small matrices come to it directly."""
    global _small_columns, _small_entries, _small_side, _small_flags, _small_float64
    global _small_kernel, _no_work, _solve_pairs
    from prunus.assignment.exact.compact import paths, working_memory

    if _small_columns == 0:
        _small_kernel, _no_work = paths.small_kernel(), paths.NO_WORK
        _small_flags = paths.SMALL_FLAGS
        _small_float64 = _small_flags["d"]
        _small_entries = working_memory.STACKED_ENTRIES
        _small_columns = working_memory.STACKED_COLUMNS
        _small_side = math.isqrt(_small_entries)
        _solve_pairs = paths.solve_pairs
    return paths.solve_pairs
