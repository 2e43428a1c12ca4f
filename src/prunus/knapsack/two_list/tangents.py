"""What the items outside a list can still add to its states: the relaxation over them, as tangents.

The relaxed profit of a state is concave in its weight, and any tangent of a concave function lies
above it. A table of tangents at evenly spaced weights therefore bounds any state by one look-up, in
whatever order the states come: one of weight w and profit p, once the multiplier of its items has
been paid, is worth at most ``p + (room - w) * slope[b] + constant[b]`` at ``b = (w - base) >>
shift``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.expanding_core.merge import break_item, segment
from prunus.knapsack.expanding_core.state import CoreState

__all__ = ["TangentBound"]

_TANGENTS = 1 << 13


class TangentBound:
    """The items that a list has not decided, and the bound that follows from them.

    Parameters
    ----------
    items
        How many items there are at most.

    Attributes
    ----------
    cw, cq, e, left, right
        Sums of weights and of profits less the multiplier, efficiencies, and where the items that
        are in the break solution end, see `prunus.knapsack.expanding_core.merge`.
    """

    def __init__(self, items: int) -> None:
        self.cw = np.zeros(items + 1, dtype=np.int64)
        self.cq, self.e = np.zeros(items + 1), np.zeros(items + 1)
        self.left, self.right = -1, 0
        self._slope, self._constant = np.zeros(_TANGENTS), np.zeros(_TANGENTS)
        self._buffers = self.cw, self.cq, self.e

    def of(self, core: CoreState, owner: NDArray[np.uint8], mine: int) -> None:
        """Take all items that are not a list's own."""
        cw, cq, e = self._buffers
        count, left = _collect(owner, mine, core.w, core.q, core.e, core.middle, cw, cq, e)
        self.cw, self.cq, self.e = cw[: count + 1], cq[: count + 1], e[: count + 1]
        self.left, self.right = left - 1, left

    @property
    def relaxation(self) -> tuple[Any, ...]:
        """What compiled code takes: left, right, cw, cq, e."""
        return self.left, self.right, self.cw, self.cq, self.e

    def table(self, room: int, least: int, most: int) -> tuple[Any, ...]:
        """Make the table for weights from ``least`` to ``most``: slopes, constants, base, shift."""
        shift = max(0, (most - least + 1).bit_length() - (_TANGENTS.bit_length() - 1))
        count = ((most - least) >> shift) + 1
        slope, constant = self._slope[:count], self._constant[:count]
        _tangents(np.int64(least), shift, room, *self.relaxation, slope, constant)
        return slope, constant, np.int64(least), np.int64(shift)


@outer
def _collect(owner, mine, w, q, e, middle, cw, cq, rest_e):  # type: ignore[no-untyped-def]
    count = left = 0
    weight = np.int64(0)
    # What floats lose in a long sum can be more than the slack: it is added later (Kahan).
    profit = lost = 0.0
    for j in range(owner.shape[0]):
        if owner[j] == mine:
            continue
        cw[count], cq[count], rest_e[count] = weight, profit, e[j]
        weight += w[j]
        addend = q[j] - lost
        total = profit + addend
        lost = (total - profit) - addend
        profit = total
        count += 1
        if j < middle:
            left = count
    cw[count], cq[count], rest_e[count] = weight, profit, 0.0
    return count, left


@outer
def _tangents(base, shift, room, left, right, cw, cq, e, slope, constant):  # type: ignore[no-untyped-def]
    room = np.int64(room)
    q = break_item(base, room, left, right, cw)
    ceiling, value = segment(q, room, left, right, cw, cq, e)
    for b in range(slope.shape[0]):
        # The tangent at the light end: where nothing fits any more, it is infinitely low.
        weight = base + (np.int64(b) << shift)
        while q >= 0 and weight > ceiling:
            q = left if q == right else q - 1
            ceiling, value = segment(q, room, left, right, cw, cq, e)
        slope[b] = e[q] if q >= 0 else 0.0
        constant[b] = value if q >= 0 else -np.inf
