"""Which items go together through a pass of the dense recursion on a GPU, and in which order.

Items of one weight make chains (``dense_chain.cu``), the others tiles (``dense_tile.cu``).
Identical items are tied: m of them become about log2(m) steps of 1, 2, 4, … of them, of which the
largest are chains of 64 times the weight.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.knapsack.gpu.dense_steps import Steps, by_weight, each, tie
from prunus.treesearch.compiled import outer

__all__ = [
    "CHAIN",
    "LONG",
    "MANY",
    "TIED",
    "TILE",
    "Limits",
    "Passes",
    "arrange",
    "costs",
    "extent",
    "pass_cost",
    "ranges",
]

Array = NDArray[np.int64]

CHAIN, MANY, TIED, LONG, TILE = range(5)
"""Kinds of passes: chains of a few single items, of many, of tied items, of many, and tiles."""

_HEAVY = 2**31
"""A unit of a chain weighs less."""

# Picoseconds a cell, roughly; only their ratios decide anything.
_PASS = 1.5
_CHAIN_STEP = 0.14
_TILE_STEP = 0.65
_BARRIER = 5e6  # picoseconds that a pass takes however few cells there are
_TILE_BARRIER = 1.5e6  # the same of an item in a tile


@dataclass(frozen=True, slots=True)
class Limits:
    """What the kernels of a device can take.

    Attributes
    ----------
    chain, many, long
        Units that a pass of chains may reach, at most: with a few or many single items, and with
        many tied ones.
    row, rows
        A tile has ``row * rows`` cells; folded, its lines have 1, 2 or 4 rows.
    traced
        Cells that the kernel that finds the items of a pass of tiles holds.
    steps
        Items in a pass of tiles, at most.
    tie
        Whether identical items are tied.
    """

    chain: int
    many: int
    long: int
    row: int
    rows: int
    traced: int
    steps: int
    tie: bool = True


@dataclass(frozen=True, slots=True)
class Passes:
    """Passes in the order in which they run, and their steps.

    Attributes
    ----------
    kind, unit, reach, first, count : (passes,)
        The kind; the weight of a chain's unit, or from line to line of a folded tile; how far the
        steps reach together, in units or in cells of a line; and which steps: ``first`` to
        ``first + count - 1``.
    lines, fold : (passes,)
        How many lines of a folded tile the steps reach, 0 if it is not folded; and the binary
        logarithm of a line's rows.
    span : (passes,) int64
        What the steps weigh together.
    weight, profit, shift : (steps,)
        A step of a chain weighs ``1 << shift`` units; one of a tile ``shift`` lines (0 or 1) and
        ``weight`` cells.
    start, size : (steps,)
        A step stands for the items ``members[start : start + size]``.
    members : int64
    """

    kind: Array
    unit: Array
    reach: Array
    first: Array
    count: Array
    lines: Array
    fold: Array
    span: Array
    weight: Array
    profit: Array
    shift: Array
    start: Array
    size: Array
    members: Array

    def __len__(self) -> int:
        """Count them."""
        return len(self.kind)

    def in_order(self, order: Array) -> Passes:
        """Return the passes in another order; the steps stay where they are."""
        names = ("kind", "unit", "reach", "first", "count", "lines", "fold", "span")
        return replace(self, **{name: getattr(self, name)[order] for name in names})

    def expand(self, chosen: NDArray[Any]) -> Array:
        """Return the items for which the chosen steps stand."""
        chosen = np.flatnonzero(chosen)
        size = self.size[chosen]
        first = np.repeat(self.start[chosen] - (np.cumsum(size) - size), size)
        return self.members[first + np.arange(len(first))]


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
    overhead, step = pass_cost(capacity), _TILE_STEP + _TILE_BARRIER / (capacity / 3 + 1)
    passes = _passes(steps, order, limits, overhead, step)
    # Light passes at both ends of the order, heavy ones between, or all one way.
    cost = costs(passes, overhead)
    up = np.argsort(passes.span / cost, kind="stable")
    orders = (np.concatenate([up[::2], up[1::2][::-1]]), up, up[::-1])
    candidates = [passes.in_order(way) for way in orders]
    return min(candidates, key=lambda some: _work(some, capacity, need, overhead))


def ranges(passes: Passes, capacity: int, need: int) -> tuple[Array, Array]:
    """Return the first and the last live cell of each pass.

    No cell below ``need`` minus the weight still to come can matter (P. Toth 1980, Dynamic
    programming algorithms for the zero-one knapsack problem), and none above the weight so far is
    new.
    """
    before = np.cumsum(passes.span)
    after = before[-1] - before
    low = np.maximum(min(need, int(before[-1])) - after, 0)
    return low, np.minimum(before, capacity)


def extent(passes: Passes, chain: int, limits: Limits) -> Array:
    """Return how many cells lie between the first and the last that a thread or block works on.

    Parameters
    ----------
    chain
        Places of a chain that a thread holds.
    """
    lines = np.where(passes.lines > 0, limits.rows >> passes.fold, 0)
    tile = lines * passes.unit + limits.row * limits.rows
    cells: Array = np.where(passes.kind == TILE, tile, chain * passes.unit)
    return cells


def pass_cost(capacity: int) -> float:
    """Estimate picoseconds a cell that a pass takes besides its steps; a third of cells is live."""
    return _PASS + _BARRIER / (capacity / 3 + 1)


def costs(passes: Passes, overhead: float) -> NDArray[np.float64]:
    """Estimate picoseconds a live cell for each pass, given what a pass takes besides its steps."""
    step = np.where(passes.kind == TILE, _TILE_STEP, _CHAIN_STEP)
    return np.asarray(overhead + passes.count * step, dtype=np.float64)


def _work(passes: Passes, capacity: int, need: int, overhead: float) -> float:
    low, high = ranges(passes, capacity, need)
    return float(((high - low + 1) * costs(passes, overhead)).sum())


def _passes(
    steps: Steps, members: Array, limits: Limits, overhead: float, tile_step: float
) -> Passes:
    if (steps.unit[1:] < steps.unit[:-1]).any():
        steps = steps.take(np.argsort(steps.unit, kind="stable"))
    loose = _loose(steps, limits, overhead, tile_step)
    chained, single = steps.take(~loose), steps.take(loose)
    weight = single.unit << single.shift
    if (weight[1:] < weight[:-1]).any():
        order = np.argsort(weight, kind="stable")
        single, weight = single.take(order), weight[order]
    size = np.left_shift(1, chained.shift)
    begin = np.zeros(len(size) + len(weight), dtype=bool)
    folds = np.full(len(begin), -1)
    new, group, tied = _groups(chained)
    if len(size):
        most = np.where(tied, limits.long, limits.many)
        total = np.add.reduceat(size, new)
        even = -(-total // -(-total // most))  # passes of a group are about as long as each other
        _fill(size, group, even, begin[: len(size)])
    if len(weight):
        sizes = limits.row, limits.rows, limits.traced, limits.steps
        _cut(weight, overhead, tile_step, *sizes, begin[len(size) :], folds[len(size) :])
    first = np.flatnonzero(begin)
    if len(weight):
        steps = Steps(
            *(np.concatenate([getattr(part, name) for part in (chained, single)])
              for name in ("unit", "shift", "profit", "start", "size"))
        )  # fmt: skip
    load = steps.unit << steps.shift
    count = np.diff(np.r_[first, len(begin)])
    span = np.add.reduceat(load, first)
    chains = int(begin[: len(size)].sum())
    fold = folds[first]
    folded = fold >= 0
    unit = np.where((np.arange(len(first)) < chains) | folded, steps.unit[first], 1)
    unit = np.where(folded, load[first], unit)  # the lightest one
    lines = np.where(folded, count, 0)
    reach = np.where(folded, span - lines * unit, span // unit)
    kind = np.full(len(first), TILE)
    kind[:chains] = np.where(tied[group[first[:chains]]], TIED, CHAIN)
    kind[:chains] += reach[:chains] > limits.chain  # MANY, LONG
    # What the steps of tiles weigh, line by line and beyond.
    shift, weight = steps.shift.copy(), load.copy()
    which = np.repeat(np.arange(len(first)), count)
    tile = kind[which] == TILE
    shift[tile] = folded[which][tile]
    weight[tile] -= (lines > 0)[which][tile] * unit[which][tile]
    return Passes(
        kind, unit, reach, first, count, lines, np.maximum(fold, 0), span,
        np.where(tile, weight, 0), steps.profit, shift, steps.start, steps.size, members,
    )  # fmt: skip


def _groups(steps: Steps) -> tuple[Array, Array, NDArray[Any]]:
    """Return where each unit's steps begin, the group of each step, and which groups are tied."""
    if len(steps.unit) == 0:
        none = np.empty(0, dtype=np.int64)
        return none, none, none.astype(bool)
    other = np.r_[True, steps.unit[1:] != steps.unit[:-1]]
    new = np.flatnonzero(other)
    return new, np.cumsum(other) - 1, np.add.reduceat(steps.shift, new) > 0


