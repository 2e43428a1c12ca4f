"""The items that a choice is left about, brought into the form that the methods work on.

Out go items that are too heavy or worth nothing; in go those that weigh nothing. Common divisors of
the weights (the capacity is then rounded down) and of the profits are taken out. Identical items
may be tied into bundles of 1, 2, 4, … of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.problem import Knapsack
from prunus.model.arrays import Int64Array, Integer

_SAMPLE = 1000
"""Items of a sample, about."""


@dataclass(frozen=True, slots=True)
class Items:
    """Items, each of which stands for one or more of the problem's."""

    weights: Int64Array
    profits: Int64Array
    """All positive. Shape (n,)."""
    capacity: int
    """What they may weigh together."""
    start: Int64Array
    count: Int64Array
    """Item i stands for the problem's items ``members[start[i] : start[i] + count[i]]``.
    Shape (n,)."""
    members: Int64Array

    def __len__(self) -> int:
        return len(self.weights)

    def expand(self, chosen: Int64Array) -> Int64Array:
        """Return the problem's items for which chosen ones stand."""
        count = self.count[chosen]
        first = np.repeat(self.start[chosen] - (np.cumsum(count) - count), count)
        return self.members[first + np.arange(len(first))]


@dataclass(frozen=True, slots=True)
class Reduced:
    """A problem brought into form."""

    items: Items
    """Those that a choice is left about."""
    packed: Int64Array
    """The problem's items that are in the knapsack anyway."""
    profit: int
    """Theirs."""
    unit: int
    """A choice of value v is worth ``profit + unit * v``."""
    weight_unit: int
    """Weights and capacity were divided by it."""

    def objective(self, value: int) -> int:
        """Return the total profit for a value of a choice."""
        return self.profit + self.unit * value


def repetitive(items: Items) -> bool:
    """Tell from a sample whether many items are identical."""
    n = len(items)
    if n < 2 * _SAMPLE:
        return False
    sample = slice(0, None, n // _SAMPLE)
    pairs = np.stack([items.weights[sample], items.profits[sample]], axis=1)
    # Among k kinds, m items drawn at random repeat one of them about m * m / 2 k times.
    drawn = len(pairs)
    repeats = drawn - len(np.unique(pairs, axis=0))
    return repeats > 2 * drawn * drawn / n


@outer
def _survey(
    w: Int64Array, p: Int64Array, capacity: int, members: Int64Array
) -> tuple[int, int, Integer, Integer]:
    """Find the items left: how many, how many weigh nothing, divisors of weights and profits."""
    kept = free = 0
    weights: Integer = np.int64(0)
    profits: Integer = np.int64(0)
    for j in range(w.shape[0]):
        if p[j] == 0 or w[j] > capacity:
            continue
        if w[j] == 0:
            free += 1
            continue
        members[kept] = j
        kept += 1
        if weights != 1:
            weights = math.gcd(weights, w[j])
        if profits != 1:
            profits = math.gcd(profits, p[j])
    one = np.int64(1)
    return kept, free, weights if weights else one, profits if profits else one


def normalise(problem: Knapsack) -> Reduced:
    """Bring a problem into form."""
    w, p, capacity = problem.weights, problem.profits, problem.capacity
    members = np.empty(len(w), dtype=np.int64)
    kept, free, weight_unit, unit = _survey(w, p, capacity, members)
    packed = np.flatnonzero((p > 0) & (w == 0)) if free else members[:0]
    profit = int(p[packed].sum()) if free else 0
    members = members[:kept]
    w, p = w[members], p[members]
    if weight_unit > 1:
        w = w // weight_unit
        capacity //= weight_unit
    if unit > 1:
        p = p // unit
    everything = np.arange(len(members))
    items = Items(w, p, capacity, everything, np.ones_like(everything), members)
    return Reduced(items, packed, profit, unit, weight_unit)


def _by_kind(w: Int64Array, p: Int64Array) -> Int64Array:
    """Return an order in which identical items are neighbours."""
    step = int(p.max()) + 1
    if (int(w.max()) + 1) * step < 2**62:
        return np.argsort(w * step + p)  # one fast sort for two stable ones
    return np.lexsort((p, w))


def bundled(items: Items) -> Items:
    """Tie identical items into bundles, so that any number of them is still possible.

    Only for items that stand for one each. The bundles of m copies number about log2(m).
    """
    if len(items) == 0:
        return items
    w, p = items.weights, items.profits
    order = _by_kind(w, p)
    sw, sp = w[order], p[order]
    new = np.flatnonzero(np.r_[True, (sw[1:] != sw[:-1]) | (sp[1:] != sp[:-1])])
    copies = np.diff(np.r_[new, len(w)])
    copies = np.minimum(copies, items.capacity // sw[new])
    parts: list[tuple[Int64Array, Int64Array, Int64Array]] = []
    kind, start, left, size = np.arange(len(new)), new.copy(), copies, 1
    while len(kind):
        take = np.minimum(size, left)
        parts.append((kind, start, take))
        more = left > take
        kind, start, left, size = kind[more], (start + take)[more], (left - take)[more], 2 * size
    kind, start, count = (np.concatenate(column) for column in zip(*parts, strict=True))
    first = new[kind]
    return Items(
        sw[first] * count, sp[first] * count, items.capacity, start, count, items.members[order]
    )
