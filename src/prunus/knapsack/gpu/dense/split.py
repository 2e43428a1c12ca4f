"""How several devices split the dense recursion: passes into stretches, and cells among them.

Between two stretches cells change hands, for the live range moves. Within one, every device also
computes what its cells depend on below them, less with every pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.gpu.dense.passes import Passes

__all__ = ["Split", "split"]

Array = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Split:
    """How the passes of one plan are split.

    Attributes
    ----------
    begin : (stretches + 1,)
        The first pass of each stretch, and the end.
    cuts : (stretches, devices + 1)
        The first cell of each device of the row after each stretch, and its end.
    """

    begin: Array
    cuts: Array

    def __len__(self) -> int:
        """Count the stretches."""
        return len(self.cuts)


def split(
    passes: Passes,
    low: Array,
    high: Array,
    cost: NDArray[np.float64],
    devices: int,
    exchange: float,
) -> Split:
    """Split passes where an exchange costs less than going on with what is computed twice.

    Parameters
    ----------
    low, high
        The live cells of each pass.
    cost
        Of a cell in each pass.
    devices
        How many there are.
    exchange
        What it costs.
    """
    begin = np.zeros(len(low) + 1, np.int64)
    begin = begin[: _stretches(passes.span, cost, exchange, begin)]
    last = begin[1:] - 1
    least, end = low[last], high[last] + 1
    reach = np.add.reduceat(passes.span, begin[:-1]) // 2
    # All but the lowest part have to compute what is below them as well.
    share = np.maximum((end - least - reach) // devices, 0)
    first = np.minimum(least + reach + share, end)
    cuts = first[:, None] + share[:, None] * (np.arange(devices) - 1)
    cuts[:, 0] = least
    return Split(begin, np.column_stack([np.minimum(cuts, end[:, None]), end]))


@outer
def _stretches(span: Any, cost: Any, exchange: Any, begin: Any):  # type: ignore[no-untyped-def]
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
