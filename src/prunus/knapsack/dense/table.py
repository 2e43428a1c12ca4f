"""The dense recursion over all items on all cores, with the live range trimmed from both sides.

Bellman's recursion keeps the best value of every capacity. After some items no capacity below C
minus the weight still to come can matter (P. Toth 1980, Dynamic programming algorithms for the
zero-one knapsack problem), and above the weight so far nothing is new. In which order the items
come decides how many cells are live: fewest with light items at both ends and heavy ones between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import DTypeLike

from prunus.hardware.threads import run_together
from prunus.knapsack.dense.rows import BLOCK
from prunus.knapsack.dense.sweep import (
    PassItems,
    SweepRange,
    TracedItems,
    extend,
    sweep,
    trace_bits,
)
from prunus.knapsack.tuning import DEFAULT, DenseTuning
from prunus.model.arrays import AnyArray, Int64Array
from prunus.runtime.stop_token import StoppedError

ReportCells = Callable[[int], bool]
"""Receives how many cells have been computed since the last call; says whether to stop."""


@dataclass(frozen=True, slots=True)
class DensePlan:
    """The items in the order in which they are applied, and the live range of each."""

    order: Int64Array
    w: Int64Array
    p: Int64Array
    """The items and their weights and profits. Shape (n,)."""
    least: Int64Array
    most: Int64Array
    """Item k is applied to the cells ``least[k]`` to ``most[k]``; the cells above hold the value of
    ``most[k]``. Shape (n,)."""
    cells: int
    """How many that are in all."""


def plan_recursion(w: Int64Array, p: Int64Array, capacity: int, need: int) -> DensePlan:
    """Put the items in the order with the fewest live cells.

    The cells from ``need`` to the capacity are wanted in the end.
    """
    need = min(need, int(w.sum()))  # what is heavier than everything is worth as much
    up = np.argsort(w, kind="stable")
    # Light items at both ends: every other one of the ascending order in front.
    orders = (up, up[::-1], np.concatenate([up[::2], up[1::2][::-1]]))
    plans = [_ranges(order, w, p, capacity, need) for order in orders]
    return min(plans, key=lambda plan: plan.cells)


def _ranges(order: Int64Array, w: Int64Array, p: Int64Array, capacity: int, need: int) -> DensePlan:
    w, p = w[order], p[order]
    before = np.cumsum(w)
    most = np.minimum(before, capacity)
    after = before[-1] - before if len(w) else before
    least = np.maximum(need - after, w)
    cells = int(np.maximum(most - least + 1, 0).sum())
    return DensePlan(order, w, p, least, most, cells)


class DecisionBits:
    """Decision bits: of every item a row of bits over its live range, in 32-bit words."""

    def __init__(self, plan: DensePlan, tuning: DenseTuning) -> None:
        self.plan = plan
        ends = _pass_tops(plan, tuning)
        low = plan.least // BLOCK
        words = np.maximum(ends // BLOCK - low + 1, 0)
        starts = np.cumsum(words) - words
        self.first = (starts - low) * BLOCK
        self.words = np.zeros(max(1, int(words.sum())), dtype=np.uint32)

    @staticmethod
    def size(plan: DensePlan, tuning: DenseTuning = DEFAULT.dense) -> int:
        """Return how many bytes they take."""
        above = int((_pass_tops(plan, tuning) - plan.most).sum()) // 8
        return (plan.cells // 8) + 8 * len(plan.w) + above

    def trace(self, capacity: int) -> Int64Array:
        """Return the items of the best choice for a capacity of at least ``need``."""
        plan = self.plan
        chosen = np.zeros(len(plan.w), np.uint8)
        traced = TracedItems(plan.w, plan.least, plan.most, self.first)
        trace_bits(traced, self.words, capacity, chosen)
        return plan.order[chosen.nonzero()[0][::-1]]


def _passes(plan: DensePlan, tuning: DenseTuning) -> list[tuple[int, int]]:
    """Split the items into passes: as many as reach no further together than the cache allows."""
    passes, n, k = [], len(plan.w), 0
    widths = np.maximum(plan.most - plan.least + 1, 1).tolist()
    weights = plan.w.tolist()
    while k < n:
        end, reach, cells = k + 1, weights[k], widths[k]
        while end < n and end - k < tuning.pass_items:
            reach += weights[end]
            cells += widths[end]
            if reach > tuning.reach_cells or cells > tuning.pass_cells:
                break
            end += 1
        passes.append((k, end))
        k = end
    return passes


def _pass_tops(plan: DensePlan, tuning: DenseTuning) -> Int64Array:
    tops = plan.most.copy()
    for begin, end in _passes(plan, tuning):
        tops[begin:end] = plan.most[end - 1]
    return tops


def run_table(
    plan: DensePlan,
    dtype: DTypeLike,
    *,
    cores: int = 1,
    bits: DecisionBits | None = None,
    tick: ReportCells | None = None,
    tuning: DenseTuning = DEFAULT.dense,
) -> AnyArray:
    """Compute the best value of every capacity wanted.

    Returns the values of the capacities 0 to ``most[-1]``; those below ``need`` are too small.
    Raises ``StoppedError`` if `tick` says so; ``MemoryError`` if the table does not fit.

    The type is ``np.int32`` or ``np.int64``, wide enough for the sum of the profits. Decisions go
    into ``bits``, if they are wanted; ``tick`` is called after each pass.
    """
    n = len(plan.w)
    size = int(plan.most[-1]) + 1 if n else 1
    f = np.empty(size, dtype=dtype)
    f[0] = 0
    full = 0  # cells up to here hold a value
    for begin, end in _passes(plan, tuning):
        top = int(plan.most[end - 1])
        while top > full:
            upto = min(top, full + tuning.slice_cells)
            extend(f, full + 1, upto + 1)
            full = upto
            if full < top and tick is not None and tick(0):
                raise StoppedError
        part = _Pass(f, plan, slice(begin, end), bits, tuning, tick)
        if cores > 1 and part.work >= tuning.shared_cells:
            part.share(cores)
        else:
            part.alone(part.low, top + 1, _EMPTY[f.dtype])
        if tick is not None and tick(part.work):
            raise StoppedError
    return f


_EMPTY: dict[np.dtype[np.generic], AnyArray] = {
    np.dtype(kind): np.empty(0, dtype=kind) for kind in (np.int32, np.int64)
}
_NO_BITS = np.empty(0, dtype=np.uint32)


class _Pass:
    """Some items, applied together."""

    def __init__(
        self,
        f: AnyArray,
        plan: DensePlan,
        which: slice,
        bits: DecisionBits | None,
        tuning: DenseTuning,
        tick: ReportCells | None,
    ) -> None:
        self.f, self.tuning, self.tick = f, tuning, tick
        self.stopped = False
        w, least = plan.w[which], plan.least[which]
        first = np.zeros_like(w) if bits is None else bits.first[which]
        self.items = PassItems(w, plan.p[which], least, first)
        self.low = int(least.min())
        self.high = int(plan.most[which.stop - 1]) + 1
        self.work = max(0, int((self.high - least).sum()))
        self.bits = _NO_BITS if bits is None else bits.words

    def alone(self, low: int, high: int, copy: AnyArray, *, first: bool = True) -> None:
        """Work on a range; with a copy of what is below it if another thread works there.

        Only the ``first`` thread looks at the clock.
        """
        step = max(1, self.tuning.slice_cells // len(self.items.w))
        top = high
        while top > low:
            cells = SweepRange(low, high, top, top - step)
            top = sweep(self.f, self.items, cells, self.tuning.tile_cells, copy, self.bits)
            if top > low and first and self.tick is not None and self.tick(0):
                self.stopped = True
            if self.stopped:
                raise StoppedError

    def share(self, cores: int) -> None:
        """Share the work out among cores."""
        w, none = self.items.w, _EMPTY[self.f.dtype]
        if len(w) == 1 and w[0] >= self.tuning.apart_weight:
            # No cell within a weight of the top is read for another one.
            top, weight = self.high, int(w[0])
            while top > self.low:
                bottom = max(self.low, top - weight)
                cuts = self._cuts(bottom, top, cores)
                self._together(cuts, [none] * (len(cuts) - 1))
                top = bottom
            return
        reach = int(w.sum())
        cuts = self._cuts(self.low, self.high, min(cores, 1 + (self.high - self.low) // reach))
        copies = [none]
        for low, high in pairwise(cuts[1:]):
            end = min(low + reach, high)
            copy = np.zeros(reach + end - low, dtype=self.f.dtype)
            begin = max(0, low - reach)
            copy[begin - low + reach :] = self.f[begin:end]
            copies.append(copy)
        self._together(cuts, copies)

    def _cuts(self, low: int, high: int, parts: int) -> list[int]:
        """Split a range evenly; no two parts share a word of bits of one item."""
        inner = [low + (high - low) * k // parts // BLOCK * BLOCK for k in range(1, parts)]
        return [low, *(cut for cut in inner if low < cut), high]

    def _together(self, cuts: list[int], copies: list[AnyArray]) -> None:
        """Work on all ranges at the same time."""
        parts = list(zip(cuts, cuts[1:], copies, strict=False))
        run_together(lambda k: self.alone(*parts[k], first=k == 0), range(len(parts)))
