"""Shortest augmenting paths over whole rows as published, in float64 or in int64.

D. F. Crouse, On implementing 2D rectangular assignment algorithms, IEEE Transactions on Aerospace
and Electronic Systems 52 (2016) 1679-1696. For sums that leave float64; with SciPy's order of
columns, which tells its choice among ties; and the obvious twin of the faster kernels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.assignment.exact.augmentation import augment_along_path
from prunus.hardware.jit.compiled import inner, outer
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, Int64Array, Number

INFEASIBLE = -2
"""Stands for the column of the first row of a matrix that allows no assignment."""


@inner
def match_all(
    a: AnyArray,
    sense: tuple[Number, Number],
    column: Int64Array,
    price: AnyArray,
    lengths: AnyArray,
    indices: Int64Array,
    flag: Int64Array,
) -> bool:
    """Match every row of a matrix to a column; return False if that cannot be.

    It also ends before the next row once ``flag[0]`` is not 0; rows that are left have column -1.

    ``sense`` is the sign that turns values into benefits, and what is below all of them. The last
    two arguments are working memory: ``lengths`` of the shortest ways to columns and the net values
    of rows; ``indices`` of the row that has a column, the row before it on the way, the columns not
    yet reached and the rows of the tree.
    """
    n, m = a.shape
    sign, lowest = sense
    length, worth = lengths[0], lengths[1]
    owner, parent, left, closed = indices[0], indices[1], indices[2], indices[3]
    for j in range(m):
        price[j] = 0
        owner[j] = -1
    for i in range(n):
        worth[i] = 0
        column[i] = -1
    for root in range(n):
        if flag[0] != 0:
            return False
        for j in range(m):
            length[j] = -lowest
            left[j] = m - 1 - j
        open_columns = m
        rows = 0
        i = root
        far = 0 * sign
        found = -1
        while found < 0:
            closed[rows] = i
            rows += 1
            best = -lowest
            at = -1
            row = a[i]
            for q in range(open_columns):
                j = left[q]
                x = row[j]
                if x != -lowest and x != lowest:
                    way = far - sign * x - worth[i] + price[j]
                    if way < length[j]:
                        length[j] = way
                        parent[j] = i
                if length[j] < best or (length[j] == best and owner[j] < 0):
                    best = length[j]
                    at = q
            if at < 0 or best == -lowest:
                return False
            far = best
            j = left[at]
            open_columns -= 1
            left[at] = left[open_columns]
            left[open_columns] = j
            if owner[j] < 0:
                found = j
            else:
                i = owner[j]
        worth[root] += far
        for t in range(1, rows):
            i = closed[t]
            worth[i] += far - length[column[i]]
        for q in range(open_columns, m):
            j = left[q]
            price[j] += far - length[j]
        augment_along_path(parent, owner, column, root, found)
    return True


@outer
def _solve(
    stack: AnyArray,
    sense: tuple[Number, Number],
    part: tuple[int, int],
    column: Int64Array,
    price: AnyArray,
    lengths: AnyArray,
    indices: Int64Array,
    flag: Int64Array,
) -> None:
    """Solve the matrices of a stack from the first number of ``part`` to the second."""
    for k in range(part[0], part[1]):
        if not match_all(stack[k], sense, column[k], price[k], lengths, indices, flag):
            column[k, 0] = INFEASIBLE


def solve_stack(
    stack: AnyArray, maximise: bool, threads: Threads, flag: Int64Array | None = None
) -> tuple[Int64Array, AnyArray]:
    """Solve every matrix of a stack, shape (count, n, m), n at most m, of float64 or int64.

    Once ``flag[0]`` is not 0 it ends after the row under way: matrices that are not solved look
    like those that allow no assignment, and the prices are those of their rows that were matched.

    Returns the column of each row, shape (count, n), with ``columns[k, 0]`` of -2 where matrix k
    allows no assignment, and prices for benefits that prove it, shape (count, m).
    """
    count, n, m = stack.shape
    kind: Any = stack.dtype.type
    lowest = kind(-(2**62)) if kind is np.int64 else kind(-np.inf)
    columns = np.empty((count, n), np.int64)
    prices = np.zeros((count, m), stack.dtype)
    no_flag = np.zeros(1, np.int64)

    def solve(_: int, begin: int, end: int) -> None:
        _solve(
            stack,
            (kind(1 if maximise else -1), lowest),
            (begin, end),
            columns,
            prices,
            np.empty((2, m), stack.dtype),
            np.empty((4, m), np.int64),
            no_flag if flag is None else flag,
        )

    threads.share(count, solve)
    return columns, prices
