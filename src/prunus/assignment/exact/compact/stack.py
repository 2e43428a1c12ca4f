"""Many matrices of one shape, solved by the compact kernel side by side on all cores."""

from __future__ import annotations

import numpy as np

from prunus.assignment.arithmetic import LARGEST
from prunus.assignment.exact.compact.paths import (
    FLOAT64,
    NO_BUDGET,
    NOT_FINITE,
    SOLVED,
    TOO_LARGE,
    match_rows,
)
from prunus.assignment.exact.compact.working_memory import ARRAYS, rows_of, unusable
from prunus.hardware.jit.compiled import outer
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, FloatArray, Int64Array


@outer
def _solve_all(
    stack: FloatArray, sign: float, begin: int, end: int, columns: Int64Array, prices: FloatArray,
    work: Int64Array,
) -> int:  # fmt: skip
    """Solve matrices ``begin`` to ``end`` of a stack; return what is said of the last one.

    It ends at one that is not solved.
    """
    n, m = columns.shape[1], prices.shape[1]
    price = rows_of(work)[0]
    most = LARGEST / (n + 2)
    for k in range(begin, end):
        found = unusable(stack[k], sign, most)
        if found:
            columns[k, 0] = -2
            return NOT_FINITE if found & 1 else TOO_LARGE
        status: int = match_rows(stack[k], m, sign, work, NO_BUDGET)
        if status != SOLVED:
            columns[k, 0] = -2
            return status
        for i in range(n):
            columns[k, i] = work[6, i]
        for j in range(m):
            prices[k, j] = -price[j]
    return SOLVED


def solve_all(
    stack: AnyArray, maximise: bool, threads: Threads
) -> tuple[int, Int64Array, FloatArray]:
    """Solve every matrix of a stack, shape (count, n, m), n at most m, both at least 1.

    Of floats, or of whole numbers whose sums float64 holds. Returns ``SOLVED``, or else what is
    said of one of the matrices, see `compact_paths`; the column of each row, shape (count, n), with
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
        return int(_solve_all(stack, sign, begin, end, columns, prices, work))

    found = threads.share(count, solve)
    return max(found), columns, prices
