"""What is known of an instance as it is solved: no more rows than columns, benefits not values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prunus.model.arrays import AnyArray, Int64Array, Number
from prunus.runtime.duals import Duals


@dataclass(frozen=True, slots=True)
class InstanceFacts:
    """An instance without its values, and the way back to the problem."""

    rows: int
    columns: int
    """The smaller side, and the larger."""
    transposed: bool
    """Rows are the jobs, columns the agents."""
    sign: int
    shift: int
    """A pair's value is ``sign * benefit + shift``."""
    high: float
    """No benefit is larger."""
    spread: float
    """The largest less the smallest benefit."""
    integral: bool
    """All benefits are whole numbers, and so are their sums, exactly."""
    forbidden: bool
    """Not all pairs are allowed."""
    huge: bool
    """Sums may leave int64."""

    @property
    def largest(self) -> float:
        """No benefit is larger in size."""
        return max(abs(self.high), abs(self.high - self.spread))

    def solution(self, column: AnyArray) -> Int64Array:
        """Turn the column of each row, -1 for none, into the job of each agent."""
        if not self.transposed:
            return column.astype(np.int64)
        return _inverse(column, self.columns)

    def column(self, solution: Int64Array) -> Int64Array:
        """Turn the job of each agent into the column of each row."""
        if not self.transposed:
            return solution
        return _inverse(solution, self.rows)

    def duals(self, best: AnyArray, prices: AnyArray) -> Duals | None:
        """Turn prices of columns, and the best net values of rows at these, into dual prices.

        None where prices of whole numbers are none.
        """
        if self.integral and best.dtype.kind == "f":
            whole = np.rint(best), np.rint(prices)
            if not (np.array_equal(best, whole[0]) and np.array_equal(prices, whole[1])):
                return None
            best, prices = (part.astype(np.int64) for part in whole)
        rows, columns = self.sign * best + self.shift, self.sign * prices
        return Duals.frozen(columns, rows) if self.transposed else Duals.frozen(rows, columns)

    def objective(self, benefit: Number) -> Number:
        """Turn a sum of benefits into a sum of values."""
        value = self.sign * benefit
        if self.integral and float(benefit).is_integer():
            value = int(value)
        return value + self.shift * self.rows


def _inverse(places: AnyArray, count: int) -> Int64Array:
    found = np.full(count, -1, np.int64)
    at = np.flatnonzero(places >= 0)
    found[places[at]] = at
    return found
