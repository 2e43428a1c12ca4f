"""Constraints on how many items there are, and the relaxation with the best price for them.

Every choice that fits has at most k items, k being how many of the lightest fit; every choice
better than the best one known has at least as many as are needed of the most profitable ones to
beat it. Either is put into the objective with the multiplier that makes the bound smallest
(S. Martello, P. Toth 1997, Upper bounds and algorithms for hard 0-1 knapsack problems).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from prunus.knapsack.bounds.relaxation import Relaxation, relax
from prunus.model.arrays import Int64Array


@dataclass(frozen=True, slots=True)
class Cardinality:
    """A constraint on the number of items that no better choice violates."""

    side: int
    """The number."""
    at_most: bool
    """No more than it, else no fewer."""


def cardinality(root: Relaxation, capacity: int, value: int) -> Cardinality | None:
    """Return the constraint on the number of items that cuts the relaxed solution off, if one does.

    ``root`` is the relaxation without a constraint; only choices worth more than ``value`` are of
    interest.
    """
    most = _how_many(root.w, root.counts, capacity)
    if most < root.count:
        return Cardinality(most, True)
    least = 1 + _how_many(root.p, root.counts, value, largest=True)
    return Cardinality(least, False) if least > root.count else None


def _how_many(values: Int64Array, counts: Int64Array, limit: int, *, largest: bool = False) -> int:
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
    # With this multiplier no item, or every item that fits, is worth taking: then the lightest are
    # the most efficient.
    dearest = float(root.p.max())
    reach = dearest if sign > 0 else 4.0 * dearest * float(root.w.max()) / float(root.w.min())
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
