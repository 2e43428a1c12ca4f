"""What ``linear_sum_assignment`` takes beyond SciPy's: stacks, sparse matrices, a limit of cost."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from prunus._native.assignment import Status, match_in_order
from prunus.assignment.arithmetic import sums_are_finite
from prunus.assignment.clipped import LARGE, clip, few_pairs_of
from prunus.assignment.cost_limit import checked_limit, clipped, fitted, nearer
from prunus.assignment.exact.dense import SIDE_BY_SIDE, solve_all
from prunus.assignment.exact.sparse import sparse_optimum
from prunus.assignment.instance.prepared import PreparedInstance, prepare, prepare_arcs
from prunus.assignment.problem import Assignment
from prunus.assignment.scipy_matrix import INFEASIBLE, NOT_FINITE
from prunus.assignment.validation import check_values, sparse_lines, sparse_shape
from prunus.errors import InputError, OptionError
from prunus.hardware.devices import available_cores
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, Int64Array

Pairs = tuple[Int64Array, Int64Array]


# A limit: see ``cost_limit.py``.


def within_reach(matrix: AnyArray, limit: float, maximise: bool) -> AnyArray:
    """Return a matrix in which nothing is worse than the limit."""
    number = checked_limit(limit, maximise)
    if number is None:
        return matrix
    if matrix.dtype.kind in "iu":
        number = min(max(number, -(2**63)), 2**64 if matrix.dtype.kind == "u" else 2**63 - 1)
    rows = min(matrix.shape[-2:])
    return clipped(*fitted(matrix, nearer(matrix, number, rows), rows), maximise)


def within_limit(matrix: AnyArray, pairs: Pairs, limit: float, maximise: bool) -> Pairs:
    """Take out the pairs that are beyond the limit; in stacks -1 stands for them, at the end."""
    rows, columns = pairs
    single = matrix.ndim == 2
    values = matrix[rows, columns] if single else matrix[np.arange(len(matrix))[:, None], *pairs]
    if values.dtype.kind == "f":  # beyond all float32 a limit is not infinite: it forbids
        values, limit = fitted(values, limit, 1)
    if single:
        kept = values >= limit if maximise else values <= limit
        return rows[kept], columns[kept]
    left_out = values < limit if maximise else values > limit
    order = np.argsort(left_out, axis=1, kind="stable")
    pairs = tuple(np.take_along_axis(np.where(left_out, -1, part), order, axis=1) for part in pairs)  # type: ignore[assignment]
    return pairs


def with_unmatched(pairs: Pairs, shape: tuple[int, ...]) -> tuple[Int64Array, ...]:
    """Add the rows and the columns that are in no pair."""
    without = (
        np.setdiff1d(np.arange(size), part, assume_unique=True)
        for part, size in zip(pairs, shape, strict=True)
    )
    return *pairs, *without


# SciPy's own choice among ties.


def as_scipy(matrix: AnyArray, maximise: bool) -> Pairs:
    """Solve one matrix by SciPy's algorithm, in its order and arithmetic."""
    n, m = matrix.shape
    costs = matrix.astype(np.float64)
    if not _is_finite(costs, maximise):
        raise InputError(NOT_FINITE)
    if n == 0 or m == 0:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    tall = n > m
    a = np.ascontiguousarray(costs.T if tall else costs)
    matched, columns, _ = match_in_order(a, maximise)
    if not matched:
        raise InputError(INFEASIBLE)
    if not tall:
        return np.arange(n), columns
    order = np.argsort(columns)
    return columns[order], order


def _is_finite(values: AnyArray, maximise: bool) -> bool:
    """Tell whether there is no NaN and nothing infinitely good."""
    if values.dtype.kind != "f" or values.size == 0:
        return True
    return bool((values.max() if maximise else -values.min()) < np.inf)


# Sparse matrices.


