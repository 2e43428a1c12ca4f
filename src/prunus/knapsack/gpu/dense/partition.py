"""How passes are cut into phases, and the cells of each phase among devices.

Between two phases cells change hands, for the live range moves: every device gets an even part of
it anew, as in Boyer, El Baz and Elkihel (2011). Within a phase every device also computes what its
cells depend on below them, less with every pass, and needs nothing of the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prunus.knapsack.gpu.dense.passes import Passes, costs, pass_ps
from prunus.model.arrays import Int64Array


@dataclass(frozen=True, slots=True)
class Partition:
    """Some passes, and what each of some devices does of them."""

    passes: Passes
    low: Int64Array
    high: Int64Array
    """The live cells of each pass."""
    begin: Int64Array
    """The first pass of each phase, and the end. Shape (phases + 1,)."""
    cuts: Int64Array
    """The first cell of each device of the row after each phase, and its end.
    Shape (phases, devices + 1)."""

    @property
    def devices(self) -> int:
        return int(self.cuts.shape[1]) - 1

    @property
    def work(self) -> Int64Array:
        """The cells that each phase computes, each counted for every item that is applied to it."""
        cells = (self.high - self.low + 1) * self.passes.items
        return np.asarray(np.add.reduceat(cells, self.begin[:-1]))


def divide(
    passes: Passes,
    low: Int64Array,
    high: Int64Array,
    devices: int,
    exchange: float,
    most: float,
) -> Partition:
    """Cut where an exchange costs less than going on with what is computed twice.

    ``exchange`` is the picoseconds that an exchange takes, ``most`` those of a phase if it has
    more than one pass.
    """
    cost = costs(passes, pass_ps(int(high[-1]) // devices))
    takes = ((high - low + 1) * cost / devices).tolist()
    begin, so_far, twice, work = [0], 0.0, 0.0, 0.0
    for k, span in enumerate(passes.span.tolist()):
        twice += so_far * span if devices > 1 else 0
        if k and (twice > exchange or work + takes[k] > most):
            begin.append(k)
            so_far, twice, work = 0.0, 0.0, 0.0
        so_far += float(cost[k])
        work += takes[k]
    marks = np.array([*begin, len(passes)])
    least, end = low[marks[1:] - 1], high[marks[1:] - 1] + 1
    # All but the lowest part have to compute what is below them as well.
    reach = np.add.reduceat(passes.span, marks[:-1]) // 2
    share = np.maximum((end - least - reach) // devices, 0)
    first = np.minimum(least + reach + share, end)
    cuts = first[:, None] + share[:, None] * (np.arange(devices) - 1)
    cuts[:, 0] = least
    cuts = np.column_stack([np.minimum(cuts, end[:, None]), end])
    return Partition(passes, low, high, marks, cuts)


class Share:
    """The cells that one device computes in each pass, and those that it reads in each phase.

    ``low`` and ``high`` are those of each pass, ``top`` the last cell of the row that it reads,
    ``source_low`` and ``source_top`` what each phase reads of the row before it. ``row_top`` is the
    last cell of the row before all passes.
    """

    def __init__(self, whole: Partition, index: int, row_top: int) -> None:
        begin, span = whole.begin, whole.passes.span
        first, last = begin[:-1], begin[1:] - 1
        self.phase = phase = np.repeat(np.arange(len(first)), np.diff(begin))
        done = np.cumsum(span)
        after = done[last][phase] - done
        cuts = whole.cuts[phase, index : index + 2]
        # At least one cell, for all above it where the row has not grown so far yet.
        self.low = np.minimum(np.maximum(cuts[:, 0] - after, whole.low), whole.high)
        self.high = np.maximum(np.minimum(cuts[:, 1] - 1, whole.high), self.low)
        tops = np.r_[row_top, whole.high[last[:-1]]]
        self.source_low = np.minimum(np.maximum(self.low[first] - span[first], 0), tops)
        self.source_top = np.maximum(np.minimum(tops, self.high[first]), self.source_low)
        self.top = np.r_[0, self.high[:-1]]
        self.top[first] = self.source_top
        self.first = first
