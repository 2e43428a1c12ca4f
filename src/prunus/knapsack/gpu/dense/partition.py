"""How several GPUs partition the dense recursion: passes into phases, and cells among devices.

Between two phases cells change hands, for the live range moves. Within one, every device also
computes what its cells depend on below them, less with every pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.gpu.dense.passes import Passes
from prunus.model.arrays import FloatArray, Int64Array


@dataclass(frozen=True, slots=True)
class Partition:
    """How the passes of one plan are split."""

    begin: Int64Array
    """The first pass of each phase, and the end. Shape (phases + 1,)."""
    cuts: Int64Array
    """The first cell of each device of the row after each phase, and its end.
    Shape (phases, devices + 1)."""

    def __len__(self) -> int:
        return len(self.cuts)


def split(
    passes: Passes,
    low: Int64Array,
    high: Int64Array,
    cost: FloatArray,
    devices: int,
    exchange: float,
) -> Partition:
    """Split passes where an exchange costs less than going on with what is computed twice.

    ``low`` and ``high`` are the live cells of each pass, ``cost`` that of a cell in each,
    ``exchange`` that of an exchange.
    """
    begin = np.zeros(len(low) + 1, np.int64)
    begin = begin[: _phases(passes.span, cost, exchange, begin)]
    last = begin[1:] - 1
    least, end = low[last], high[last] + 1
    reach = np.add.reduceat(passes.span, begin[:-1]) // 2
    # All but the lowest part have to compute what is below them as well.
    share = np.maximum((end - least - reach) // devices, 0)
    first = np.minimum(least + reach + share, end)
    cuts = first[:, None] + share[:, None] * (np.arange(devices) - 1)
    cuts[:, 0] = least
    return Partition(begin, np.column_stack([np.minimum(cuts, end[:, None]), end]))


@outer
def _phases(span: Int64Array, cost: FloatArray, exchange: float, begin: Int64Array) -> int:
    """Note where each phase begins, and the end; return how many marks that are."""
    count, so_far, twice = 1, 0.0, 0.0
    for k in range(len(span)):
        twice += so_far * span[k]
        if twice > exchange:
            begin[count] = k
            count += 1
            so_far, twice = 0.0, 0.0
        so_far += cost[k]
    begin[count] = len(span)
    return count + 1


class LiveCells(NamedTuple):
    """What each pass reaches, and its first and last live cell."""

    span: Int64Array
    low: Int64Array
    high: Int64Array


class OwnCells(NamedTuple):
    """A device's first and last cell of each pass, and the last cell of the row that it reads."""

    low: Int64Array
    high: Int64Array
    top: Int64Array


class PhaseRows(NamedTuple):
    """The first and last cell that each phase reads; the first cell and the size of its row."""

    source_low: Int64Array
    source_top: Int64Array
    origin: Int64Array
    size: Int64Array


@outer
def divide_cells(
    begin: Int64Array, live: LiveCells, cuts: Int64Array, own: OwnCells, rows: PhaseRows
) -> int:
    """Note the cells of each pass, those read by each phase, and where its last row begins.

    Returns the room that the rows inside a phase take.
    """
    span, low, high = live
    own_low, own_high, top = own
    source_low, source_top, origin, size = rows
    inside, row_top = 0, 0
    for s in range(len(begin) - 1):
        first, last = begin[s], begin[s + 1] - 1
        after = 0
        for k in range(last, first - 1, -1):
            # At least one cell, for all above it where the row has not grown so far yet.
            own_low[k] = max(low[k], min(cuts[s, 0] - after, high[k]))
            own_high[k] = max(own_low[k], min(high[k], cuts[s, 1] - 1))
            after += span[k]
        for k in range(first, last + 1):
            inside = max(inside, own_high[k] - own_low[first] + 1)
            top[k] = own_high[k - 1]
        source_low[s] = min(max(own_low[first] - span[first], 0), row_top)
        source_top[s] = max(min(row_top, own_high[first]), source_low[s])
        top[first] = source_top[s]
        row_top = high[last]
    # A row between phases has room for what the next phase reads of it.
    for s in range(len(size)):
        last = begin[s + 1] - 1
        following = s + 1 < len(size)
        next_low = source_low[s + 1] if following else own_low[last]
        next_top = source_top[s + 1] if following else own_high[last]
        origin[s] = min(own_low[last], next_low)
        size[s] = max(own_high[last], next_top) - origin[s] + 1
    return inside
