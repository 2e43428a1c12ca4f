"""Which items go together through a pass of the dense recursion on a GPU.

Items of one weight fill chains, as long as there are many of them; the others fill tiles, flat ones
or, if they are heavy, folded ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.knapsack.gpu.dense_passes import CHAIN, CHAIN_STEP, TIED, TILE, Limits, Passes
from prunus.knapsack.gpu.dense_steps import Steps
from prunus.treesearch.compiled import outer

__all__ = ["fill"]

Array = NDArray[np.int64]

_HEAVY = 2**31
"""A unit of a chain weighs less."""


def fill(steps: Steps, members: Array, limits: Limits, overhead: float, tile_step: float) -> Passes:
    """Put steps into passes.

    Parameters
    ----------
    steps
        Of items, light ones first.
    members
        The items that they count.
    limits
        What the device can take.
    overhead, tile_step
        Picoseconds a cell that a pass takes besides its steps, and a step in a tile.
    """
    if (steps.unit[1:] < steps.unit[:-1]).any():
        steps = steps.take(np.argsort(steps.unit, kind="stable"))
    loose = _loose(steps, limits, overhead, tile_step)
    rare = np.flatnonzero(loose)
    if len(rare):  # to the end, by weight
        weight = steps.unit[rare] << steps.shift[rare]
        order = np.argsort(weight, kind="stable")
        steps, weight = steps.take(np.r_[np.flatnonzero(~loose), rare[order]]), weight[order]
    size = np.left_shift(1, steps.shift[: len(loose) - len(rare)])
    begin = np.zeros(len(loose), dtype=bool)
    folds = np.full(len(begin), -1)
    new, group, tied = _groups(steps, len(size))
    if len(size):
        most = np.where(tied, limits.long, limits.many)
        total = np.add.reduceat(size, new)
        even = -(-total // -(-total // most))  # passes of a group are about as long as each other
        _fill(size, group, even, begin[: len(size)])
    if len(rare):
        sizes = limits.row, limits.rows, limits.traced, limits.steps
        _cut(weight, overhead, tile_step, *sizes, begin[len(size) :], folds[len(size) :])
    first = np.flatnonzero(begin)
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
    shift, weight = steps.shift.copy(), np.zeros_like(load)
    which = np.repeat(np.arange(chains, len(first)), count[chains:])
    shift[len(size) :] = folded[which]
    weight[len(size) :] = load[len(size) :] - (lines > 0)[which] * unit[which]
    return Passes(
        kind, unit, reach, first, count, lines, np.maximum(fold, 0), span,
        weight, steps.profit, shift, steps.start, steps.size, members,
    )  # fmt: skip


def _groups(steps: Steps, upto: int) -> tuple[Array, Array, NDArray[Any]]:
    """Return where each unit's steps begin, the group of each step, and which groups are tied.

    Of the first steps only.
    """
    if upto == 0:
        none = np.empty(0, dtype=np.int64)
        return none, none, none.astype(bool)
    other = np.ones(upto, dtype=bool)
    np.not_equal(steps.unit[1:upto], steps.unit[: upto - 1], out=other[1:])
    new = np.flatnonzero(other)
    return new, np.cumsum(other) - 1, np.add.reduceat(steps.shift[:upto], new) > 0


def _loose(steps: Steps, limits: Limits, overhead: float, tile_step: float) -> NDArray[Any]:
    """Tell which steps are better off in tiles: those of light items, and of rare weights."""
    new, group, tied = _groups(steps, len(steps.unit))
    size, unit = np.left_shift(1, steps.shift), steps.unit[new]
    load = steps.unit << steps.shift
    total, count = np.add.reduceat(size, new), np.add.reduceat(np.ones_like(size), new)
    passes = -(-total // np.where(tied, limits.long, limits.many))
    # Neighbouring threads hold neighbouring cells only as far as a weight goes.
    chain = (passes * overhead * (1 + 32 / unit) + CHAIN_STEP * count) / count
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
