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

from prunus.assignment.exact.bid_batch import BATCH, evaluate
from prunus.assignment.exact.candidate_lists import best_two_if_certain
from prunus.assignment.instance.benefits import Benefits
from prunus.hardware.jit.compiled import inner, outer

__all__ = ["AuctionState", "bid", "new_auction_state", "open_phase"]


class AuctionState(NamedTuple):
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


def new_auction_state(values: Benefits) -> AuctionState:
    """All prices 0, nobody has anything."""
    n, m = values.shape
    return AuctionState(
        np.zeros(m, values.price),
        np.full(m, -1, np.int64),
        np.full(n, -1, np.int64),
        np.zeros(n, np.int64),
        np.zeros(5, np.int64),
    )


def open_phase(auction: AuctionState) -> None:
    """Take everybody's column away; the prices stay."""
    auction.owner[:] = -1
    auction.column[:] = -1
    n = len(auction.column)
    auction.waiting[:] = np.arange(n - 1, -1, -1)
    auction.figures[0] = n


@outer
def bid(  # type: ignore[no-untyped-def]
    values: Any,
    lists: Any,
    work: Any,
    auction: Any,
    batch: Any,
    epsilon: Any,
    lowest: Any,
    budget: Any,
    limit: Any,
):
    """Let waiting rows bid until none waits or as many whole rows as ``budget`` were looked at.

    Rows bid in small batches: all of a batch are evaluated at the same prices, then bid in turn,
    those whose column has become dearer by what their lists say of the prices of now, or later. A
    bid from a list counts as a thirty-second part of a row. It also ends when there have been
    ``limit`` bids in all. Returns whether nobody waits.
    """
    prices, waiting, figures = auction.prices, auction.waiting, auction.figures
    item, money = batch.item, batch.money
    left = figures[0]
    spent = 0
    while left > 0 and spent < 32 * budget and figures[1] < limit:
        size = min(left, BATCH)
        left -= size
        # Prices that rise fast make lists worthless: go on making them only while they are used.
        useful = figures[4] >= figures[3]
        for q in range(size):
            i = item[q, 0] = waiting[left + size - 1 - q]
            item[q, 1] = useful or ((figures[2] + q) & 15) == 0
            item[q, 5] = lists.length[i] > 0
        evaluate(values, lists, work, prices, batch, size, lowest)
        # Who is transposed out, or put off, bids next: the stack grows by no more than was taken.
        back = np.int64(0)
        for q in range(size):
            i, j, looks = item[q, 0], item[q, 2], item[q, 3]
            spent += 1 + 32 * looks
            figures[1] += 1
            figures[2] += looks
            if looks == 0:
                figures[4] += 1
            else:
                _note_look(lists, figures, i, item[q, 1], item[q, 5])
            rise = money[q, 0]
            if prices[j] != money[q, 1]:
                first, second, j, known = best_two_if_certain(lists, prices, i, lowest)
                rise = first - second
                if not known:
                    item[back, 4] = i
                    back += 1
                    continue
            before = _sell(auction, i, j, rise + epsilon)
            if before >= 0:
                item[back, 4] = before
                back += 1
        for q in range(back):
            waiting[left] = item[back - 1 - q, 4]
            left += 1
    figures[0] = left
    return left == 0


@inner
def _note_look(lists: Any, figures: Any, i: Any, listing: Any, listed: Any):  # type: ignore[no-untyped-def]
    """Count a list that was of no use; one that was not made anew is none any more."""
    figures[3] += listed
    if listing == 0:
        lists.length[i] = 0
    if figures[3] > 256:
        figures[3] >>= 1
        figures[4] >>= 1


@inner
def _sell(auction: Any, i: Any, j: Any, rise: Any):  # type: ignore[no-untyped-def]
    """Give column j to row i; return the row that had it."""
    auction.prices[j] += rise
    before = auction.owner[j]
    auction.owner[j] = i
    auction.column[i] = j
    if before >= 0:
        auction.column[before] = -1
    return before
