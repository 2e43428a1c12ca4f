"""The compact kernel: row reduction and shortest augmenting paths over whole rows, in float64.

R. Jonker and A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear
assignment problems, Computing 38 (1987) 325-340. Their column reduction comes first where there are
as many columns as rows: free columns must not have a price. Where values are alike a free column is
always preferred, which leaves few rows to the paths. It compiles in about a second and needs
nothing set up: what is small is solved with it, and what is large as long as the machinery for that
is not compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from prunus.assignment.arithmetic import LARGEST, LARGEST_EXACT
from prunus.assignment.exact.compact.reduction import reduce_rows
from prunus.assignment.exact.compact.row_lanes import column_minima, extend_paths, found_last
from prunus.assignment.exact.compact.soft_prices import soften_prices
from prunus.assignment.exact.compact.vector_lanes import PRICE
from prunus.assignment.exact.compact.working_memory import (
    ARRAYS,
    clear,
    copy,
    copy_costs,
    rows_of,
    stacked_costs,
    unusable,
    workspace,
)
from prunus.hardware.jit.compiled import CompiledFunction, inner, outer
from prunus.model.arrays import AnyArray, FloatArray, Int64Array

SOLVED, IMPOSSIBLE, NOT_FINITE, TOO_LARGE, GIVEN_UP = range(5)
"""What is said of a matrix: the pairs are optimal; no assignment avoids the forbidden pairs; there
is a NaN or an infinity of the wrong sign; sums may leave the whole numbers that float64 holds, or
all floats; the budget is spent."""

NO_BUDGET = 2**59
"""Scans of rows that are never reached."""

SMALL_SCANS = 30_000
"""Scans after which `small_kernel` gives up: more than so few rows ever need."""

_BENEFITS, _WHOLE, _TALL = 1, 2, 4
"""Flags of a matrix: to maximise; whole numbers of 64 bits; jobs in rows and agents in columns."""

_FLAG_BITS = 3
"""The budget stands above them, so that a call has few arguments: each takes time."""

_REDUCTION_SCANS, _FEW_ROWS = 2, 200
"""Scans a row that row reduction may take, one in a square matrix of so few rows; set with
``benchmarks/assignment/table.py``."""

_MANY_LEFT = 0.5
"""If more than this part of the rows is left after that, they want the same columns."""

_ROWS_ALIKE, _MANY_ALIKE = 400, 32
"""In so many rows, of which most wait because of ties, so many columns of one length one after the
other are a sign of many more: the search then goes on from the last one found."""

NO_WORK = np.empty((1, 0), np.int64)
"""In place of working memory, for what is small enough for the stack."""

FLOAT64 = np.dtype(np.float64)

_FLAGS = dict.fromkeys("?bBhHiIefd", 0) | dict.fromkeys("lLqQ", _WHOLE)
"""Flags by NumPy's character of a type."""

SMALL_FLAGS = {char: flags + (SMALL_SCANS << _FLAG_BITS) for char, flags in _FLAGS.items()}
"""The same for `small_kernel`."""


@inner
def match_rows(
    a: FloatArray, columns: int, sign: float, work: Int64Array, budget: int
) -> int:  # fmt: skip
    """Match every row of a matrix to one of its first ``columns``; return one of the constants.

    ``work`` is nine arrays, of as many words as there are columns, rounded up to whole lanes. The
    prices of the columns are the first (as floats), their rows the sixth, the columns of the rows
    the seventh.
    """
    n = a.shape[0]
    price, length, taken, parent, final, owner, column, closed, waiting = rows_of(work)
    most = n if n == columns and n <= _FEW_ROWS else _REDUCTION_SCANS * n
    clear(price, 0.0)
    clear(final, 0.0)
    bound = -np.inf
    softened = n != columns
    while True:
        if n == columns:
            # Prices of a column's least cost, of what is above the least of each row: most rows
            # then find a column of their own.
            found = column_minima(a, work, sign, columns)
            if bound < found < np.inf:
                bound = found
                copy(price, length)
            elif softened:
                break
        left, alike = reduce_rows(a, sign, work, most)
        if softened or left <= _MANY_LEFT * n:
            break
        soften_prices(a, work, sign, columns)
        softened = True
    if left < 0:
        return IMPOSSIBLE
    alike = alike and n > _ROWS_ALIKE
    scans = 0
    while left > 0:
        left -= 1
        root = waiting[left]
        clear(length, np.inf)
        i = root
        j = -1
        offset = 0.0
        count = 0
        while True:
            scans += 1
            if scans > budget:
                return GIVEN_UP
            best, j, free, k = extend_paths(a[i], work, sign, offset, count, j)
            if free <= best:
                break
            if alike and count >= _MANY_ALIKE and best == final[count - _MANY_ALIKE]:
                j = found_last(length, work, best)
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
        while parent[k] > 0:
            j = closed[parent[k] - 1]
            i = owner[j]
            owner[k] = i
            column[i] = k
            k = j
        owner[k] = root
        column[root] = k
    return SOLVED


