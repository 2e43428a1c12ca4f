"""Ranked lists as a GPU hands them over, read and written by their layout."""

from __future__ import annotations

import numpy as np

from prunus._native.assignment import RankedMatching
from prunus.assignment.gpu.host_completion import HEAD, KEY, PORTION, WIDTH
from prunus.assignment.gpu.instance import LIST


class Records:
    """Ranked lists of all rows in one piece of memory, as the layout is described."""

    def __init__(self, rows, kind, price, memory=None):
        self.step = KEY + WIDTH + PORTION * np.dtype(kind).itemsize
        self.size = HEAD + LIST // PORTION * self.step
        self.memory = np.zeros(rows * self.size, np.uint8) if memory is None else memory
        self.kind, self.price = np.dtype(kind), np.dtype(price)

    def words(self, at, kind, count):
        """Numbers of a type from a byte on."""
        return self.memory[at : at + count * np.dtype(kind).itemsize].view(kind)

    def head(self, i):
        """Threshold and number of candidates."""
        at = i * self.size
        return self.words(at, self.price, 1), self.words(at + 8, np.int32, 1)

    def portion(self, i, place):
        """The key, the columns and the values of the portion of a candidate."""
        at = i * self.size + HEAD + place // PORTION * self.step
        return (
            self.words(at, self.price, 1),
            self.words(at + KEY, np.int32, PORTION),
            self.words(at + KEY + WIDTH, self.kind, PORTION),
        )


def listed(matrix, prices, sign, kind, length=LIST):
    """Ranked lists of the best columns of all rows at some prices."""
    ranked = Records(len(matrix), kind, prices.dtype)
    for i in range(len(matrix)):
        net = sign * matrix[i].astype(prices.dtype) - prices
        order = np.argsort(-net, kind="stable")
        threshold, count = ranked.head(i)
        whole = length >= len(order)
        lowest = -(2**62) if prices.dtype == np.int64 else -1e300
        threshold[0] = lowest if whole else net[order[length]]
        count[0] = min(length, len(order))
        for place, j in enumerate(order[: count[0]]):
            key, columns, values = ranked.portion(i, place)
            key[0] = net[j] if place % PORTION == 0 else key[0]
            columns[place % PORTION], values[place % PORTION] = j, matrix[i, j]
    return ranked


def matching_of(ranked, shape, sign):
    """The end of a solve from such lists."""
    whole = ranked.price == np.int64
    kind = [np.float32, np.float64, np.int32, np.int64].index(ranked.kind)
    return RankedMatching(ranked.memory, LIST, kind, whole, sign, *shape)
