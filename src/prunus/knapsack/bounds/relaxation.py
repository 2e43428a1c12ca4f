"""The linear relaxation, perhaps with a price for items in its objective.

Sorted by efficiency, the items up to the break item fill the knapsack; the break item's share of
the rest is the bound (Dantzig 1957).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.model.arrays import FloatArray, Int64Array, Integer


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The solved relaxation."""

    order: Int64Array
    """The items by falling efficiency. Shape (n,)."""
    w: Int64Array
    p: Int64Array
    counts: Int64Array
    """Weights and profits in this order, and for how many items each stands. Shape (n,)."""
    cw: Int64Array
    """Weight of the items before. Shape (n + 1,)."""
    cq: FloatArray
    """Profit less the multiplier of the items before, where that is positive. Shape (n + 1,)."""
    e: FloatArray
    """Efficiencies, none below 0; the last is 0. Shape (n + 1,)."""
    middle: int
    """The break item: those before it are the break solution."""
    room: int
    """The capacity that the break solution leaves."""
    profit: int
    """That of the break solution."""
    multiplier: float
    side: int
    """Of the constraint on the number of items: at most (multiplier > 0) or at least (< 0) so many.
    0 without one."""
    bound: float
    """No choice is worth more."""

    @property
    def slack(self) -> float:
        """What rounding may have taken from a bound."""
        many = int(self.counts.sum()) if self.multiplier else 0
        return 1e-6 + 1e-14 * (abs(self.bound) + abs(self.multiplier) * many)

    @property
    def count(self) -> float:
        """How many items the relaxed solution has, the break item's share included."""
        b = self.middle
        whole = float(self.counts[:b].sum())
        if b == len(self.w) or self.e[b] <= 0:
            return whole
        return whole + self.room / int(self.w[b]) * int(self.counts[b])

    def forced(self) -> FloatArray:
        """Return the bound if an item deviates from the break solution, relative to its profit."""
        bounds = np.empty(len(self.w))
        side = 0.0
        if self.multiplier:
            side = self.multiplier * (self.side - int(self.counts[: self.middle].sum()))
        items = _Items(self.w, self.p, self.counts)
        _force(items, self.e, self.middle, self.room, self.multiplier, side, bounds)
        return bounds


class _Items(NamedTuple):
    """Weights, profits, and for how many items each stands."""

    w: Int64Array
    p: Int64Array
    counts: Int64Array


class _Sorted(NamedTuple):
    """Items by falling efficiency and the sums over those before, see `Relaxation`."""

    w: Int64Array
    p: Int64Array
    counts: Int64Array
    cw: Int64Array
    cq: FloatArray
    e: FloatArray


@outer
def _force(
    items: _Items,
    e: FloatArray,
    middle: int,
    room: int,
    multiplier: float,
    side: float,
    out: FloatArray,
) -> None:
    """Note the bound if each item deviates from the break solution."""
    w, p, counts = items
    after = e[middle]
    before = e[middle - 1] if middle > 0 else after
    for j in range(w.shape[0]):
        q = np.float64(p[j]) - multiplier * np.float64(counts[j])
        if j < middle:
            out[j] = np.float64(room + w[j]) * after - q + side
        else:
            left = np.float64(room - w[j])
            out[j] = q + left * (after if left >= 0 else before) + side


def relax(
    w: Int64Array,
    p: Int64Array,
    counts: Int64Array,
    capacity: int,
    multiplier: float = 0.0,
    side: int = 0,
) -> Relaxation:
    """Solve the relaxation.

    An item stands for ``counts`` items; ``multiplier`` and ``side`` are those of the constraint on
    the number of items.
    """
    n = len(w)
    items, key = _Items(w, p, counts), np.empty(n)
    _rank(items, multiplier, key)
    order = np.argsort(key, kind="stable" if multiplier else None)
    sw, sp, sc, cw = (np.empty(m, dtype=np.int64) for m in (n, n, n, n + 1))
    ordered = _Sorted(sw, sp, sc, cw, np.empty(n + 1), np.empty(n + 1))
    middle, profit = _add_up(order, items, key, multiplier, capacity, ordered)
    room = capacity - int(cw[middle])
    cq, e = ordered.cq, ordered.e
    bound = float(cq[middle]) + room * float(e[middle]) + multiplier * side
    return Relaxation(order, sw, sp, sc, cw, cq, e, middle, room, profit, multiplier, side, bound)


@outer
def _rank(items: _Items, multiplier: float, key: FloatArray) -> None:
    """Find what to sort by: efficiencies, none below 0, with the opposite sign."""
    w, p, counts = items
    for j in range(w.shape[0]):
        q = np.float64(p[j]) - multiplier * np.float64(counts[j])
        key[j] = -max(0.0, q / np.float64(w[j]))


@outer
def _add_up(
    order: Int64Array,
    items: _Items,
    key: FloatArray,
    multiplier: float,
    capacity: int,
    out: _Sorted,
) -> tuple[int, Integer]:
    """Put items in order and add them up; return the break item and the profit before it."""
    w, p, counts = items
    sw, sp, sc, cw, cq, e = out
    n = order.shape[0]
    middle, profit = n, np.int64(0)
    # Whole numbers: what floats lose in a long sum can be more than the slack.
    weight = worth = many = np.int64(0)
    for k in range(n):
        j = order[k]
        sw[k], sp[k], sc[k], e[k] = w[j], p[j], counts[j], -key[j]
        cw[k], cq[k] = weight, np.float64(worth) - multiplier * np.float64(many)
        if middle == n:
            if weight + w[j] > capacity or e[k] <= 0.0:
                middle = k
            else:
                profit += p[j]
        weight += w[j]
        if key[j] < 0.0:
            worth += p[j]
            many += counts[j]
    cw[n], cq[n], e[n] = weight, np.float64(worth) - multiplier * np.float64(many), 0.0
    return middle, profit