@outer
def _solve_pairs(
    a: FloatArray, flags: int, agents: Int64Array, jobs: Int64Array, work: Int64Array
) -> int:
    """Check and solve a matrix; write its pairs, by agents, into two arrays of its shorter side.

    With working memory it has no more rows than columns. Without, it is small: see `small_kernel`.
    """
    n = agents.shape[0]
    tall = flags & _TALL != 0
    sign = -1.0 if flags & _BENEFITS else 1.0
    most = (LARGEST_EXACT if flags & _WHOLE else LARGEST) / (n + 2)
    columns = a.size // n
    found = unusable(a, sign, most)
    if found:
        return NOT_FINITE if found & 1 else TOO_LARGE
    if work.shape[1] == 0:
        costs = stacked_costs(n, columns)
        copy_costs(costs, a, sign)
        work = workspace(costs.shape[1])
        tall = tall != (a.shape[0] > n)
        a = costs
        sign = 1.0
    status: int = match_rows(a, columns, sign, work, flags >> _FLAG_BITS)
    if status != SOLVED:
        return status
    if tall:
        count = 0
        for j in range(work.shape[1]):
            i = work[5, j]
            if i >= 0:
                agents[count] = j
                jobs[count] = i
                count += 1
    else:
        for i in range(n):
            agents[i] = i
            jobs[i] = work[6, i]
    return status


def solve_pairs(
    matrix: AnyArray, maximise: bool, budget: int = NO_BUDGET
) -> tuple[int, Int64Array, Int64Array, Int64Array]:
    """Solve a matrix of numbers of at most 64 bits, neither side of it 0.

    The matrix has the shape (agents, jobs) and any memory order; it is given up after ``budget``
    scanned rows. Returns one of the constants; if it is solved, agents in order and their jobs,
    each of shape (min(agents, jobs),); and working memory, see `prices_in`.
    """
    n, m = matrix.shape
    tall = n > m
    if tall:
        matrix, n, m = matrix.T, m, n
    flags = (budget << _FLAG_BITS) + _FLAGS[matrix.dtype.char]
    flags += (_BENEFITS if maximise else 0) + (_TALL if tall else 0)
    order = matrix.flags
    read_as_it_is = order.carray or (order.c_contiguous and order.aligned)  # or read-only
    if matrix.dtype is not FLOAT64 or not read_as_it_is:
        matrix = matrix.astype(FLOAT64, "C")
    agents, jobs = np.empty(n, np.int64), np.empty(n, np.int64)
    work = np.empty((ARRAYS, m + 7 & -8), np.int64)
    status = small_kernel()(matrix, flags, agents, jobs, work)
    return status, agents, jobs, work


@cache
def small_kernel() -> Callable[[FloatArray, int, Int64Array, Int64Array, Int64Array], int]:
    """Return the kernel for one matrix.

    ``(matrix, flags, agents, jobs, NO_WORK)``: the matrix C-contiguous, with at most
    ``STACKED_COLUMNS`` rows and columns and ``STACKED_ENTRIES`` entries; flags as in
    ``SMALL_FLAGS``, plus 1 to maximise, plus 4 for jobs in rows and agents in columns; where to
    write the agents and their jobs, of the length of the shorter side.
    """
    solve: CompiledFunction = _solve_pairs
    one = np.empty(1, np.int64)
    return solve.entry(np.empty((1, 1)), 0, one, one, NO_WORK)


def prices_in(work: Int64Array, columns: int) -> FloatArray:
    """Return the prices that a solve has left in its working memory, for benefits."""
    prices: FloatArray = 0.0 - work.view(np.float64)[PRICE, :columns]
    return prices


def rounded(prices: AnyArray) -> AnyArray:
    """Round optimal prices of a matrix of whole numbers down, by which they stay optimal.

    Net values of rows are their best ones, and so rounded up, by less than 1; what a pair lacks,
    a whole number then, was 0 or more before and has changed by less than 1.
    """
    return np.floor(prices) if prices.dtype == FLOAT64 else prices
