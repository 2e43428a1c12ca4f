"""The linear relaxation, perhaps with a price for items in its objective.

Sorted by efficiency, the items up to the break item fill the knapsack; the break item's share of
the rest is the bound (Dantzig 1957).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.jit.compiled import outer

__all__ = ["Relaxation", "relax"]

Array = NDArray[np.int64]
Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Relaxation:
    """The solved relaxation.

    Attributes
    ----------
    order : (n,) int64
        The items by falling efficiency.
    w, p, counts : (n,) int64
        Weights and profits in this order, and for how many items each stands.
    cw : (n + 1,) int64
        Weight of the items before.
    cq : (n + 1,) float64
        Profit less the multiplier of the items before, where that is positive.
    e : (n + 1,) float64
        Efficiencies, none below 0; the last is 0.
    middle
        The break item: those before it are the break solution.
    room
        The capacity that the break solution leaves.
    profit
        That of the break solution.
    multiplier, side
        Of the constraint on the number of items: at most (multiplier > 0) or at least (< 0) so
        many. 0 without one.
    bound
        No choice is worth more.
    """

    order: Array
    w: Array
    p: Array
    counts: Array
    cw: Array
    cq: Reals
    e: Reals
    middle: int
    room: int
    profit: int
    multiplier: float
    side: int
    bound: float

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

    def forced(self) -> Reals:
        """Return the bound if an item deviates from the break solution, relative to its profit."""
        bounds = np.empty(len(self.w))
        side = self.multiplier * (self.side - int(self.counts[: self.middle].sum()))
        _force(
            self.w,
            self.p,
            self.counts,
            self.e,
            self.middle,
            self.room,
            self.multiplier,
            side,
            bounds,
        )
        return bounds


@outer
def _force(w: Any, p: Any, counts: Any, e: Any, b: Any, room: Any, lam: Any, side: Any, out: Any):  # type: ignore[no-untyped-def]
    after = e[b]
    before = e[b - 1] if b > 0 else after
    for j in range(w.shape[0]):
        q = np.float64(p[j]) - lam * np.float64(counts[j])
        if j < b:
            out[j] = np.float64(room + w[j]) * after - q + side
        else:
            left = np.float64(room - w[j])
            out[j] = q + left * (after if left >= 0 else before) + side


def relax(
    w: Array, p: Array, counts: Array, capacity: int, multiplier: float = 0.0, side: int = 0
) -> Relaxation:
    """Solve the relaxation.

    Parameters
    ----------
    w, p, counts
        Weights and profits, and for how many items each stands.
    capacity
        Of the knapsack.
    multiplier, side
        Of the constraint on the number of items.
    """
    n = len(w)
    key = np.empty(n)
    _rank(w, p, counts, multiplier, key)
    order = np.argsort(key, kind="stable" if multiplier else None)
    sw, sp, sc, cw = (np.empty(m, dtype=np.int64) for m in (n, n, n, n + 1))
    cq, e = np.empty(n + 1), np.empty(n + 1)
    middle, profit = _add_up(
        order, w, p, counts, key, multiplier, np.int64(capacity), sw, sp, sc, cw, cq, e
    )
    room = capacity - int(cw[middle])
    bound = float(cq[middle]) + room * float(e[middle]) + multiplier * side
    return Relaxation(order, sw, sp, sc, cw, cq, e, middle, room, profit, multiplier, side, bound)


@outer
def _rank(w: Any, p: Any, counts: Any, lam: Any, key: Any):  # type: ignore[no-untyped-def]
    """Find what to sort by: efficiencies, none below 0, with the opposite sign."""
    for j in range(w.shape[0]):
        q = np.float64(p[j]) - lam * np.float64(counts[j])
        key[j] = -max(0.0, q / np.float64(w[j]))


@outer
def _add_up(  # type: ignore[no-untyped-def]
    order: Any, w: Any, p: Any, counts: Any, key: Any, lam: Any, capacity: Any, sw: Any, sp: Any,
    sc: Any, cw: Any, cq: Any, e: Any
):  # fmt: skip
    """Put items in order and add them up; return the break item and the profit before it."""
    n = order.shape[0]
    middle, profit = n, np.int64(0)
    # Whole numbers: what floats lose in a long sum can be more than the slack.
    weight = worth = many = np.int64(0)
    for k in range(n):
        j = order[k]
        sw[k], sp[k], sc[k], e[k] = w[j], p[j], counts[j], -key[j]
        cw[k], cq[k] = weight, np.float64(worth) - lam * np.float64(many)
        if middle == n:
            if weight + w[j] > capacity or e[k] <= 0.0:
                middle = k
            else:
                profit += p[j]
        weight += w[j]
        if key[j] < 0.0:
            worth += p[j]
            many += counts[j]
    cw[n], cq[n], e[n] = weight, np.float64(worth) - lam * np.float64(many), 0.0
    return middle, profit
