"""The certificate: prices of the columns bound every assignment from above.

For any prices p, no assignment is worth more than Σ p_j + Σ_i max_j (a_ij - p_j); where columns may
stay empty, prices must not be negative. That is weak duality, and takes one look at every row.
"""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np

from prunus.assignment.exact.lists.candidate_lists import (
    CandidateLists,
    best_two_in_list,
    new_candidate_lists,
)
from prunus.assignment.instance.benefits import Benefits, RowScratch, locate_row, new_row_scratch
from prunus.assignment.instance.row_maxima import best_two_in_row
from prunus.assignment.stepwise import RowBudget
from prunus.hardware.jit.compiled import outer
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, Number


@outer
def _best_values(
    values: Benefits,
    lists: CandidateLists,
    work: RowScratch,
    prices: AnyArray,
    begin: int,
    end: int,
    best: AnyArray,
) -> None:
    lowest = values.lowest
    for i in range(begin, end):
        if lists.wanted == 0:
            at = lists.start[i]
            best[i] = best_two_in_list(lists, prices, at, lists.start[i + 1], lowest)[0]
        else:
            at = locate_row(values, work, i)
            matrix = values.matrix if values.metric < 0 else work.row
            best[i] = best_two_in_row(values.sign, matrix[at], prices, work.top, lowest)[0]


def best_values(
    values: Benefits,
    lists: CandidateLists | None,
    prices: AnyArray,
    threads: Threads,
    budget: RowBudget,
) -> Generator[None, None, AnyArray]:
    """Find the best net value of every row; pause before each ``budget`` rows; shape (n,)."""
    n, m = values.shape
    best = np.empty(n, values.price)
    if lists is None or lists.capacity > 0:
        lists = new_candidate_lists(values, 0)

    last = 0
    while last < n:
        yield
        first, last = last, min(n, last + threads.cores * budget())

        def find(_: int, begin: int, end: int, first: int = first) -> None:
            work = new_row_scratch(values)
            _best_values(values, lists, work, prices, first + begin, first + end, best)

        threads.share(last - first, find, least=1 + 2**16 // max(m, 1))
    return best


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
