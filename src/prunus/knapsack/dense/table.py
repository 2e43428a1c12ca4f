"""The dense method on cores: the optimum by the recursion over all capacities, and the items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from prunus._native.knapsack import DenseLimits, DenseStop, dense_choice, dense_profile
from prunus.model.arrays import AnyArray, Int64Array
from prunus.runtime.stop_token import StoppedError

ReportCells = Callable[[int], bool]
"""Receives how many cells have been computed since the last call; says whether to stop."""


@dataclass(frozen=True, slots=True)
class CpuDense:
    """How to run."""

    limits: DenseLimits
    """Threads, bytes, and how tables are cut."""
    tick: ReportCells | None = None
    """Called between parts of a table."""

    def choose(self, w: Int64Array, p: Int64Array, capacity: int) -> Int64Array:
        """Return the items of a best choice.

        Raises ``StoppedError`` if the tick says so; ``MemoryError`` if the table does not fit.
        """
        stop, chosen = dense_choice(w, p, capacity, self.limits, self.tick)
        _check(stop)
        return chosen

    def profile(
        self, w: Int64Array, p: Int64Array, capacity: int
    ) -> tuple[AnyArray, Int64Array | None]:
        """Return the optimum of every capacity, and the items of the last if bits fit.

        Capacities beyond the last are worth as much; the items are None if the decision bits did
        not fit. Raises as `choose` does.
        """
        if not len(w):
            return np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.int64)
        stop, values, chosen = dense_profile(w, p, capacity, self.limits, look=self.tick)
        _check(stop)
        return values, chosen


def _check(stop: DenseStop) -> None:
    if stop is DenseStop.STOPPED:
        raise StoppedError
    if stop is DenseStop.MEMORY:
        raise MemoryError
