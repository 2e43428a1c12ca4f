"""Ranked lists as a GPU hands them over, read and written by their layout."""

from __future__ import annotations

import numpy as np

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
