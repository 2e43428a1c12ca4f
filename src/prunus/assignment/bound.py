"""The certificate: prices of the columns bound every assignment from above.

For any prices p, no assignment is worth more than Σ p_j + Σ_i max_j (a_ij - p_j); where columns may
stay empty, prices must not be negative. That is weak duality, and takes one look at every row.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.lists import Lists, best_of_list, best_of_row
from prunus.assignment.threads import Threads
from prunus.assignment.values import Values, row_of, scratch
from prunus.treesearch.compiled import outer

__all__ = ["best_values", "dual_bound"]


@outer
def _best_values(  # type: ignore[no-untyped-def]
    values: Any, lists: Any, work: Any, prices: Any, begin: Any, end: Any, lowest: Any, best: Any
):
    for i in range(begin, end):
        if lists.capacity == 0:
            at = lists.start[i]
            best[i] = best_of_list(lists, prices, at, at + lists.count[i], lowest)[0]
        else:
            at = row_of(values, work, i)
            matrix = values.matrix if values.metric < 0 else work.row
            best[i] = best_of_row(values.sign, matrix[at], prices, work.top, lowest)[0]


def best_values(
    values: Values, lists: Lists, prices: NDArray[Any], threads: Threads
) -> NDArray[Any]:
    """Find the best net value of every row at the prices given; shape (n,)."""
    n, m = values.shape
    best = np.empty(n, values.price)

    def find(_: int, begin: int, end: int) -> None:
        _best_values(values, lists, scratch(values), prices, begin, end, values.lowest, best)

    threads.share(n, find, least=1 + 2**16 // max(m, 1))
    return best


def dual_bound(
    values: Values, lists: Lists, prices: NDArray[Any], threads: Threads
) -> int | float:
    """Return what no assignment of all rows exceeds.

    Parameters
    ----------
    values
        The instance, with no more rows than columns.
    lists
        Its lists, which are read only if they hold all there is.
    prices
        Any prices; where there are more columns than rows, none below 0.
    threads
        The cores to use.

    Returns
    -------
    int or float
        Exact in integers; for float64 prices correctly rounded but for the rounding of the net
        values themselves, half a unit in the last place each.
    """
    best = best_values(values, lists, prices, threads)
    if values.price == np.int64:
        return sum(map(int, prices.tolist())) + sum(map(int, best.tolist()))
    return math.fsum(prices.tolist()) + math.fsum(best.tolist())
