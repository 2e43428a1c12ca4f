"""The compact kernel: row reduction and shortest augmenting paths over whole rows, in float64.

R. Jonker and A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear
assignment problems, Computing 38 (1987) 325-340, without their column reduction, so that there may
be more columns than rows. Where values are alike a free column is always preferred, which leaves
few rows to the paths. It compiles in about a second and needs nothing set up: what is small is
solved with it, and what is large as long as the machinery for that is not compiled.
"""

from __future__ import annotations

import numpy as np

from prunus.assignment.exact.row_lanes import (
    LENGTH,
    PARENT,
    PRICE,
    TAKEN,
    best_two,
    extend_paths,
    unusable,
)
from prunus.hardware.jit.compiled import inner, outer
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, FloatArray, Int64Array

__all__ = [
    "GIVEN_UP",
    "IMPOSSIBLE",
    "NOT_FINITE",
    "NO_BUDGET",
    "SOLVED",
    "TOO_LARGE",
    "prices_in",
    "solve_all",
    "solve_pairs",
]

SOLVED, IMPOSSIBLE, NOT_FINITE, TOO_LARGE, GIVEN_UP = range(5)
"""What is said of a matrix: the pairs are optimal; no assignment avoids the forbidden pairs; there
is a NaN or an infinity of the wrong sign; sums of whole numbers may leave those that float64 holds;
the budget is spent."""

NO_BUDGET = 2**62
"""Scans of rows that are never reached."""

_EXACT = 2.0**51
"""Sums of so large whole numbers, and their differences, are exact in float64."""

_REDUCTION_SCANS = 2
"""Scans a row that row reduction may take; set with ``benchmarks/assignment/table.py``."""

_ARRAYS = 9
"""Arrays of working memory."""

_KIND = np.dtype(np.float64)


@inner
def _match_rows(a: FloatArray, sign: float, work: Int64Array, budget: int) -> int:
    """Match every row of a matrix to a column; return one of the constants.

    ``work`` is nine arrays, of as many words as there are columns, rounded up to whole lanes. The
    prices of the columns are the first (as floats), their rows the sixth, the columns of the rows
    the seventh.
    """
    n, size = a.shape[0], work.shape[1]
    floats = work.view(np.float64)
    price, length, taken, final = floats[PRICE], floats[LENGTH], floats[TAKEN], floats[4]
    parent, owner, column, closed, waiting = work[PARENT], work[5], work[6], work[7], work[8]
    for j in range(size):
        price[j] = 0.0
        taken[j] = 0.0
        owner[j] = -1
        column[j] = -1
    for i in range(n):
        waiting[n - 1 - i] = i
    left = n
    later = 0
    scans = 0
    # Row reduction: a row takes its best column and makes it dearer until the second best is as
    # good; the row that had it looks again. What only ties could decide is left to the paths.
    while left > 0 and scans < _REDUCTION_SCANS * n:
        left -= 1
        i = waiting[left]
        scans += 1
        best, j, second, free, k = best_two(a[i], work, sign)
        if best == np.inf:
            return IMPOSSIBLE
        if free == best:
            j = k
        before = owner[j]
        if best < second < np.inf:
            price[j] -= second - best
        elif before >= 0:
            closed[later] = i
            later += 1
            continue
        owner[j] = i
        column[i] = j
        taken[j] = np.inf
        if before >= 0:
            column[before] = -1
            waiting[left] = before
            left += 1
    for q in range(later):
        waiting[left + q] = closed[q]
    left += later
    while left > 0:
        left -= 1
        root = waiting[left]
        for j in range(size):
            length[j] = np.inf
        i = root
        j = -1
        offset = 0.0
        count = 0
        while True:
            scans += 1
            if scans > budget:
                return GIVEN_UP
            best, j, free, k = extend_paths(a[i], work, sign, offset, i, j)
            if free <= best:
                break
            closed[count] = j
            final[count] = best
            count += 1
            i = owner[j]
            offset = best - (sign * a[i, j] - price[j])
        if free == np.inf:
            return IMPOSSIBLE
        for q in range(count):
            price[closed[q]] += final[q] - free
        taken[k] = np.inf
        j = k
        while True:
            i = parent[j]
            before = column[i]
            owner[j] = i
            column[i] = j
            if i == root:
                break
            j = before
    return SOLVED


