"""Items sorted into classes of nearly equal weight.

Where the weights lie in a few narrow bands, a choice is first of all a vector of counts, how many
items of each band; which ones is a question of what is left of the weights beyond each band's
lightest item, and of the light items that fill up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prunus.model.arrays import Int64Array

SCALE = 1024
"""Multipliers are whole multiples of one over this, so that all sums are exact."""

_MOST = 64  # classes
_GAP = 16  # how much wider the gaps between classes must be than those within
_LIMIT = 1 << 61
_LEAST = 8  # the least highest price worth starting with


@dataclass(frozen=True, slots=True)
class Classes:
    """The classes, the heaviest first, and the free items, any number of which may be chosen."""

    members: list[Int64Array]
    """The items of each class. Arrays of shape (n_c,)."""
    base: Int64Array
    """The weight of a class's lightest item. Shape (g,)."""
    most: Int64Array
    """How many items of the class fit at most. Shape (g,)."""
    excess: list[Int64Array]
    profits: list[Int64Array]
    """What each item weighs beyond the base, and its profit. Arrays of shape (n_c,)."""
    free: Int64Array
    """The items in no class."""
    free_weights: Int64Array
    free_profits: Int64Array
    """Theirs."""
    capacity: int
    """Of the knapsack."""

    def __len__(self) -> int:
        return len(self.base)

    @property
    def spread(self) -> int:
        """The width of the widest class."""
        return max((int(e.max()) for e in self.excess), default=0)

    @property
    def highest(self) -> int:
        """The highest price at which all sums are exact, times `SCALE`."""
        weights = self.capacity + int(self.free_weights.sum())
        weights += sum(int(excess.sum()) for excess in self.excess)
        return min(SCALE * SCALE, _LIMIT // (4 * weights))

    def priced(self, price: int) -> Priced:
        """Return what counts are worth if a unit of weight beyond the bases costs ``price``."""
        best = []
        for profits, excess, most in zip(self.profits, self.excess, self.most, strict=True):
            values = np.sort(SCALE * profits - price * excess)[::-1][: int(most)]
            best.append(np.concatenate([[0], np.cumsum(values)]))
        values = SCALE * self.free_profits - price * self.free_weights
        return Priced(price, best, int(values[values > 0].sum()))

    def lightest(self) -> Priced:
        """Return what counts weigh at least beyond the bases, as if it were their worth."""
        best = []
        for excess, most in zip(self.excess, self.most, strict=True):
            best.append(np.concatenate([[0], -np.cumsum(np.sort(excess)[: int(most)])]))
        return Priced(1, best, 0)


@dataclass(frozen=True, slots=True)
class Priced:
    """The most that counts can be worth at a price; all values times `SCALE`."""

    price: int
    """Of a unit of weight, times `SCALE`."""
    best: list[Int64Array]
    """The worth of the k best items of a class, their excess paid for.
    Arrays of shape (most_c + 1,)."""
    free: int
    """The worth of the free items that are worth their weight."""


def classify(w: Int64Array, p: Int64Array, capacity: int) -> Classes | None:
    """Sort items into classes; None if their weights form none.

    Weights are positive and no more than the capacity.
    """
    if len(w) < 2:
        return None
    order = np.argsort(w, kind="stable")
    sorted_w = w[order]
    gaps = np.diff(sorted_w)
    widest = np.sort(gaps)[::-1][: _MOST + 1]
    ratios = widest[:-1] / np.maximum(widest[1:], 1)
    if len(ratios) == 0:
        return None
    cut = int(np.argmax(ratios))
    if ratios[cut] < _GAP:
        return None
    parts = np.split(order, np.flatnonzero(gaps >= widest[cut]) + 1)
    light = parts[0]
    # A class as wide as it is heavy is none.
    free = light if 2 * int(w[light[0]]) <= int(w[light[-1]]) else light[:0]
    members = [part for part in parts[::-1] if len(free) == 0 or part is not light]
    base = np.array([w[part[0]] for part in members], dtype=np.int64)
    found = Classes(
        members,
        base,
        np.array([min(len(m), capacity // int(b)) for m, b in zip(members, base, strict=True)]),
        [w[part] - b for part, b in zip(members, base, strict=True)],
        [p[part] for part in members],
        free,
        w[free],
        p[free],
        capacity,
    )
    worth = SCALE * (int(p.sum()) + capacity)
    exact = worth < _LIMIT and found.highest > _LEAST * SCALE
    return found if exact and found.spread * 2 < int(base[-1]) else None
