"""The dense method: the optimum by the recursion over all capacities, and the items behind it.

The items come back from decision bits where those fit in memory. Otherwise the items are halved:
from the tables of both halves follows how the capacity is best shared between them, and each half
is solved by itself. All levels of that together cost about as much as the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.knapsack.dense.table import DecisionBits, Plan, Tick, run_table, trim

__all__ = ["CpuDense", "value_type"]

Array = NDArray[np.int64]

_BITS = 1 << 25
"""Bytes of decision bits from which halving is faster: fresh memory costs more than cells."""


def value_type(limit: int) -> Any:
    """Return the type of table values that are at most ``limit``."""
    return np.int32 if limit < 2**31 else np.int64


@dataclass(frozen=True, slots=True)
class CpuDense:
    """How to run.

    Attributes
    ----------
    cores
        Threads.
    memory
        Bytes that tables and decision bits may take.
    tick
        Called after each pass over the table.
    limit
        No choice is worth more.
    """

    cores: int
    memory: int
    limit: int
    tick: Tick | None = None

    def fits(self, plan: Plan) -> bool:
        """Tell whether the table of all items fits in memory."""
        return self._bytes(plan) <= self.memory

    def work(self, plan: Plan) -> int:
        """Estimate the cells to compute until the items are known as well."""
        return plan.cells * (1 if self._bits_fit(plan) else 2)

    def choose(self, w: Array, p: Array, capacity: int) -> Array:
        """Return the items of a best choice.

        Raises
        ------
        StoppedError
            If the tick says so.
        MemoryError
            If the table does not fit.
        """
        if len(w) == 0 or int(w.sum()) <= capacity:
            return np.arange(len(w))
        fit = np.flatnonzero(w <= capacity)
        if len(fit) < len(w):
            return fit[self.choose(w[fit], p[fit], capacity)]
        plan = trim(w, p, capacity, capacity)
        if not self.fits(plan):
            raise MemoryError
        if self._bits_fit(plan):
            bits = DecisionBits(plan)
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

    def profile(self, w: Array, p: Array, capacity: int) -> tuple[NDArray[Any], Array | None]:
        """Return the optimum of every capacity, and the items of the last if bits fit.

        Returns
        -------
        values : (capacity + 1,)
        chosen
            None if the decision bits did not fit.
        """
        values = np.zeros(1, dtype=value_type(self.limit))
        chosen: Array | None = np.empty(0, dtype=np.int64)
        if len(w):
            plan = trim(w, p, capacity, 0)
            if not self.fits(plan):
                raise MemoryError
            bits = DecisionBits(plan) if self._bits_fit(plan) else None
            values = self._table(plan, bits)
            chosen = bits.trace(capacity) if bits is not None else None
        return values, chosen

    def _share(self, w: Array, p: Array, capacity: int, first: Array, second: Array) -> int:
        """Return how much of the capacity the first of two sets of items gets."""
        a = self._half(w[first], p[first], capacity, int(w[second].sum()))
        b = self._half(w[second], p[second], capacity, int(w[first].sum()))
        # Above its end a table is constant, so nothing is lost by staying within both.
        low, high = max(0, capacity - (len(b) - 1)), min(capacity, len(a) - 1)
        best, share, step = -1, low, 1 << 24
        for start in range(low, high + 1, step):
            end = min(high + 1, start + step)
            total = a[start:end] + b[capacity - end + 1 : capacity - start + 1][::-1]
            k = int(np.argmax(total))
            if int(total[k]) > best:
                best, share = int(total[k]), start + k
        return share

    def _half(self, w: Array, p: Array, capacity: int, others: int) -> NDArray[Any]:
        fit = w <= capacity
        return self._table(trim(w[fit], p[fit], capacity, max(0, capacity - others)), None)

    def _table(self, plan: Plan, bits: DecisionBits | None) -> NDArray[Any]:
        dtype = value_type(self.limit)
        return run_table(plan, dtype, cores=self.cores, bits=bits, tick=self.tick)

    def _bits_fit(self, plan: Plan) -> bool:
        size = DecisionBits.size(plan)
        return size <= _BITS and self._bytes(plan) + size <= self.memory

    def _bytes(self, plan: Plan) -> int:
        # Passes that are shared out copy what lies at the borders.
        return (int(plan.most[-1]) + 1) * int(np.dtype(value_type(self.limit)).itemsize)
