"""Passes of the dense recursion on a GPU: what one holds, the cells it touches, what it costs.

Items of one weight make chains (``chain.cu``, ``chain_identical.cu``), the others tiles
(``tile.cu``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from prunus.knapsack.gpu.dense.structures import STEP
from prunus.model.arrays import AnyArray, FloatArray, Int64Array

CHAIN, LONG_CHAIN, IDENTICAL, TILE = range(4)
"""Kinds of passes: chains of a few items, of many, of many that are identical, and tiles."""

# Picoseconds a cell, roughly; only their ratios decide anything.
_PASS_PS = 1.5
CHAIN_STEP_PS = 0.1
TILE_STEP_PS = 0.65
IDENTICAL_PS = 1.6
_BARRIER_PS = 5e6  # picoseconds that a pass takes however few cells there are
_TILE_BARRIER_PS = 1.5e6  # the same of an item in a tile


class PassLimits(NamedTuple):
    """What the kernels of a device can take."""

    few: int
    many: int
    """Items that a pass of chains holds, at most."""
    window: int
    """Identical items that a pass of their own holds, at most."""
    worth: int
    """What all items of such a pass are worth together is less."""
    row: int
    rows: int
    """A tile has ``row * rows`` cells; folded, its lines have 1, 2 or 4 rows."""
    traced: int
    """Cells that the kernel that finds the items of a pass of tiles holds."""
    steps: int
    """Items in a pass of tiles, at most."""
    tie: bool = True
    """Whether identical items are tied."""


class PassCosts(NamedTuple):
    """Picoseconds a cell that a pass takes besides its steps, and a step in a tile."""

    overhead: float
    tile_step: float


class PassColumns(NamedTuple):
    """What is noted of each pass, see `Passes`."""

    kind: Int64Array
    unit: Int64Array
    reach: Int64Array
    first: Int64Array
    steps: Int64Array
    lines: Int64Array
    fold: Int64Array
    span: Int64Array
    lift: Int64Array


class StepColumns(NamedTuple):
    """What is noted of each step, see `Passes`; ``start`` and ``size`` only if items are wanted."""

    words: Int64Array
    start: Int64Array
    size: Int64Array


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
    lift : (passes,) int64
        Of chains of single items: what these are worth beyond the least worth of their weight.
    words : (steps + 1, 2) int64
        The steps as kernels read them, and zeros.
    steps : (steps,) STEP
        The profit; and of a step of a chain, which weighs ``1 << shift`` units, or of a tile:
        ``shift`` lines (0 or 1) and ``weight`` cells.
    start, size : (steps,)
        A step stands for the items ``members[start : start + size]``.
    members : int64
    """

    kind: Int64Array
    unit: Int64Array
    reach: Int64Array
    first: Int64Array
    count: Int64Array
    lines: Int64Array
    fold: Int64Array
    span: Int64Array
    lift: Int64Array
    words: Int64Array
    start: Int64Array
    size: Int64Array
    members: Int64Array

    def __len__(self) -> int:
        return len(self.kind)

    @property
    def steps(self) -> AnyArray:
        """What the passes do, one after the other."""
        steps: AnyArray = self.words.view(STEP.dtype)[:-1, 0]
        return steps

    def in_order(self, order: Int64Array) -> Passes:
        """Return the passes in another order; the steps stay where they are."""
        names = ("kind", "unit", "reach", "first", "count", "lines", "fold", "span", "lift")
        return replace(self, **{name: getattr(self, name)[order] for name in names})

    def expand(self, chosen: AnyArray) -> Int64Array:
        """Return the items for which the chosen steps stand."""
        chosen = np.flatnonzero(chosen)
        size = self.size[chosen]
        first = np.repeat(self.start[chosen] - (np.cumsum(size) - size), size)
        return self.members[first + np.arange(len(first))]


def ranges(passes: Passes, capacity: int, need: int) -> tuple[Int64Array, Int64Array]:
    """Return the first and the last live cell of each pass.

    No cell below ``need`` minus the weight still to come can matter (P. Toth 1980, Dynamic
    programming algorithms for the zero-one knapsack problem), and none above the weight so far is
    new.
    """
    before = np.cumsum(passes.span)
    after = before[-1] - before
    low = np.maximum(min(need, int(before[-1])) - after, 0)
    return low, np.minimum(before, capacity)


def extent(passes: Passes, places: AnyArray, limits: PassLimits) -> Int64Array:
    """Return how many cells lie between the first and the last that a thread or block works on.

    ``places`` are those of a chain that a thread works on in a pass of a kind, at most.
    """
    lines = np.where(passes.lines > 0, limits.rows >> passes.fold, 0)
    tile = lines * passes.unit + limits.row * limits.rows
    cells: Int64Array = np.where(passes.kind == TILE, tile, places[passes.kind] * passes.unit)
    return cells


def pass_cost(capacity: int) -> float:
    """Estimate picoseconds a cell that a pass takes besides its steps; a third of cells is live."""
    return _PASS_PS + _BARRIER_PS / (capacity / 3 + 1)


def costs(passes: Passes, overhead: float) -> FloatArray:
    """Estimate picoseconds a live cell for each pass, given what a pass takes besides its steps."""
    steps = passes.count * np.where(passes.kind == TILE, TILE_STEP_PS, CHAIN_STEP_PS)
    steps[passes.kind == IDENTICAL] = IDENTICAL_PS
    return np.asarray(overhead + steps, dtype=np.float64)


def tile_cost(capacity: int) -> float:
    """Estimate picoseconds a cell that a step in a tile takes."""
    return TILE_STEP_PS + _TILE_BARRIER_PS / (capacity / 3 + 1)
