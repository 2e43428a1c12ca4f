"""Integers too large for machine words: shortest augmenting paths in Python's own integers.

Slow, some microseconds an entry and path, and exact whatever the size: large integers are never
rounded. The arrays hold Python objects, so NumPy still does the loops. The prices of a square
matrix are first those of the same costs as floats, which leaves few paths.
"""

from __future__ import annotations

import numpy as np

from prunus.assignment.exact.compact.paths import SOLVED, prices_in, solve_pairs
from prunus.model.arrays import AnyArray, Int64Array


def solve(matrix: Int64Array, maximise: bool) -> tuple[Int64Array, AnyArray, AnyArray]:
    """Find the optimal column of each row of a matrix of shape (n, m), n at most m.

    Also returns the best net benefits of the rows at the prices of the columns that the paths
    leave, and these prices, both of Python's integers: no sum of benefits exceeds the sum of both.
    """
    n, m = matrix.shape
    cost: AnyArray = matrix.astype(object) * (-1 if maximise else 1)
    price = _float_prices(matrix, maximise) if n == m else np.zeros(m, object)
    worth: AnyArray = (cost + price).min(axis=1)
    owner = np.full(m, -1, np.int64)
    column = np.full(n, -1, np.int64)
    for i in range(n):
        free = np.flatnonzero((cost[i] + price == worth[i]) & (owner < 0))
        if free.size:
            owner[free[0]], column[i] = i, free[0]
    for root in np.flatnonzero(column < 0).tolist():
        parent = np.full(m, root, np.int64)
        length = cost[root] - worth[root] + price
        closed = np.zeros(m, bool)
        while True:
            left = np.flatnonzero(~closed)
            j = int(left[np.argmin(length[left])])
            closed[j] = True
            i = int(owner[j])
            if i < 0:
                break
            way = length[j] + cost[i] - worth[i] + price
            better = ~closed & (way < length)
            parent[better] = i
            length[better] = way[better]
        far = length[j]
        for k in np.flatnonzero(closed).tolist():
            price[k] += far - length[k]
            if owner[k] >= 0:
                worth[owner[k]] += far - length[k]
        worth[root] += far
        while True:
            i = int(parent[j])
            owner[j], column[i], j = i, j, int(column[i])
            if i == root:
                break
    return column, -(cost + price).min(axis=1), price


def _float_prices(matrix: AnyArray, maximise: bool) -> AnyArray:
    """Return optimal prices of the columns if costs were floats, as Python's integers."""
    status, _, _, work = solve_pairs(matrix.astype(np.float64), maximise)
    count = matrix.shape[1]
    found = prices_in(work, count).tolist() if status == SOLVED else [0] * count
    return np.array([int(price) for price in found], object)
