"""The plan of the dense recursion on GPUs: items in passes, and these in the best order.

Identical items are tied: m of them become about log2(m) steps of 1, 2, 4, … of them, of which the
largest are chains of 64 times the weight.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from prunus.knapsack.gpu.dense_fill import fill
from prunus.knapsack.gpu.dense_passes import Limits, Passes, costs, pass_cost, ranges, tile_cost
from prunus.knapsack.gpu.dense_steps import by_weight, each, tie

__all__ = ["arrange", "halves"]

Array = NDArray[np.int64]


def arrange(w: Array, p: Array, capacity: int, need: int, limits: Limits) -> Passes:
    """Put items into passes, and these into the order with the fewest live cells.

    Parameters
    ----------
    w, p
        Weights and profits, positive; no weight above the capacity.
    capacity
        Of the knapsack.
    need
        The cells from this to the capacity are wanted in the end.
    limits
        What the device can take.
    """
    order = by_weight(w, p)
    sw, sp = w[order], p[order]
    new = np.flatnonzero(np.r_[True, sw[1:] != sw[:-1]])
    place = np.arange(len(sw)) - np.repeat(new, np.diff(np.r_[new, len(sw)]))
    useful = (place + 1) * sw <= capacity  # of a weight only the most valuable that fit
    if not useful.all():
        order = order[useful]
        sw, sp = sw[useful], sp[useful]
    steps = tie(sw, sp) if limits.tie else each(sw, sp)
    overhead = pass_cost(capacity)
    passes = fill(steps, order, limits, overhead, tile_cost(capacity))
    # Light passes at both ends of the order, heavy ones between, or all one way.
    cost = costs(passes, overhead)
    up = np.argsort(passes.span / cost, kind="stable")
    orders = (np.concatenate([up[::2], up[1::2][::-1]]), up, up[::-1])
    candidates = [passes.in_order(way) for way in orders]
    return min(candidates, key=lambda some: _work(some, capacity, need, overhead))


def halves(passes: Passes, capacity: int) -> tuple[Passes, Passes] | None:
    """Share passes between two recursions that each begin with the empty knapsack.

    Parameters
    ----------
    passes
        Of all items, which together weigh at least the capacity.
    capacity
        The only cell that is wanted in the end.

    Returns
    -------
    tuple of Passes
        Whose costs are about the same, light ones first; None if that is not about half the cost of
        all passes together.
    """
    overhead = pass_cost(capacity)
    up = np.argsort(passes.span / costs(passes, overhead), kind="stable")
    second = (np.arange(len(up)) + 1) // 2 % 2 == 1  # the first, the fourth and fifth, … are not
    if not second.any():
        return None
    parts = passes.in_order(up[~second]), passes.in_order(up[second])
    weigh = [int(part.span.sum()) for part in parts]
    work = [
        _work(part, capacity, max(0, capacity - other), overhead)
        for part, other in zip(parts, weigh[::-1], strict=True)
    ]
    return parts if max(work) < 0.6 * _work(passes, capacity, capacity, overhead) else None


def _work(passes: Passes, capacity: int, need: int, overhead: float) -> float:
    low, high = ranges(passes, capacity, need)
    return float(((high - low + 1) * costs(passes, overhead)).sum())
