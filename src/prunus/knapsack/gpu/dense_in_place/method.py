"""The dense method on one GPU for tables of which two do not fit: one array, changed in place.

A cell stands for exactly its weight, and its value leaves out a whole price for every unit of
weight: where profits go with weights, as in the hard classes with large weights, what is left fits
in 32 bits. Values known beforehand keep all cells out that no better choice passes. The items come
back by halving: from the tables of both halves follows how a best choice's weight is shared, the
first time for any weight that fits, then for the weight and the value of either share.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from prunus.hardware.device import Device, DeviceArray
from prunus.knapsack.gpu.dense_in_place.tables import InPlaceTables
from prunus.knapsack.tuning import DEFAULT, InPlaceTuning
from prunus.model.arrays import BoolArray, Int64Array

Range = tuple[int, int]


def price_of(w: Int64Array, p: Int64Array) -> int:
    """Return the whole price of a unit of weight that leaves the least range of values."""
    middle = float(p.sum()) / float(w.sum())
    prices = {0, int(middle), int(middle) + 1}
    return min(prices, key=lambda price: int(np.abs(p - price * w).sum()))


def _exactly(w: Int64Array, worth: Int64Array, weight: int, total: int) -> BoolArray:
    """Return which of few items are worth and weigh exactly so much together: two lists of sums."""
    half = len(w) // 2
    parts = (slice(0, half), slice(half, None))
    every = [np.arange(1 << len(w[part]))[:, None] >> np.arange(len(w[part])) & 1 for part in parts]
    (aw, av), (bw, bv) = (
        (chosen @ w[part], chosen @ worth[part]) for chosen, part in zip(every, parts, strict=True)
    )
    order = np.lexsort((-bv, bw))  # of equal weights the best comes first
    place = np.minimum(np.searchsorted(bw[order], weight - aw), len(order) - 1)
    other = order[place]
    found = int(np.argmax((aw + bw[other] == weight) & (av + bv[other] == total)))
    return np.concatenate([every[0][found], every[1][other[found]]]).astype(bool)


@dataclass(frozen=True, slots=True)
class InPlaceDense:
    """How to run."""

    device: Device
    """The GPU."""
    memory: int
    """Bytes that tables may take on it."""
    known: int
    """A profit that is reached; only better choices are sought."""
    tick: Callable[[int], bool] | None = None
    """Called now and then with the cells computed; says whether to stop."""
    tuning: InPlaceTuning = DEFAULT.in_place
    """What the host does."""

    def fits(self, w: Int64Array, p: Int64Array, capacity: int) -> bool:
        """Tell whether the table and, to find the items, another one fit."""
        size = value_bytes(w, p, self.tuning)
        return size > 0 and 2 * size * (capacity + 1) <= self.memory

    def choose(self, w: Int64Array, p: Int64Array, capacity: int) -> Int64Array:
        """Return the items of a best choice; none if no choice is worth more than known.

        Weights and profits are positive; no item is heavier than the capacity. Raises
        ``StoppedError`` if the tick says so; ``MemoryError`` if the tables do not fit.
        """
        none = np.empty(0, dtype=np.int64)
        if len(w) == 0:
            return none
        if not self.fits(w, p, capacity):
            raise MemoryError
        fit = np.flatnonzero(w <= capacity)
        order = fit[np.argsort(w[fit], kind="stable")]
        run = _Run(self, w[order], p[order])
        found = run.choose(capacity)
        return none if found is None else order[found]

    def value(self, w: Int64Array, p: Int64Array, capacity: int) -> int | None:
        """Return the optimum, None if it is not above what is known; as :meth:`choose`."""
        order = np.argsort(w, kind="stable")
        run = _Run(self, w[order], p[order])
        found = run.best(capacity)
        return None if found is None else found[1] + run.price * found[0]


def value_bytes(w: Int64Array, p: Int64Array, tuning: InPlaceTuning) -> int:
    """Return how many bytes values take; 0 if more than 8."""
    spread = int(np.abs(p - price_of(w, p) * w).sum()) if len(w) else 0
    if spread < tuning.values_4:
        return 4
    return 8 if spread < tuning.values_8 else 0


class _Run:
    def __init__(self, how: InPlaceDense, w: Int64Array, p: Int64Array) -> None:
        self._how, self._w = how, w
        self.price = price_of(w, p)
        self._worth = p - self.price * w
        size = value_bytes(w, p, how.tuning)
        self._tables = InPlaceTables(
            how.device, w, self._worth, self.price, size, how.tick, how.tuning
        )

    def best(self, capacity: int) -> Range | None:
        """Return the weight of a best choice and its value; None if none is better than known."""
        least, high = self._ends(capacity)
        if least > high:
            return None
        table = self._tables.make(np.arange(len(self._w)), high, least)
        weight, worth = self._tables.best(table, (least, high))
        return None if worth + self.price * weight <= self._how.known else (weight, worth)

    def choose(self, capacity: int) -> Int64Array | None:
        """Return the items of a best choice; None if none is better than known."""
        which = np.arange(len(self._w))
        if len(which) == 1:
            found = self.best(capacity)
            return None if found is None else self.items(which, *found)
        least, high = self._ends(capacity)
        if least > high:
            return None
        parts, ends, tables = self._halve(which, least, high)
        profit, cells = self._tables.share(tables, ends, high)
        del tables
        if profit <= self._how.known:
            return None
        return np.concatenate(
            [self.items(part, *cell) for part, cell in zip(parts, cells, strict=True)]
        )

    def items(self, which: Int64Array, weight: int, worth: int) -> Int64Array:
        """Return those of some items that weigh and are worth exactly so much together."""
        if weight == 0:
            return which[:0]
        if len(which) == 1:
            return which
        fit = which[self._w[which] <= weight]
        if len(fit) < len(which):
            return self.items(fit, weight, worth)
        if len(which) <= self._how.tuning.listed_items:
            return which[_exactly(self._w[which], self._worth[which], weight, worth)]
        parts, ends, tables = self._halve(which, weight, weight)
        share, own = self._tables.meet(tables, ends, weight, worth)
        del tables
        first = self.items(parts[0], share, own)
        return np.concatenate([first, self.items(parts[1], weight - share, worth - own)])

    def _ends(self, capacity: int) -> Range:
        """Return between which weights a better choice lies."""
        good = int(self._worth[self._worth > 0].sum())
        least = 0
        if self.price:
            least = max(0, -(-(self._how.known + 1 - good) // self.price))
        return least, min(capacity, int(self._w.sum()))

    def _halve(
        self, which: Int64Array, least: int, high: int
    ) -> tuple[tuple[Int64Array, Int64Array], list[Range], list[DeviceArray]]:
        """Return two halves of some items, between which weights each is used, and its table."""
        # Halves take turns, so that both have light and heavy items.
        parts = which[::2], which[1::2]
        sums = [self._tables.weigh(part) for part in parts]
        ends = [(max(0, least - other), min(high, own))
                for own, other in zip(sums, sums[::-1], strict=True)]  # fmt: skip
        tables = [
            self._tables.make(part, top, low) for part, (low, top) in zip(parts, ends, strict=True)
        ]
        return parts, ends, tables
