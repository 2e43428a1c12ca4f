"""The compact kernel: row reduction and shortest augmenting paths over whole rows, in float64.

R. Jonker and A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear
assignment problems, Computing 38 (1987) 325-340, without their column reduction, so that there may
be more columns than rows. Where values are alike a free column is always preferred, which leaves
few rows to the paths. It compiles in about a second and needs nothing set up: what is small is
solved with it, and what is large as long as the machinery for that is not compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from prunus.assignment.exact.row_lanes import (
    ARRAYS,
    LENGTH,
    PARENT,
    PRICE,
    TAKEN,
    best_two,
    extend_paths,
    stacked_costs,
    unusable,
    workspace,
)
from prunus.hardware.jit.compiled import CompiledFunction, inner, outer
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, FloatArray, Int64Array

SOLVED, IMPOSSIBLE, NOT_FINITE, TOO_LARGE, GIVEN_UP = range(5)
"""What is said of a matrix: the pairs are optimal; no assignment avoids the forbidden pairs; there
is a NaN or an infinity of the wrong sign; sums of whole numbers may leave those that float64 holds;
the budget is spent."""

NO_BUDGET = 2**59
"""Scans of rows that are never reached."""

SMALL_SCANS = 30_000
"""Scans after which `small_kernel` gives up: more than so few rows ever need."""

_BENEFITS, _WHOLE, _TALL = 1, 2, 4
"""Flags of a matrix: to maximise; whole numbers of 64 bits; jobs in rows and agents in columns."""

_FLAG_BITS = 3
"""The budget stands above them, so that a call has few arguments: each takes time."""

_EXACT = 2.0**51
"""Sums of so large whole numbers, and their differences, are exact in float64."""

_REDUCTION_SCANS = 2
"""Scans a row that row reduction may take; set with ``benchmarks/assignment/table.py``."""

NO_WORK = np.empty((1, 0), np.int64)
"""In place of working memory, for what is small enough for the stack."""

FLOAT64 = np.dtype(np.float64)

_FLAGS = dict.fromkeys("?bBhHiIefd", 0) | dict.fromkeys("lLqQ", _WHOLE)
"""Flags by NumPy's character of a type."""

SMALL_FLAGS = {char: flags + (SMALL_SCANS << _FLAG_BITS) for char, flags in _FLAGS.items()}
"""The same for `small_kernel`."""


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


@inner
def _copy_costs(a: FloatArray, sign: float, most: float, costs: FloatArray) -> int:
    """Write a matrix, or its transpose if that has fewer rows, as costs; return a constant.

    What is beyond its columns becomes infinite: whole lanes are quicker to read than parts.
    """
    n, size = costs.shape
    m = a.size // n
    across = a.shape[0] > n
    missing = False
    large = False
    for i in range(n):
        for j in range(m):
            cost = sign * (a[j, i] if across else a[i, j])
            missing |= not cost > -np.inf
            large |= (cost < -most) | ((most < cost) & (cost < np.inf))
            costs[i, j] = cost
        for j in range(m, size):
            costs[i, j] = np.inf
    if missing:
        return NOT_FINITE
    return TOO_LARGE if large else SOLVED


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
    most = _EXACT / (n + 2) if flags & _WHOLE else np.inf
    status: int = SOLVED
    if work.shape[1] > 0:
        status = _check(a, sign, most)
    else:
        costs = stacked_costs(n, a.size // n)
        status = _copy_costs(a, sign, most, costs)
        work = workspace(costs.shape[1])
        tall = tall != (a.shape[0] > n)
        a = costs
        sign = 1.0
    if status == SOLVED:
        status = _match_rows(a, sign, work, flags >> _FLAG_BITS)
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

    Of any type of numbers whose sums float64 holds. Returns ``SOLVED``, or else ``IMPOSSIBLE`` or
    ``GIVEN_UP``, of one of the matrices; the column of each row, shape (count, n), with
    ``columns[k, 0]`` of -2 where matrix k is not solved; and prices for benefits that prove it,
    shape (count, m).
    """
    count, n, m = stack.shape
    if stack.dtype is not FLOAT64 or not stack.flags.carray:
        stack = np.array(stack, FLOAT64, order="C")
    columns, prices = np.full((count, n), -2, np.int64), np.empty((count, m))
    sign = -1.0 if maximise else 1.0

    def solve(_: int, begin: int, end: int) -> int:
        work = np.empty((ARRAYS, m + 7 & -8), np.int64)
        return int(_solve_all(stack, sign, budget, begin, end, columns, prices, work))

    found = threads.share(count, solve)
    return max(found), columns, prices
