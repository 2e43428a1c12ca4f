"""Passes of the dense recursion on a GPU: what one holds, the cells it touches, what it costs.

Items of one weight make chains (``dense_chain.cu``), the others tiles (``dense_tile.cu``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CHAIN", "CHAIN_STEP", "LONG", "MANY", "TIED", "TILE", "TILE_STEP", "Limits", "Passes",
    "costs", "extent", "pass_cost", "ranges", "tile_cost",
]  # fmt: skip

Array = NDArray[np.int64]

CHAIN, MANY, TIED, LONG, TILE = range(5)
"""Kinds of passes: chains of a few single items, of many, of tied items, of many, and tiles."""

# Picoseconds a cell, roughly; only their ratios decide anything.
_PASS = 1.5
CHAIN_STEP = 0.14
TILE_STEP = 0.65
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
    step = np.where(passes.kind == TILE, TILE_STEP, CHAIN_STEP)
    return np.asarray(overhead + passes.count * step, dtype=np.float64)


def tile_cost(capacity: int) -> float:
    """Estimate picoseconds a cell that a step in a tile takes."""
    return TILE_STEP + _TILE_BARRIER / (capacity / 3 + 1)