def solve_sparse(given: Any, maximise: bool, limit: float | None) -> Pairs:
    """Match as many rows as can be with columns, all rows or all columns, over stored entries."""
    rows = given.tocsr()
    if np.count_nonzero(rows.data) < rows.nnz:
        warnings.warn("explicit zero weights are removed before matching", stacklevel=4)
        rows = rows.copy()
        rows.eliminate_zeros()
    if 0 in rows.shape:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    number = checked_limit(limit, maximise)
    if number is not None:
        number = nearer(rows.data, number, min(rows.shape))
        limited = clip(Assignment(rows, maximize=maximise, cost_limit=number))
        return _pairs(limited.shown(_optimum_of(prepare(limited, Threads(1)))))
    agents, jobs = sparse_shape(rows)
    transposed = agents > jobs
    arcs = sparse_lines(rows.tocsc() if transposed else rows)
    check_values(arcs[2], maximise, "values (stored entry ", ")")
    prepared = prepare_arcs(arcs, max(rows.shape), maximise=maximise, transposed=transposed)
    return _pairs(_optimum_of(prepared))


def solve_few(matrix: AnyArray, maximise: bool, limit: float) -> Pairs | None:
    """Solve a large matrix of which few pairs are within a limit; None if it is none."""
    if matrix.size < LARGE or matrix.dtype == np.uint64 or not _is_finite(matrix, maximise):
        return None
    checked = checked_limit(limit, maximise)
    if checked is None:
        return None
    few = few_pairs_of(matrix, nearer(matrix, checked, min(matrix.shape)), maximise)
    if few is None:
        return None
    limited = clip(few)
    prepared = prepare(limited, Threads(1))
    return None if prepared.huge else _pairs(limited.shown(_optimum_of(prepared)))


def _pairs(solution: Int64Array) -> Pairs:
    matched = np.flatnonzero(solution >= 0)
    return matched, solution[matched]


def _optimum_of(prepared: PreparedInstance) -> Int64Array:
    """Return the column of each agent in the optimum of a sparse problem."""
    if prepared.huge or not sums_are_finite(prepared.largest, prepared.rows):
        raise InputError("the weights of a sparse matrix are too large to be added exactly")
    found = sparse_optimum(prepared)
    if found is None:
        raise InputError("no full matching exists")
    return prepared.solution(found)


# Stacks.


def solve_ragged(
    stack: AnyArray, sizes: object, solve: Callable[[AnyArray], tuple[Int64Array, ...]]
) -> Pairs:
    """Solve the parts of a stack's matrices that ``sizes`` name; -1 stands for missing pairs."""
    try:
        given = np.asarray(sizes)
    except ValueError:  # rows of different lengths
        given = np.zeros(())
    if stack.ndim != 3 or given.shape not in ((len(stack),), (len(stack), 2)):
        raise OptionError(
            "sizes", "needs a stack and must have the shape (count,) or (count, 2)", sizes
        )
    if given.size and given.dtype.kind not in "iu":
        raise OptionError("sizes", "are not whole numbers", sizes)
    given = given.astype(np.int64)
    if given.ndim == 1:
        given = np.stack([np.full_like(given, stack.shape[1]), given], axis=1)
    if given.size and ((given < 0) | (given > stack.shape[1:])).any():
        raise OptionError("sizes", "are negative or larger than the matrix", sizes)
    found = np.full((2, len(stack), min(stack.shape[1:])), -1, np.int64)
    for k, (n, m) in enumerate(given.tolist()):
        try:
            rows, columns = solve(stack[k, :n, :m])
        except InputError as error:
            raise InputError(f"matrix {k}: {error}") from None
        found[:, k, : len(rows)] = rows, columns
    return found[0], found[1]


def solve_stacked(
    stack: AnyArray, maximise: bool, solve: Callable[[AnyArray, bool], Pairs], *, quickly: bool
) -> Pairs:
    """Solve each matrix of a stack; small ones ``quickly``, side by side on all cores.

    Returns rows and columns of shape (count, min(n, m)).
    """
    count, n, m = stack.shape
    short = min(n, m)
    if quickly and 0 < n * m <= SIDE_BY_SIDE and count:
        tall = n > m
        a = stack.transpose(0, 2, 1) if tall else stack
        status, columns, _, _ = solve_all(a, maximise, Threads(available_cores()), proof=False)
        if status == Status.SOLVED:
            rows = np.broadcast_to(np.arange(short), (count, short))
            if not tall:
                return rows.copy(), columns
            order = np.argsort(columns, axis=1)
            return np.take_along_axis(columns, order, axis=1), order
    found = np.empty((2, count, short), np.int64)
    for k in range(count):
        try:
            found[:, k] = solve(stack[k], maximise)
        except InputError as error:
            raise InputError(f"matrix {k}: {error}") from None
    return found[0], found[1]
