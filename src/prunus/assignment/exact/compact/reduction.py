"""Row reduction over whole rows, in float64: what the compact kernel does before paths."""

from __future__ import annotations

import numpy as np

from prunus.assignment.exact.compact.row_lanes import best_two
from prunus.assignment.exact.compact.working_memory import clear, number, rows_of
from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import FloatArray, Int64Array


@inner
def reduce_rows(a: FloatArray, sign: float, work: Int64Array, most: int) -> tuple[int, bool]:
    """Let every row take its best column; return how many wait then, -1 if one has none.

    A column gets dearer until the second best is as good for its row; the row that had it looks
    again, until ``most`` rows were scanned. What only ties could decide is left to the paths; also
    returns whether that is why most of the rows wait.
    """
    n = a.shape[0]
    price, _, taken, _, _, owner, column, closed, waiting = rows_of(work)
    clear(taken, 0.0)
    clear(owner, -1)
    clear(column, -1)
    number(waiting)
    left: int = n
    later: int = 0
    scans = 0
    while left > 0 and scans < most:
        left -= 1
        i = waiting[left]
        scans += 1
        best, j, second, free, k = best_two(a[i], work, sign)
        if best == np.inf:
            return -1, False
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
    return left + later, later > left
