"""The certificate: prices of the columns bound every assignment from above.

For any prices p, no assignment is worth more than Σ p_j + Σ_i max_j (a_ij - p_j); where columns may
stay empty, prices must not be negative. That is weak duality, and takes one look at every row.
"""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np

from prunus._native.assignment import best_net_values, best_net_values_of_pairs
from prunus.assignment.instance.prepared import PreparedInstance
from prunus.assignment.stepwise import RowBudget
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, Number


def best_values(
    prepared: PreparedInstance, prices: AnyArray, threads: Threads, budget: RowBudget
) -> Generator[None, None, AnyArray]:
    """Find the best net value of every row; pause before each ``budget`` rows; shape (n,)."""
    lists, values = prepared.lists, prepared.values
    n, m = prepared.rows, prepared.columns
    found = [np.empty(0, values.price)]
    last = 0
    while last < n:
        yield
        first, last = last, min(n, last + threads.cores * budget())

        def find(_: int, begin: int, end: int, first: int = first) -> AnyArray:
            begin, end = first + begin, first + end
            if lists is not None:
                return best_net_values_of_pairs(lists, prices, begin, end)
            return best_net_values(values, prices, begin, end)

        found += threads.share(last - first, find, least=1 + 2**16 // max(m, 1))
    return np.concatenate(found)


def sum_of_prices(best: AnyArray, prices: AnyArray, *, integral: bool) -> tuple[Number, float]:
    """Return what no assignment of all rows exceeds, in benefits, and how far rounding moved it.

    Where there are more columns than rows, no price may be below 0. The slack is 0 for int64;
    for float64 it is a few units in the last place of the largest number in each row, which is also
    as close as any arithmetic in float64 brings an assignment to its prices. (Whole numbers are
    exact all the same.)
    """
    if best.dtype != np.float64:
        return sum(map(int, prices.tolist())) + sum(map(int, best.tolist())), 0.0
    bound = math.fsum(prices.tolist()) + math.fsum(best.tolist())
    if integral:  # sums of whole numbers are exact
        return bound, 0.0
    largest = max(float(np.abs(prices).max()), float(np.abs(best).max()))
    return bound, len(best) * 2.0**-49 * largest
