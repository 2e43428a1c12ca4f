"""The plan of the dense recursion on GPUs: items in passes, and these in the best order.

Identical items are tied: m of them become about log2(m) steps of 1, 2, 4, … of them, of which the
largest are chains of 64 times the weight.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.gpu.dense.fill import Room, fill
from prunus.knapsack.gpu.dense.passes import Limits, Passes, costs, pass_cost, tile_cost
from prunus.knapsack.gpu.dense.steps import count

__all__ = ["arrange", "halves"]

Array = NDArray[np.int64]


def arrange(
    w: Array,
    p: Array,
    capacity: int,
    need: int,
    limits: Limits,
    *,
    items: bool = True,
    room: Room = np.empty,
) -> Passes:
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
    items
        Whether the items are wanted for which steps stand.
    room
        Gives memory for what kernels read.
    """
    overhead = pass_cost(capacity)
    passes = fill(count(w, p, capacity, items=items), limits, overhead, tile_cost(capacity), room)
    # Light passes at both ends of the order, heavy ones between, or all one way.
    cost = costs(passes, overhead)
    up = np.argsort(passes.span / cost, kind="stable")
    orders = (np.concatenate([up[::2], up[1::2][::-1]]), up, up[::-1])
    return passes.in_order(
        min(orders, key=lambda some: _work(passes.span, cost, some, capacity, need))
    )


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
def _work(  # type: ignore[no-untyped-def]
    span: Any, cost: Any, order: Any, capacity: Any, need: Any
):
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
