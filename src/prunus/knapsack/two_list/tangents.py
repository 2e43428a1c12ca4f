"""What the items outside a list can still add to its states: the relaxation over them, as tangents.

The relaxed profit of a state is concave in its weight, and any tangent of a concave function lies
above it. A table of tangents at evenly spaced weights therefore bounds any state by one look-up, in
whatever order the states come: one of weight w and profit p, once the multiplier of its items has
been paid, is worth at most ``p + (room - w) * slope[b] + constant[b]`` at ``b = (w - base) >>
shift``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.bounds.free_items import FreeItems
from prunus.knapsack.expanding_core.merge import break_item, segment
from prunus.knapsack.expanding_core.state import CoreState
from prunus.knapsack.expanding_core.states import OutsideItems
from prunus.model.arrays import FloatArray, UInt8Array

_TANGENTS = 1 << 13
"""Tangents in a table, at most: they stay in a core's cache."""


class Tangents(NamedTuple):
    """A table of tangents for weights from ``base`` on, one for ``1 << shift`` weights."""

    slope: FloatArray
    constant: FloatArray
    base: int
    shift: int


class TangentBound:
    """The items that a list has not decided, and the bound that follows from them.

    There are at most so many items; those in ``outside`` are not the list's own.
    """

    def __init__(self, items: int) -> None:
        weights = np.zeros(items + 1, dtype=np.int64)
        self._buffers = OutsideItems(-1, 0, weights, np.zeros(items + 1), np.zeros(items + 1))
        self.outside = self._buffers
        self._slope, self._constant = np.zeros(_TANGENTS), np.zeros(_TANGENTS)

    def take_all_but(self, core: CoreState, owner: UInt8Array, mine: int) -> None:
        """Take all items that are not a list's own."""
        buffers = self._buffers
        count, left = _collect(owner, mine, core.items, core.q, buffers)
        here = slice(count + 1)
        cw, cq, e = buffers.cw[here], buffers.cq[here], buffers.e[here]
        self.outside = OutsideItems(left - 1, left, cw, cq, e)

    def table(self, room: int, least: int, most: int) -> Tangents:
        """Make the table for weights from ``least`` to ``most``."""
        shift = max(0, (most - least + 1).bit_length() - (_TANGENTS.bit_length() - 1))
        count = ((most - least) >> shift) + 1
        tangents = Tangents(self._slope[:count], self._constant[:count], least, shift)
        _fill_tangents(tangents, room, self.outside)
        return tangents


@outer
def _collect(
    owner: UInt8Array, mine: int, items: FreeItems, q: FloatArray, out: OutsideItems
) -> tuple[int, int]:
    """Add up the items outside a list; return how many, and how many in the break solution."""
    count = left = 0
    weight = np.int64(0)
    # What floats lose in a long sum can be more than the slack: it is added later (Kahan).
    profit = lost = 0.0
    for j in range(owner.shape[0]):
        if owner[j] == mine:
            continue
        out.cw[count], out.cq[count], out.e[count] = weight, profit, items.e[j]
        weight += items.w[j]
        addend = q[j] - lost
        total = profit + addend
        lost = (total - profit) - addend
        profit = total
        count += 1
        if j < items.middle:
            left = count
    out.cw[count], out.cq[count], out.e[count] = weight, profit, 0.0
    return count, left


@outer
def _fill_tangents(tangents: Tangents, room: int, outside: OutsideItems) -> None:
    slope, constant, base, shift = tangents
    left, right, e = outside.left, outside.right, outside.e
    q = break_item(base, room, outside)
    ceiling, value = segment(q, room, outside)
    for b in range(slope.shape[0]):
        # The tangent at the light end: where nothing fits any more, it is infinitely low.
        weight = base + (np.int64(b) << shift)
        while q >= 0 and weight > ceiling:
            q = left if q == right else q - 1
            ceiling, value = segment(q, room, outside)
        slope[b] = e[q] if q >= 0 else 0.0
        constant[b] = value if q >= 0 else -np.inf
