"""Whole rows: which matrices are solved by them and not by candidate lists, and how.

Column and row reduction and shortest augmenting paths over whole rows (Jonker and Volgenant 1987),
in native code: what is small, what ties, what has few rows.
"""

from __future__ import annotations

import numpy as np

from prunus._native.assignment import Status, solve_dense, solve_stack
from prunus.hardware.threads import Threads, start_task
from prunus.model.arrays import AnyArray, Int64Array

NO_LISTS = 1_000_000
"""Up to so many entries whole rows solve whatever there is, in .1 s at worst; a square beyond that
is mostly solved faster by lists."""

SIDE_BY_SIDE = 90_000
"""Matrices of up to so many entries that stand in a stack are solved side by side by all cores,
with nothing that asks whether to stop."""

NO_BUDGET = 2**62
"""Entries that are never read."""

_MOST_ENTRIES = 2 * 10**10
"""With so many entries read in searches for paths, some seconds, whole rows give up."""

_LONG = 4_000_000
"""With more entries whole rows take from a fiftieth of a second to seconds."""

_TURN_S = 0.1
"""A signal is heard so soon."""

_FEW_ROWS = 200
"""Any matrix of so few rows: two scans a row and then as many as are in trees."""

_NEARLY_SQUARE = 1.2
"""With more columns a row than that there is a free one among the best of nearly every row; where
there is none, whole rows are ahead of lists as well, as rectangles have no auction."""

_MOST_TIES = 25
"""Columns a distinct value: from so many on whole rows are faster than lists."""

_WHOLE_ROW_COLUMNS = 6000
"""With more columns lists are used all the same."""

_SAMPLED = 48
"""Rows and columns of a sample, at least."""

_FIRST_SAMPLED = 8
"""Rows of it that are looked at first."""

Solved = tuple[Status, Int64Array, AnyArray, AnyArray]
"""How it went; the column of each row; prices of columns and best net values of rows, of benefits,
which prove it. The rows are the shorter side of the matrix."""


def whole_rows_budget(matrix: AnyArray) -> int:
    """Return how many entries may be read in searches over whole rows; 0 if lists come first.

    The matrix has no more rows than columns.
    """
    rows, columns = matrix.shape
    if matrix.size <= NO_LISTS or rows <= _FEW_ROWS:
        return NO_BUDGET
    wide = columns > _NEARLY_SQUARE * rows
    return _MOST_ENTRIES if wide or few_distinct(matrix) else 0


def solve_whole_rows(matrix: AnyArray, maximise: bool, budget: int = NO_BUDGET) -> Solved:
    """Solve a matrix of numbers of at most 64 bits, neither side of it 0, in any memory order.

    By another thread where that may take long, so that Ctrl-C is heard.
    """
    if matrix.size <= _LONG:
        return solve_dense(matrix, maximise, budget=budget)
    stop = np.zeros(1, np.int64)
    task = start_task(solve_dense, matrix, maximise, False, budget, stop)
    try:
        while task.running:  # in turns: a signal does not always reach the thread that waits
            task.join(_TURN_S)
    finally:
        stop[0] = 1
    return task.result()


def solve_wide(matrix: AnyArray, maximise: bool) -> tuple[Int64Array, AnyArray, AnyArray]:
    """Solve a matrix of integers whose sums may leave 64 bits, in 128.

    Returns the column of each row, the best net values of rows, and the prices of columns, both of
    Python's integers.
    """
    _, column, prices, best = solve_dense(matrix, maximise, wide=True)
    return column, np.array(best, object), np.array(prices, object)


def solve_all(
    stack: AnyArray, maximise: bool, threads: Threads, *, proof: bool = True
) -> tuple[Status, Int64Array, AnyArray, AnyArray]:
    """Solve every matrix of a stack, shape (count, n, m), n at most m, both at least 1.

    Returns ``SOLVED``, or else what is said of one of the matrices; and, an entry a matrix, what
    `solve_whole_rows` does; nothing is written for prices and net values without ``proof``.
    """
    count, n, m = stack.shape
    stack = np.ascontiguousarray(stack)
    kind = np.float64 if stack.dtype.kind == "f" else np.int64
    columns = np.empty((count, n), np.int64)
    prices, best = np.empty((count, m), kind), np.empty((count, n), kind)

    def solve(_: int, begin: int, end: int) -> Status:
        written = (prices, best) if proof else (None, None)
        return solve_stack(stack, maximise, begin, end, columns, *written)

    return max(threads.share(count, solve)), columns, prices, best


def few_distinct(matrix: AnyArray) -> bool:
    """Tell, from a sample, whether a row's best value stands in more columns than a list holds.

    Then lists say nothing, and searches go through all ties: scanning whole rows is faster.
    """
    columns = matrix.shape[1]
    if columns < _MOST_TIES or columns > _WHOLE_ROW_COLUMNS:
        return False
    rows = len(matrix)
    sample = matrix[:: max(1, rows // _SAMPLED), :: max(1, columns // _SAMPLED)]
    most = columns // _MOST_TIES
    # To sort all of it takes .1 ms; the first rows mostly have too many values.
    return all(len(np.unique(some)) <= most for some in (sample[:_FIRST_SAMPLED], sample))
