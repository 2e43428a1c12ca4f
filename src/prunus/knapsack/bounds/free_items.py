"""The items in which a choice better than the best one known may deviate from the break solution.

The others are fixed: the relaxation's bound if one of them deviates is too low.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.bounds.relaxation import Relaxation
from prunus.model.arrays import FloatArray, Int64Array


class FreeItems(NamedTuple):
    """Items by falling efficiency."""

    number: Int64Array
    """Their numbers in the relaxation. Shape (n,)."""
    w: Int64Array
    p: Int64Array
    counts: Int64Array
    """Weights, profits, and for how many items each stands. Shape (n,)."""
    forced: FloatArray
    """The bound if the item deviates, relative to the break solution. Shape (n,)."""
    cw: Int64Array
    cq: FloatArray
    e: FloatArray
    """As in the relaxation, of these items. Shape (n + 1,)."""
    middle: int
    """Those before it are in the break solution."""


def free_items(r: Relaxation, value: int) -> FreeItems:
    """Return the items in which a choice worth more than ``value`` may deviate."""
    n = len(r.w)
    number, w, p, counts, cw = (np.empty(n + 1, dtype=np.int64) for _ in range(5))
    forced, cq, e = (np.empty(n + 1) for _ in range(3))
    items = _Sorted(r.w, r.p, r.counts, r.e, r.forced(), r.middle)
    out = FreeItems(number, w, p, counts, forced, cw, cq, e, 0)
    kept, middle = _keep(items, value + 1 - r.profit - r.slack, r.multiplier, out)
    return FreeItems(
        number[:kept], w[:kept], p[:kept], counts[:kept], forced[:kept], cw[: kept + 1],
        cq[: kept + 1], e[: kept + 1], middle,
    )  # fmt: skip


class _Sorted(NamedTuple):
    """Items as in the relaxation, the bound if each deviates, and the break item."""

    w: Int64Array
    p: Int64Array
    counts: Int64Array
    e: FloatArray
    forced: FloatArray
    middle: int


@outer
def _keep(items: _Sorted, least: float, multiplier: float, out: FreeItems) -> tuple[int, int]:
    """Note the items that are left; return how many, and how many are in the break solution."""
    w, p, counts, e, forced, middle = items
    k = before = 0
    # Whole numbers: what floats lose in a long sum can be more than the slack.
    weight = worth = many = np.int64(0)
    for j in range(w.shape[0]):
        if forced[j] < least:
            continue
        out.number[k], out.w[k], out.p[k], out.counts[k] = j, w[j], p[j], counts[j]
        out.forced[k], out.e[k], out.cw[k] = forced[j], e[j], weight
        out.cq[k] = np.float64(worth) - multiplier * np.float64(many)
        weight += w[j]
        if e[j] > 0.0:
            worth += p[j]
            many += counts[j]
        k += 1
        if j < middle:
            before = k
    out.cw[k], out.e[k] = weight, 0.0
    out.cq[k] = np.float64(worth) - multiplier * np.float64(many)
    return k, before
