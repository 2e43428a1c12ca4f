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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.threads import run_together
from prunus.knapsack.dense.rows import BLOCK
from prunus.knapsack.dense.sweep import fill, sweep
from prunus.runtime.stop_token import StoppedError

__all__ = ["DecisionBits", "Plan", "Tick", "run_table", "trim"]

Array = NDArray[np.int64]
Tick = Callable[[int], bool]
"""Receives how many cells have been computed since the last call; says whether to stop."""

_TILE = 1 << 15  # cells of a tile: with what the items reach beyond it, it stays in a core's cache
_REACH = 1 << 14  # how far the items of a pass may reach together
_PASS = 128  # items in a pass, at most
_SHARED = 1 << 21  # cells below which a second core does not pay
_APART = 1 << 20  # weights from which a range is split at every weight, not copied
_LOOK = 1 << 29  # cells of a pass, so that the clock is looked at often enough


@dataclass(frozen=True, slots=True)
class Plan:
    """The items in the order in which they are applied, and the live range of each.

    Attributes
    ----------
    order, w, p : (n,) int64
        The items and their weights and profits.
    least, most : (n,) int64
        Item k is applied to the cells ``least[k]`` to ``most[k]``; the cells above hold the value
        of ``most[k]``.
    cells
        How many that are in all.
    """

    order: Array
    w: Array
    p: Array
    least: Array
    most: Array
    cells: int


def trim(w: Array, p: Array, capacity: int, need: int) -> Plan:
    """Put the items in the order with the fewest live cells.

    Parameters
    ----------
    w, p
        Weights and profits.
    capacity
        Of the knapsack.
    need
        The cells from this to the capacity are wanted in the end.
    """
    need = min(need, int(w.sum()))  # what is heavier than everything is worth as much
    up = np.argsort(w, kind="stable")
    # Light items at both ends: every other one of the ascending order in front.
    orders = (up, up[::-1], np.concatenate([up[::2], up[1::2][::-1]]))
    plans = [_ranges(order, w, p, capacity, need) for order in orders]
    return min(plans, key=lambda plan: plan.cells)


def _ranges(order: Array, w: Array, p: Array, capacity: int, need: int) -> Plan:
    w, p = w[order], p[order]
    before = np.cumsum(w)
    most = np.minimum(before, capacity)
    after = before[-1] - before if len(w) else before
    least = np.maximum(need - after, w)
    cells = int(np.maximum(most - least + 1, 0).sum())
    return Plan(order, w, p, least, most, cells)


