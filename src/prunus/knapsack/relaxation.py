"""The linear relaxation, and one with a constraint on how many items there are.

Sorted by efficiency, the items up to the break item fill the knapsack; the break item's share of
the rest is the bound (Dantzig 1957). Every choice that fits has at most k items, k being how many
of the lightest fit; every choice better than the best one known has at least as many as are needed
of the most profitable ones to beat it. Either is put into the objective with the multiplier that
makes the bound smallest (S. Martello, P. Toth 1997, Upper bounds and algorithms for hard 0-1
knapsack problems).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.treesearch.compiled import outer

__all__ = ["Cardinality", "Relaxation", "cardinality", "relax", "tighten"]

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


@dataclass(frozen=True, slots=True)
class Cardinality:
    """A constraint on the number of items that no better choice violates.

    Attributes
    ----------
    side
        The number.
    at_most
        No more than it, else no fewer.
    """

    side: int
    at_most: bool


def cardinality(root: Relaxation, capacity: int, value: int) -> Cardinality | None:
    """Return the constraint on the number of items that cuts the relaxed solution off, if one does.

    Parameters
    ----------
    root
        The relaxation without a constraint.
    capacity
        Of the knapsack.
    value
        Only choices worth more are of interest.
    """
    most = _how_many(root.w, root.counts, capacity)
    if most < root.count:
        return Cardinality(most, True)
    least = 1 + _how_many(root.p, root.counts, value, largest=True)
    return Cardinality(least, False) if least > root.count else None


def _how_many(values: Array, counts: Array, limit: int, *, largest: bool = False) -> int:
    """Return how many items, smallest or largest first, add up to no more than a limit."""
    each = values // counts
    order = np.argsort(-each if largest else each)
    each, counts, total = each[order], counts[order], np.cumsum(values[order])
    k = int(np.searchsorted(total, limit, side="right"))
    found = int(counts[:k].sum())
    if k == len(each):
        return found
    rest = limit - (int(total[k - 1]) if k else 0)
    return found + rest // int(each[k])


def tighten(
    root: Relaxation, capacity: int, constraint: Cardinality, look: Callable[[], bool] = bool
) -> Relaxation:
    """Return the relaxation with the best multiplier for a constraint.

    The bound is convex and piecewise linear in the multiplier; its slope is the constraint's side
    less the relaxed number of items. The tangents at both ends of an interval that holds the
    minimum cross where to look next. ``look`` is called before each; if it says so, the best
    multiplier so far has to do.
    """
    sign = 1 if constraint.at_most else -1
    side = constraint.side
    best = low = root
    # With this multiplier no item, or every item that fits, is worth taking.
    reach = float(root.p.max()) if sign > 0 else _reach(root, side)
    high: tuple[float, float, float] | None = None  # multiplier, bound, slope
    w, p = root.w, root.p
    guess = _guess(root)
    found: Relaxation | None = None
    for attempt in range(40):
        slope_low = side - low.count
        if attempt == 0 and 0 < sign * guess < reach:
            multiplier = guess
        elif attempt == 1 and found is not None:
            # Where many items are equally efficient the slope jumps: look just beyond the jump.
            beyond = 1e-7 * max(1.0, abs(found.multiplier))
            multiplier = found.multiplier + (sign if found is low else -sign) * beyond
        elif high is None:
            multiplier = sign * reach
        else:
            rise = high[2] - slope_low
            if rise * sign <= 0:
                break
            crossing = (low.bound - high[1] + high[2] * high[0] - slope_low * low.multiplier) / rise
            floor = low.bound + slope_low * (crossing - low.multiplier)
            if math.floor(best.bound + best.slack) <= math.floor(floor - best.slack):
                break
            multiplier = crossing
        if look():
            break
        near = round(multiplier)
        if attempt != 1 and near and abs(multiplier - near) < 1e-6 * max(1.0, abs(multiplier)):
            multiplier = float(near)
        if multiplier in (low.multiplier, high[0] if high else None):
            break
        found = relax(w, p, root.counts, capacity, multiplier, side)
        if found.bound < best.bound:
            best = found
        if abs(side - found.count) < 1e-9:
            break
        if (side - found.count) * sign < 0:
            low = found
        else:
            high = (multiplier, found.bound, side - found.count)
    return best if best is root else replace(best, order=root.order[best.order])


def _reach(root: Relaxation, side: int) -> float:
    """Return how much every profit must grow until the lightest items are the most efficient."""
    return 4.0 * float(root.p.max()) * float(root.w.max()) / float(root.w.min())


def _guess(root: Relaxation) -> float:
    """Return the profit at weight 0 on the line through the items near the break item."""
    n, b = len(root.w), root.middle
    spread = slice(max(0, b - n // 4), min(n, b + n // 4 + 2))
    x, y = root.w[spread] / root.counts[spread], root.p[spread] / root.counts[spread]
    x_mean, y_mean = x.mean(), y.mean()
    variance = float(((x - x_mean) ** 2).sum())
    if variance == 0:
        return 0.0
    slope = float(((x - x_mean) * (y - y_mean)).sum()) / variance
    return float(y_mean - slope * x_mean)
