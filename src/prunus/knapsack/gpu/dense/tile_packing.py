"""Items packed into tiles of cells: flat ones or, if the items are heavy, folded ones."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.gpu.dense.kinds import ItemKinds
from prunus.knapsack.gpu.dense.passes import TILE, PassColumns, PassCosts, PassLimits, StepColumns
from prunus.model.arrays import BoolArray, Int64Array


class TileSteps(NamedTuple):
    """Steps that go to tiles: weight, kind of item, binary logarithm of the copies, first item."""

    weight: Int64Array
    kind: Int64Array
    shift: Int64Array
    start: Int64Array


def pack_tiles(
    kinds: ItemKinds,
    tile_steps: TileSteps,
    limits: PassLimits,
    pass_costs: PassCosts,
    passes: int,
    steps: StepColumns,
    columns: PassColumns,
) -> int:
    """Describe passes of tiles after those that are described; return how many there are then."""
    weight = tile_steps.weight
    if (weight[1:] < weight[:-1]).any():
        order = np.argsort(weight, kind="stable")
        tile_steps = TileSteps(*(column[order] for column in tile_steps))
        weight = tile_steps.weight
    begin, folds = np.zeros(len(weight), dtype=bool), np.full(len(weight), -1)
    _cut_tiles(weight, pass_costs, limits, begin, folds)
    return int(_tiles(kinds, tile_steps, begin, folds, passes, steps, columns))


@outer
def _tiles(
    kinds: ItemKinds,
    tile_steps: TileSteps,
    begin: BoolArray,
    folds: Int64Array,
    passes: int,
    steps: StepColumns,
    columns: PassColumns,
) -> int:
    """Describe passes of tiles."""
    words, starts, sizes = steps
    rare = len(begin)
    step = len(words) - 1 - rare
    lightest, fold = 0, 0
    for i in range(rare):
        load, k, shift = tile_steps.weight[i], tile_steps.kind[i], tile_steps.shift[i]
        if begin[i]:
            lightest, fold = load, folds[i]
            columns.kind[passes], columns.first[passes] = TILE, step
            columns.unit[passes] = lightest if fold >= 0 else 1
            columns.fold[passes] = max(fold, 0)
            columns.reach[passes] = columns.steps[passes] = 0
            columns.lines[passes] = columns.span[passes] = 0
            passes += 1
        p = passes - 1
        line = 1 if fold >= 0 else 0
        beyond = load - lightest if line else load
        columns.reach[p] += beyond
        columns.steps[p] += 1
        columns.lines[p] += line
        columns.span[p] += load
        words[step, 0], words[step, 1] = kinds.profit[k] << shift, line | beyond << 32
        if step < len(starts):
            starts[step], sizes[step] = tile_steps.start[i], kinds.size[k] << shift
        step += 1
    return passes


@outer
def _cut_tiles(
    weight: Int64Array,
    pass_costs: PassCosts,
    limits: PassLimits,
    begin: BoolArray,
    folds: Int64Array,
) -> None:
    """Cut ascending items into passes, each as cheap an item as it can be, folded or not."""
    overhead, step = pass_costs
    row, rows, traced = limits.row, limits.rows, limits.traced
    cells = row * rows
    k = 0
    while k < len(weight):
        best, taken, how = 1e300, 1, 0
        reach, drift = 0, 0
        for m in range(1, min(limits.steps, len(weight) - k) + 1):
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