class DecisionBits:
    """Decision bits: of every item a row of bits over its live range, in 32-bit words."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        ends = _pass_tops(plan)
        low = plan.least // BLOCK
        words = np.maximum(ends // BLOCK - low + 1, 0)
        starts = np.cumsum(words) - words
        self.first = (starts - low) * BLOCK
        self.words = np.zeros(max(1, int(words.sum())), dtype=np.uint32)

    @staticmethod
    def size(plan: Plan) -> int:
        """Return how many bytes they take."""
        return (plan.cells // 8) + 8 * len(plan.w) + sum_of_overhang(plan)

    def trace(self, capacity: int) -> Array:
        """Return the items of the best choice for a capacity of at least ``need``."""
        plan, cell, chosen = self.plan, capacity, []
        for k in range(len(plan.w) - 1, -1, -1):
            cell = min(cell, int(plan.most[k]))
            if cell < plan.least[k]:
                continue
            bit = int(self.first[k]) + cell
            if int(self.words[bit // BLOCK]) >> (bit % BLOCK) & 1:
                chosen.append(int(plan.order[k]))
                cell -= int(plan.w[k])
        return np.array(chosen, dtype=np.int64)


def sum_of_overhang(plan: Plan) -> int:
    """Return the bytes of bits above the live ranges, up to the tops of the passes."""
    return int((_pass_tops(plan) - plan.most).sum()) // 8


def _passes(plan: Plan) -> list[tuple[int, int]]:
    """Split the items into passes: as many as reach no further together than the cache allows."""
    passes, n, k = [], len(plan.w), 0
    widths = np.maximum(plan.most - plan.least + 1, 1).tolist()
    weights = plan.w.tolist()
    while k < n:
        end, reach, cells = k + 1, weights[k], widths[k]
        while end < n and end - k < _PASS:
            reach += weights[end]
            cells += widths[end]
            if reach > _REACH or cells > _LOOK:
                break
            end += 1
        passes.append((k, end))
        k = end
    return passes


def _pass_tops(plan: Plan) -> Array:
    tops = plan.most.copy()
    for begin, end in _passes(plan):
        tops[begin:end] = plan.most[end - 1]
    return tops


def run_table(
    plan: Plan,
    dtype: Any,
    *,
    cores: int = 1,
    bits: DecisionBits | None = None,
    tick: Tick | None = None,
) -> NDArray[Any]:
    """Compute the best value of every capacity wanted.

    Parameters
    ----------
    plan
        The items.
    dtype
        ``np.int32`` or ``np.int64``: wide enough for the sum of the profits.
    cores
        How many threads work.
    bits
        Where decisions go, if they are wanted.
    tick
        Called after each pass.

    Returns
    -------
    ndarray
        The values of the capacities 0 to ``most[-1]``; those below ``need`` are too small.

    Raises
    ------
    StoppedError
        If `tick` says so.
    MemoryError
        If the table does not fit.
    """
    n = len(plan.w)
    size = int(plan.most[-1]) + 1 if n else 1
    f = np.empty(size, dtype=dtype)
    f[0] = 0
    full = 0  # cells up to here hold a value
    for begin, end in _passes(plan):
        top = int(plan.most[end - 1])
        if top > full:
            fill(f, full + 1, top + 1)
            full = top
        part = _Pass(f, plan, begin, end, bits)
        if cores > 1 and part.work >= _SHARED:
            part.shared(cores)
        else:
            part.alone(part.low, top + 1, _EMPTY[f.dtype])
        if tick is not None and tick(part.work):
            raise StoppedError
    return f


_EMPTY = {np.dtype(t): np.empty(0, dtype=t) for t in (np.int32, np.int64)}
_NO_BITS = np.empty(0, dtype=np.uint32)


class _Pass:
    """Some items, applied together."""

    def __init__(self, f: Any, plan: Plan, begin: int, end: int, bits: DecisionBits | None) -> None:
        self.f = f
        self.w, self.p = plan.w[begin:end], plan.p[begin:end]
        self.least = plan.least[begin:end]
        self.low = int(self.least.min())
        self.high = int(plan.most[end - 1]) + 1
        self.work = max(0, int((self.high - self.least).sum()))
        self.bits = _NO_BITS if bits is None else bits.words
        self.first = np.zeros_like(self.w) if bits is None else bits.first[begin:end]

    def alone(self, low: int, high: int, copy: NDArray[Any]) -> None:
        """Work on a range; with a copy of what is below it if somebody else works there."""
        sweep(
            self.f, self.w, self.p, self.least, low, high, _TILE, copy, self.bits, self.first
        )  # fmt: skip

    def shared(self, cores: int) -> None:
        """Share the work out among cores."""
        if len(self.w) == 1 and self.w[0] >= _APART:
            # No cell within a weight of the top is read for another one.
            top, weight = self.high, int(self.w[0])
            while top > self.low:
                bottom = max(self.low, top - weight)
                cuts = self._cuts(bottom, top, cores)
                self._together(cuts, [_EMPTY[self.f.dtype]] * (len(cuts) - 1))
                top = bottom
            return
        reach = int(self.w.sum())
        cuts = self._cuts(self.low, self.high, min(cores, 1 + (self.high - self.low) // reach))
        copies = [_EMPTY[self.f.dtype]]
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
        return [low, *(cut // BLOCK * BLOCK for cut in inner if low < cut // BLOCK * BLOCK), high]

    def _together(self, cuts: list[int], copies: list[Any]) -> None:
        parts = list(zip(cuts, cuts[1:], copies, strict=False))
        run_together(lambda k: self.alone(*parts[k]), range(len(parts)))
