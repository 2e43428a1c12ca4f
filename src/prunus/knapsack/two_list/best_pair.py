"""The best pair of two lists: each state of one with the heaviest one that it leaves room for."""

from __future__ import annotations

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.expanding_core.states import StateArrays
from prunus.knapsack.two_list.merge_ranges import StateRange
from prunus.model.arrays import Integer


@outer
def best_pair(
    one: StateRange, other: StateArrays, count: int, room: int, best: int
) -> tuple[Integer, Integer, Integer]:
    """Find the best pair that is worth more than ``best``.

    In both lists, of which the other has ``count`` states, profits strictly increase with weights;
    a pair may weigh ``room``. Returns the profit and where the pair stands; -1 if there is none.
    """
    W, P, _ = one.states
    V, Q, _ = other
    low, high = 0, count
    while low < high:  # how many of the other list fit the lightest
        middle = (low + high) >> 1
        if V[middle] <= room - W[one.first]:
            low = middle + 1
        else:
            high = middle
    j = low - 1
    x = y = np.int64(-1)
    for i in range(one.first, one.end):
        left = room - W[i]
        while j >= 0 and V[j] > left:
            j -= 1
        if j < 0:
            break
        if P[i] + Q[j] > best:
            best, x, y = P[i] + Q[j], np.int64(i), np.int64(j)
    return best, x, y
