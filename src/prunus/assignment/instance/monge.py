"""Instances that are solved by sorting: matrices that are Monge in some order of rows and columns.

If a[i, j] + a[i+1, j+1] >= a[i, j+1] + a[i+1, j] for all neighbours (inverse Monge), the identity
maximises (A. J. Hoffman, On simple linear programming problems, 1963). Products of two numbers, and
distances on a line raised to a power from 1, are so once rows and columns are sorted. The order is
told by the differences of two columns and of two rows; whether it is one takes a pass over the
matrix that ends at the first neighbours that contradict it, which elsewhere is at once.
"""

from __future__ import annotations

import numpy as np

from prunus._native.assignment import is_inverse_monge
from prunus.assignment.instance.matrix_scan import EXACT
from prunus.assignment.instance.prepared import PreparedInstance
from prunus.assignment.stepwise import CheckTime
from prunus.model.arrays import FloatArray, Int64Array

_ENTRIES = 2**18
"""So many are compared between two pauses."""


def recognise(
    prepared: PreparedInstance, pause: CheckTime | None = None
) -> tuple[Int64Array, FloatArray] | None:
    """Solve a square matrix of whole numbers, whose differences are exact, if sorting solves it.

    Returns the optimal column of each row, and prices of the columns that prove it; None where the
    matrix is not of this kind. Raises ``StoppedError`` if ``pause`` does, which is called now and
    then.
    """
    matrix = prepared.values.matrix
    n = len(matrix)
    exact = prepared.auction_applies and prepared.integral and prepared.values.price != np.int64
    if not exact or n < 2 or prepared.spread * n >= EXACT:
        return None
    sign = float(prepared.sign)
    # In the right order, what a row gains from one column to another grows with the row. Any two
    # columns tell the order of the rows, the more surely the more they differ.
    first = matrix[:, 0].astype(np.float64)
    gains = [sign * (matrix[:, j].astype(np.float64) - first) for j in (1, n // 2, n - 1)]
    rows = np.argsort(max(gains, key=np.ptp), kind="stable")
    least, most = (matrix[rows[k]].astype(np.float64) for k in (0, -1))
    columns = np.argsort(sign * (most - least), kind="stable")
    step = n if pause is None else 1 + _ENTRIES // n
    for begin in range(0, n - 1, step):
        if pause is not None:
            pause()
        end = min(n - 1, begin + step)
        if not is_inverse_monge(matrix, sign > 0, rows, columns, begin, end):
            return None
    column = np.empty(n, np.int64)
    column[rows] = columns
    # Each row is to prefer its own column to the next one's by nothing.
    here = matrix[rows[:-1], columns[:-1]].astype(np.float64)
    following = matrix[rows[:-1], columns[1:]].astype(np.float64)
    price = np.zeros(n)
    price[columns[1:]] = np.cumsum(sign * (following - here))
    return column, price
