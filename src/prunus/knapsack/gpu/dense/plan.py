"""Plan of the dense recursion on GPUs: items packed into passes, and these in the best order.

Of the orders of the passes the one with the fewest live cells is taken. How items are packed is in
``packing.py``.
"""

from __future__ import annotations

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.gpu.dense.kinds import count_kinds
from prunus.knapsack.gpu.dense.packing import Allocate, pack
from prunus.knapsack.gpu.dense.passes import (
    PassCosts,
    Passes,
    PassLimits,
    costs,
    pass_cost,
    tile_cost,
)
from prunus.model.arrays import FloatArray, Int64Array


def arrange(
    w: Int64Array,
    p: Int64Array,
    capacity: int,
    need: int,
    limits: PassLimits,
    *,
    items: bool = True,
    room: Allocate = np.empty,
) -> Passes:
    """Put items into passes, and these into the order with the fewest live cells.

    Weights and profits are positive, no weight above the capacity; the cells from ``need`` to the
    capacity are wanted in the end. ``items``: whether the items are wanted for which steps stand.
    ``room`` gives memory for what kernels read.
    """
    overhead = pass_cost(capacity)
    kinds = count_kinds(w, p, capacity, items=items)
    passes = pack(kinds, limits, PassCosts(overhead, tile_cost(capacity)), room)
    # Light passes at both ends of the order, heavy ones between, or all one way.
    cost = costs(passes, overhead)
    up = np.argsort(passes.span / cost, kind="stable")
    orders = (np.concatenate([up[::2], up[1::2][::-1]]), up, up[::-1])
    return passes.in_order(
        min(orders, key=lambda some: _work(passes.span, cost, some, capacity, need))
    )


def halves(passes: Passes, capacity: int) -> tuple[Passes, Passes] | None:
    """Share passes between two recursions that each begin with the empty knapsack.

    The passes are of all items, which together weigh at least the capacity, the only cell that is
    wanted in the end. The parts cost about the same, light passes first; None if that is not about
    half the cost of all passes together.
    """
    span, cost = passes.span, costs(passes, pass_cost(capacity))
    up = np.argsort(span / cost, kind="stable")
    second = (np.arange(len(up)) + 1) // 2 % 2 == 1  # the first, the fourth and fifth, … are not
    if not second.any():
        return None
    parts = up[~second], up[second]
    weigh = [int(span[part].sum()) for part in parts]
    work = [
        _work(span, cost, part, capacity, max(0, capacity - other))
        for part, other in zip(parts, weigh[::-1], strict=True)
    ]
    whole = _work(span, cost, np.arange(len(up)), capacity, capacity)
    if max(work) >= 0.6 * whole:
        return None
    return passes.in_order(parts[0]), passes.in_order(parts[1])


@outer
def _work(span: Int64Array, cost: FloatArray, order: Int64Array, capacity: int, need: int) -> float:
    """Return what passes cost in an order: their live cells, each as much as it costs."""
    left = 0
    for k in order:
        left += span[k]
    need = min(need, left)
    before, work = 0, 0.0
    for k in order:
        left -= span[k]
        before += span[k]
        work += (min(before, capacity) - max(need - left, 0) + 1) * cost[k]
    return work
