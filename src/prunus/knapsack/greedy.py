"""First choices: the break solution, filled up greedily, or with one item exchanged."""

from __future__ import annotations

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.bounds.relaxation import Relaxation
from prunus.model.arrays import Int64Array, Integer, UInt8Array


def first_choice(relaxation: Relaxation) -> tuple[int, Int64Array]:
    """Return the best of a few quick choices.

    That is its profit, and its items, numbered as in the relaxation's order.
    """
    r = relaxation
    flags = np.zeros(len(r.w), dtype=np.uint8)
    value = r.profit + int(_greedy(r.w, r.p, r.middle, r.room, flags))
    return value, flags.nonzero()[0]


@outer
def _greedy(w: Int64Array, p: Int64Array, middle: int, room: int, chosen: UInt8Array) -> Integer:
    """Choose; return by how much that is better than the break solution."""
    n = w.shape[0]
    # Fill up with whatever still fits, in order.
    free, filled = room, 0
    for j in range(middle, n):
        if w[j] <= free:
            free -= w[j]
            filled += p[j]
    # Add the break item and drop the cheapest one that makes room for it.
    dropped, exchange = -1, np.int64(-1)
    if middle < n:
        for j in range(middle):
            if w[j] >= w[middle] - room and p[middle] - p[j] > exchange:
                dropped, exchange = j, p[middle] - p[j]
    for j in range(middle):
        chosen[j] = 1
    if exchange > filled:
        chosen[dropped] = 0
        chosen[middle] = 1
        return exchange
    free = room
    for j in range(middle, n):
        if w[j] <= free:
            free -= w[j]
            chosen[j] = 1
    return filled
