"""Steps of different weights in tiles of cells: flat ones or, if steps are heavy, folded ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.gpu.dense.passes import TILE, Limits
from prunus.knapsack.gpu.dense.steps import Kinds

__all__ = ["fill_tiles"]

Array = NDArray[np.int64]


def fill_tiles(
    kinds: Kinds,
    which: Array,
    limits: Limits,
    overhead: float,
    tile_step: float,
    passes: int,
    words: Array,
    start: Array,
    size: Array,
    table: Array,
) -> int:
    """Describe passes of tiles after those that are described; return how many there are then.

    Parameters
    ----------
    kinds
        Of items.
    which : (4, steps)
        The weight of each step, its kind, the binary logarithm of its copies, its first item.
    limits
        What the device can take.
    overhead, tile_step
        Picoseconds a cell that a pass takes besides its steps, and a step in a tile.
    passes
        Described so far.
    words, start, size, table
        Of the steps and passes, as :class:`Passes` has them.
    """
    weight = which[0]
    if (weight[1:] < weight[:-1]).any():
        which = which[:, np.argsort(weight, kind="stable")]
        weight = np.ascontiguousarray(which[0])
    begin, folds = np.zeros(len(weight), dtype=bool), np.full(len(weight), -1)
    tile = limits.row, limits.rows, limits.traced, limits.steps
    _cut(weight, overhead, tile_step, *tile, begin, folds)
    return int(
        _tiles(kinds.profit, kinds.size, which, begin, folds, passes, words, start, size, table)
    )


@outer
def _tiles(  # type: ignore[no-untyped-def]
    profit: Any,
    size: Any,
    which: Any,
    begin: Any,
    folds: Any,
    passes: Any,
    words: Any,
    starts: Any,
    counts: Any,
    table: Any,
):
    """Describe passes of tiles."""
    rare = len(begin)
    step = len(words) - 1 - rare
    lightest, fold = 0, 0
    for i in range(rare):
        load, k, shift = which[0, i], which[1, i], which[2, i]
        if begin[i]:
            lightest, fold = load, folds[i]
            table[0, passes], table[3, passes] = TILE, step
            table[1, passes] = lightest if fold >= 0 else 1
            table[6, passes] = max(fold, 0)
            for row in (2, 4, 5, 7):
                table[row, passes] = 0
            passes += 1
        p = passes - 1
        line = 1 if fold >= 0 else 0
        beyond = load - lightest if line else load
        table[2, p] += beyond
        table[4, p] += 1
        table[5, p] += line
        table[7, p] += load
        words[step, 0], words[step, 1] = profit[k] << shift, line | beyond << 32
        if step < len(starts):
            starts[step], counts[step] = which[3, i], size[k] << shift
        step += 1
    return passes


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