@inner
def _check(a: FloatArray, sign: float, most: float) -> int:
    """Look at every value; return one of the constants."""
    for i in range(a.shape[0]):
        found = unusable(a[i], sign, most)
        if found:
            return NOT_FINITE if found & 1 else TOO_LARGE
    return SOLVED


@outer
def _solve_pairs(
    a: FloatArray, sign: float, most: float, tall: bool, budget: int, work: Int64Array,
    pairs: Int64Array,
) -> int:  # fmt: skip
    """Check and solve a matrix, of jobs and agents if ``tall``; write its pairs, by agents."""
    status: int = _check(a, sign, most)
    if status == SOLVED:
        status = _match_rows(a, sign, work, budget)
    if status != SOLVED:
        return status
    n, m = a.shape
    if tall:
        count = 0
        for j in range(m):
            i = work[5, j]
            if i >= 0:
                pairs[0, count] = j
                pairs[1, count] = i
                count += 1
    else:
        for i in range(n):
            pairs[0, i] = i
            pairs[1, i] = work[6, i]
    return status


def solve_pairs(
    matrix: AnyArray, maximise: bool, budget: int = NO_BUDGET
) -> tuple[int, Int64Array, Int64Array]:
    """Solve a matrix of numbers of at most 64 bits, neither side of it 0.

    Parameters
    ----------
    matrix
        Shape (agents, jobs), of any memory order.
    maximise
        The sense.
    budget
        How many rows to scan before it is given up.

    Returns
    -------
    status
        One of the constants.
    pairs
        Shape (2, min(agents, jobs)): if it is solved, agents in order, and their jobs.
    work
        Working memory: see `prices_in`.
    """
    kind = matrix.dtype
    n, m = matrix.shape
    tall = n > m
    if tall:
        matrix, n, m = matrix.T, m, n
    if kind is not _KIND or not matrix.flags.carray:
        matrix = np.array(matrix, _KIND, order="C")
    most = _EXACT / (n + 2) if kind.itemsize == 8 and kind.kind in "iu" else np.inf
    work, pairs = np.empty((_ARRAYS, m + 7 & -8), np.int64), np.empty((2, n), np.int64)
    sign = -1.0 if maximise else 1.0
    status = _solve_pairs.same_kinds(matrix, sign, most, tall, budget, work, pairs)
    return status, pairs, work


def prices_in(work: Int64Array, columns: int) -> FloatArray:
    """Return the prices that a solve has left in its working memory, for benefits."""
    prices: FloatArray = 0.0 - work.view(np.float64)[PRICE, :columns]
    return prices


@outer
def _solve_all(
    stack: FloatArray, sign: float, budget: int, begin: int, end: int, columns: Int64Array,
    prices: FloatArray,
    work: Int64Array,
) -> int:  # fmt: skip
    """Solve matrices ``begin`` to ``end`` of a stack; return what is said of the last one.

    It ends at one that is not solved.
    """
    n, m = columns.shape[1], prices.shape[1]
    price = work.view(np.float64)[PRICE]
    for k in range(begin, end):
        status: int = _match_rows(stack[k], sign, work, budget)
        if status != SOLVED:
            columns[k, 0] = -2
            return status
        for i in range(n):
            columns[k, i] = work[6, i]
        for j in range(m):
            prices[k, j] = -price[j]
    return SOLVED


def solve_all(
    stack: AnyArray, maximise: bool, threads: Threads, budget: int = NO_BUDGET
) -> tuple[int, Int64Array, FloatArray]:
    """Solve every matrix of a stack, shape (count, n, m), n at most m, whose values are checked.

    Of any type of numbers whose sums float64 holds.

    Returns
    -------
    status
        ``SOLVED``, or else ``IMPOSSIBLE`` or ``GIVEN_UP``, of one of the matrices.
    columns
        Shape (count, n): the column of each row; ``columns[k, 0]`` is -2 where matrix k is not
        solved.
    prices
        Shape (count, m): prices that prove it, for benefits.
    """
    count, n, m = stack.shape
    if stack.dtype is not _KIND or not stack.flags.carray:
        stack = np.array(stack, _KIND, order="C")
    columns, prices = np.full((count, n), -2, np.int64), np.empty((count, m))
    sign = -1.0 if maximise else 1.0

    def solve(_: int, begin: int, end: int) -> int:
        work = np.empty((_ARRAYS, m + 7 & -8), np.int64)
        return int(_solve_all(stack, sign, budget, begin, end, columns, prices, work))

    found = threads.share(count, solve)
    return max(found), columns, prices
