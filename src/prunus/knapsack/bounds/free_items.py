"""The items in which a choice better than the best one known may deviate from the break solution.

The others are fixed: the relaxation's bound if one of them deviates is too low.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.bounds.relaxation import Relaxation

__all__ = ["FreeItems", "free_items"]

Array = NDArray[np.int64]
Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FreeItems:
    """Items by falling efficiency.

    Attributes
    ----------
    index : (n,) int64
        Their numbers in the relaxation.
    w, p, counts : (n,) int64
        Weights, profits, and for how many items each stands.
    forced : (n,) float64
        The bound if the item deviates, relative to the break solution.
    cw, cq, e : (n + 1,)
        As in the relaxation, of these items.
    middle
        Those before it are in the break solution.
    """

    index: Array
    w: Array
    p: Array
    counts: Array
    forced: Reals
    cw: Array
    cq: Reals
    e: Reals
    middle: int


def free_items(r: Relaxation, value: int) -> FreeItems:
    """Return the items in which a choice worth more than ``value`` may deviate."""
    n = len(r.w)
    whole = [np.empty(n + 1, dtype=np.int64) for _ in range(5)]
    reals = [np.empty(n + 1) for _ in range(3)]
    all_forced, least = r.forced(), value + 1 - r.profit - r.slack
    kept, middle = _keep(
        r.w, r.p, r.counts, r.e, all_forced, r.middle, least, r.multiplier, *whole, *reals
    )
    (index, w, p, counts, cw), (forced, cq, e) = whole, reals
    return FreeItems(
        index[:kept], w[:kept], p[:kept], counts[:kept], forced[:kept], cw[: kept + 1],
        cq[: kept + 1], e[: kept + 1], middle,
    )  # fmt: skip


@outer
def _keep(  # type: ignore[no-untyped-def]
    w: Any, p: Any, counts: Any, e: Any, forced: Any, middle: Any, least: Any, lam: Any,
    out_index: Any, out_w: Any, out_p: Any, out_counts: Any, out_cw: Any, out_forced: Any,
    out_cq: Any, out_e: Any
):  # fmt: skip
    k = before = 0
    # Whole numbers: what floats lose in a long sum can be more than the slack.
    weight = worth = many = np.int64(0)
    for j in range(w.shape[0]):
        if forced[j] < least:
            continue
        out_index[k], out_w[k], out_p[k], out_counts[k] = j, w[j], p[j], counts[j]
        out_forced[k], out_e[k], out_cw[k] = forced[j], e[j], weight
        out_cq[k] = np.float64(worth) - lam * np.float64(many)
        weight += w[j]
        if e[j] > 0.0:
            worth += p[j]
            many += counts[j]
        k += 1
        if j < middle:
            before = k
    out_cw[k], out_e[k] = weight, 0.0
    out_cq[k] = np.float64(worth) - lam * np.float64(many)
    return k, before