def _loose(steps: Steps, limits: Limits, overhead: float, tile_step: float) -> NDArray[Any]:
    """Tell which steps are better off in tiles: those of light items, and of rare weights."""
    new, group, tied = _groups(steps)
    size, unit = np.left_shift(1, steps.shift), steps.unit[new]
    load = steps.unit << steps.shift
    total, count = np.add.reduceat(size, new), np.add.reduceat(np.ones_like(size), new)
    passes = -(-total // np.where(tied, limits.long, limits.many))
    # Neighbouring threads hold neighbouring cells only as far as a weight goes.
    chain = (passes * overhead * (1 + 32 / unit) + _CHAIN_STEP * count) / count
    chain[unit >= _HEAVY] = np.inf
    cells = limits.row * limits.rows
    tile = tile_step + 1.5 * overhead * np.maximum(load / (cells / 4), 1 / limits.steps)
    # A folded tile takes so many items until their differences fill a part of a line.
    far = np.minimum(np.arange(len(unit)) + 4, len(unit) - 1)
    apart = np.maximum(unit[far] - unit, 1) / 4
    most = np.clip(np.sqrt(limits.row / apart), 1, min(limits.rows / 4, limits.steps))
    folded = (1.5 * tile_step + 1.5 * overhead / most)[group]
    folded[(load < 2 * limits.row) | (steps.shift > 0)] = np.inf
    loose: NDArray[Any] = np.minimum(tile, folded) < chain[group]
    return loose


@outer
def _fill(size: Any, group: Any, even: Any, begin: Any):  # type: ignore[no-untyped-def]
    """Begin a pass with each group, and whenever a pass is full."""
    filled = 0
    for k in range(len(size)):
        if k == 0 or group[k] != group[k - 1] or filled + size[k] > even[group[k]]:
            begin[k] = True
            filled = 0
        filled += size[k]


@outer
def _cut(  # type: ignore[no-untyped-def]
    weight: Any,
    overhead: Any,
    step: Any,
    row: Any,
    rows: Any,
    traced: Any,
    most: Any,
    begin: Any,
    folds: Any,
):
    """Cut ascending items into passes, each as cheap an item as it can be, folded or not."""
    cells = row * rows
    k = 0
    while k < len(weight):
        best, taken, how = 1e300, 1, 0
        reach, drift = 0, 0
        for m in range(1, min(most, len(weight) - k) + 1):
            reach += weight[k + m - 1]
            drift += weight[k + m - 1] - weight[k]
            if reach < min(traced, cells // 2):
                cost = (overhead * cells + m * step * (cells - reach / 2)) / (cells - reach) / m
                if cost < best:
                    best, taken, how = cost, m, -1
            for fold in range(3):
                places, lines = row << fold, rows >> fold
                if 2 * m > lines or 2 * drift > places or (m + 1) * (drift + 1) > traced:
                    continue
                width = places - drift
                across = (weight[k] - 1) // width + 1
                waste = across * places / weight[k]
                cost = (overhead * lines + m * step * (lines - m / 2)) / (lines - m) * waste / m
                if cost < best:
                    best, taken, how = cost, m, fold
        begin[k] = True
        folds[k] = how
        k += taken
