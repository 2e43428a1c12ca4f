"""The bound of one vector of counts: the price of weight that makes it least."""

from __future__ import annotations

import numpy as np

from prunus.knapsack.groups.classes import SCALE, Classes
from prunus.knapsack.groups.sums import NOTHING
from prunus.model.arrays import Int64Array


class Dual:
    """The bound of a vector of counts, as a function of the price."""

    def __init__(self, classes: Classes) -> None:
        self._classes = classes
        width = max(len(p) for p in classes.profits)
        shape = (len(classes), width)
        self._p, self._a = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        self._out = np.ones(shape, dtype=bool)
        for c, (p, a) in enumerate(zip(classes.profits, classes.excess, strict=True)):
            self._p[c, : len(p)], self._a[c, : len(a)], self._out[c, : len(p)] = p, a, False

    def room(self, counts: Int64Array) -> int:
        """Return what the bases leave."""
        return self._classes.capacity - int((counts * self._classes.base).sum())

    def value(self, counts: Int64Array, price: int) -> tuple[int, int]:
        """Return the bound at a price, times `SCALE`, and by how much it grows with the price."""
        c = self._classes
        worth = SCALE * self._p - price * self._a
        worth[self._out] = NOTHING
        order = np.argsort(-worth, axis=1, kind="stable")
        inside = np.arange(worth.shape[1]) < counts[:, None]
        best = int(np.take_along_axis(worth, order, 1)[inside].sum())
        weight = int(np.take_along_axis(self._a, order, 1)[inside].sum())
        free = SCALE * c.free_profits - price * c.free_weights
        good = free > 0
        room = self.room(counts)
        slope = room - weight - int(c.free_weights[good].sum())
        return best + int(free[good].sum()) + price * room, slope

    def least(
        self, counts: Int64Array, hint: int = SCALE, enough: int = NOTHING
    ) -> tuple[int, int]:
        """Return the price with the least bound, and that bound, times `SCALE`.

        ``hint`` is a price to start from; it stops at a bound below ``enough``.
        """
        low = high = (hint, *self.value(counts, hint))
        best = low[:2]
        step = SCALE // 8
        # Of a convex function of the price two tangents that meet tell where to look next.
        while best[1] >= enough and (low[2] > 0 or high[2] < 0):
            price = (
                max(0, low[0] - step) if low[2] > 0 else min(self._classes.highest, high[0] + step)
            )
            if price in (low[0], high[0]):
                return best
            found = (price, *self.value(counts, price))
            low, high = (found, low) if low[2] > 0 else (high, found)
            best, step = min(best, found[:2], key=lambda x: x[1]), 4 * step
        while best[1] >= enough and high[0] - low[0] > 1 and low[2] < 0 < high[2]:
            rise = high[1] - low[1] + low[2] * low[0] - high[2] * high[0]
            price = min(max(rise // (low[2] - high[2]), low[0] + 1), high[0] - 1)
            found = (price, *self.value(counts, price))
            low, high = (found, high) if found[2] < 0 else (low, found)
            best = min(best, found[:2], key=lambda x: x[1])
        return best
