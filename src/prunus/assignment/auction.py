"""The auction algorithm with ε-scaling, in which rows bid from candidate lists.

D. P. Bertsekas, The auction algorithm: a distributed relaxation method for the assignment problem,
Annals of Operations Research 14 (1988) 105-123. A row without a column bids for its best one as
much as it could pay and still be no more than ε worse off than with its second best. One phase ends
when all rows have columns; the prices it leaves are good ones for a smaller ε.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.compiled import outer
from prunus.assignment.lists import best_two
from prunus.assignment.values import Values

__all__ = ["Market", "bid", "new_market", "open_phase"]


class Market(NamedTuple):
    """Prices, who has what, and who is without.

    Attributes
    ----------
    prices
        Of the columns.
    owner, column
        The row of each column, the column of each row; -1 for none.
    waiting
        A stack of the rows without a column, ``waiting[:figures[0]]``.
    figures
        Rows waiting; bids so far; rows looked at as a whole so far; lists that were of no use, and
        of use, of late.
    """

    prices: NDArray[Any]
    owner: NDArray[np.int64]
    column: NDArray[np.int64]
    waiting: NDArray[np.int64]
    figures: NDArray[np.int64]


def new_market(values: Values) -> Market:
    """All prices 0, nobody has anything."""
    n, m = values.shape
    return Market(
        np.zeros(m, values.price),
        np.full(m, -1, np.int64),
        np.full(n, -1, np.int64),
        np.zeros(n, np.int64),
        np.zeros(5, np.int64),
    )


def open_phase(market: Market) -> None:
    """Take everybody's column away; the prices stay."""
    market.owner[:] = -1
    market.column[:] = -1
    n = len(market.column)
    market.waiting[:] = np.arange(n - 1, -1, -1)
    market.figures[0] = n


@outer
def bid(  # type: ignore[no-untyped-def]
    values: Any,
    lists: Any,
    work: Any,
    market: Any,
    epsilon: Any,
    lowest: Any,
    budget: Any,
    limit: Any,
):
    """Let waiting rows bid until none waits or as many whole rows as ``budget`` were looked at.

    A bid from a list counts as a thirty-second part of a row. It also ends when there have been
    ``limit`` bids in all. Returns whether nobody waits.
    """
    prices, owner, column = market.prices, market.owner, market.column
    waiting, figures = market.waiting, market.figures
    left = figures[0]
    spent = 0
    while left > 0 and spent < 32 * budget and figures[1] < limit:
        left -= 1
        i = waiting[left]
        # Prices that rise fast make lists worthless: go on making them only while they are used.
        listing = figures[4] >= figures[3] or (figures[2] & 15) == 0
        listed = lists.length[i] > 0
        first, second, j, _, looks = best_two(values, lists, work, prices, i, lowest, listing)
        spent += 1 + 32 * looks
        figures[1] += 1
        figures[2] += looks
        if looks == 0:
            figures[4] += 1
        else:
            figures[3] += listed
            if not listing:
                lists.length[i] = 0
            if figures[3] > 256:
                figures[3] >>= 1
                figures[4] >>= 1
        prices[j] += first - second + epsilon
        before = owner[j]
        owner[j] = i
        column[i] = j
        if before >= 0:
            column[before] = -1
            waiting[left] = before
            left += 1
    figures[0] = left
    return left == 0
