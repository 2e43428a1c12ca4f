"""The dense method: the optimum by the recursion over all capacities, and the items behind it.

The items come back from decision bits where those fit in memory. Otherwise the items are halved:
from the tables of both halves follows how the capacity is best shared between them, and each half
is solved by itself. All levels of that together cost about as much as the first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

from prunus.knapsack.dense.table import (
    DecisionBits,
    DensePlan,
    ReportCells,
    plan_recursion,
    run_table,
)
from prunus.knapsack.tuning import DEFAULT, DenseTuning
from prunus.model.arrays import AnyArray, Int64Array
from prunus.runtime.stop_token import StoppedError


def value_type(limit: int) -> DTypeLike:
    """Return the type of table values that are at most ``limit``."""
    return np.int32 if limit < 2**31 else np.int64


@dataclass(frozen=True, slots=True)
class CpuDense:
    """How to run."""

    cores: int
    """Threads."""
    memory: int
    """Bytes that tables and decision bits may take."""
    limit: int
    """No choice is worth more."""
    tick: ReportCells | None = None
    """Called after each pass over the table."""
    tuning: DenseTuning = DEFAULT.dense
    """How tables are cut."""

    def fits(self, plan: DensePlan) -> bool:
        """Tell whether the table of all items fits in memory."""
        return self._bytes(plan) <= self.memory

    def work(self, plan: DensePlan) -> int:
        """Estimate the cells to compute until the items are known as well."""
        return plan.cells * (1 if self._bits_fit(plan) else 2)

    def choose(self, w: Int64Array, p: Int64Array, capacity: int) -> Int64Array:
        """Return the items of a best choice.

        Raises ``StoppedError`` if the tick says so; ``MemoryError`` if the table does not fit.
        """
        if len(w) == 0 or int(w.sum()) <= capacity:
            return np.arange(len(w))
        fit = np.flatnonzero(w <= capacity)
        if len(fit) < len(w):
            return fit[self.choose(w[fit], p[fit], capacity)]
        plan = plan_recursion(w, p, capacity, capacity)
        if not self.fits(plan):
            raise MemoryError
        if self._bits_fit(plan):
            bits = DecisionBits(plan, self.tuning)
            self._table(plan, bits)
            return bits.trace(capacity)
        done = np.cumsum(np.maximum(plan.most - plan.least + 1, 0))
        middle = int(np.searchsorted(done, done[-1] // 2)) or 1
        first, second = plan.order[:middle], plan.order[middle:]
        share = self._share(w, p, capacity, first, second)
        return np.concatenate(
            [
                first[self.choose(w[first], p[first], share)],
                second[self.choose(w[second], p[second], capacity - share)],
            ]
        )

    def profile(
        self, w: Int64Array, p: Int64Array, capacity: int
    ) -> tuple[AnyArray, Int64Array | None]:
        """Return the optimum of every capacity, and the items of the last if bits fit.

        The values have the shape (capacity + 1,); the items are None if the decision bits did not
        fit.
        """
        values = np.zeros(1, dtype=value_type(self.limit))
        chosen: Int64Array | None = np.empty(0, dtype=np.int64)
        if len(w):
            plan = plan_recursion(w, p, capacity, 0)
            if not self.fits(plan):
                raise MemoryError
            bits = DecisionBits(plan, self.tuning) if self._bits_fit(plan) else None
            values = self._table(plan, bits)
            chosen = bits.trace(capacity) if bits is not None else None
        return values, chosen

    def _share(
        self, w: Int64Array, p: Int64Array, capacity: int, first: Int64Array, second: Int64Array
    ) -> int:
        """Return how much of the capacity the first of two sets of items gets."""
        a = self._half(w[first], p[first], capacity, int(w[second].sum()))
        b = self._half(w[second], p[second], capacity, int(w[first].sum()))
        # Above its end a table is constant, so nothing is lost by staying within both.
        low, high = max(0, capacity - (len(b) - 1)), min(capacity, len(a) - 1)
        best, share, step = -1, low, 1 << 24
        for start in range(low, high + 1, step):
            end = min(high + 1, start + step)
            if self.tick is not None and self.tick(0):
                raise StoppedError
            total = a[start:end] + b[capacity - end + 1 : capacity - start + 1][::-1]
            k = int(np.argmax(total))
            if int(total[k]) > best:
                best, share = int(total[k]), start + k
        return share

    def _half(self, w: Int64Array, p: Int64Array, capacity: int, others: int) -> AnyArray:
        fit = w <= capacity
        return self._table(
            plan_recursion(w[fit], p[fit], capacity, max(0, capacity - others)), None
        )

    def _table(self, plan: DensePlan, bits: DecisionBits | None) -> AnyArray:
        dtype = value_type(self.limit)
        return run_table(
            plan, dtype, cores=self.cores, bits=bits, tick=self.tick, tuning=self.tuning
        )

    def _bits_fit(self, plan: DensePlan) -> bool:
        size = DecisionBits.size(plan, self.tuning)
        return size <= self.tuning.bit_bytes and self._bytes(plan) + size <= self.memory

    def _bytes(self, plan: DensePlan) -> int:
        # Passes that are shared out copy what lies at the borders.
        return (int(plan.most[-1]) + 1) * np.dtype(value_type(self.limit)).itemsize
