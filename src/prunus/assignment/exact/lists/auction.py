"""The auction algorithm with ε-scaling, in which rows bid from candidate lists.

D. P. Bertsekas, The auction algorithm: a distributed relaxation method for the assignment problem,
Annals of Operations Research 14 (1988) 105-123. A row without a column bids for its best one as
much as it could pay and still be no more than ε worse off than with its second best. One phase ends
when all rows have columns; the prices it leaves are good ones for a smaller ε.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.assignment.exact.lists.bid_batch import (
    BATCH,
    COLUMN,
    HAD_LIST,
    MAKE_LIST,
    MARGIN,
    NEXT_BIDDER,
    PRICE,
    ROW,
    SCANS,
    BidBatch,
    evaluate,
)
from prunus.assignment.exact.lists.candidate_lists import CandidateLists, best_two_if_certain
from prunus.assignment.instance.benefits import Benefits, RowScratch
from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import AnyArray, Int64Array, Number

N_WAITING, N_BIDS, N_ROW_SCANS, N_LISTS_WASTED, N_LISTS_USED = range(5)
"""Places in `AuctionState.counters`."""


class AuctionState(NamedTuple):
    """Prices, the assignment so far, and the rows that are still to bid."""

    prices: AnyArray
    """Of the columns."""
    owner: Int64Array
    column: Int64Array
    """The row of each column, the column of each row; -1 for none."""
    waiting: Int64Array
    """A stack of the rows without a column, ``waiting[:counters[N_WAITING]]``."""
    counters: Int64Array
    """Rows waiting; bids so far; rows scanned as a whole so far; lists that were of no use, and of
    use, of late."""


def new_auction_state(values: Benefits) -> AuctionState:
    """Start with all prices 0 and no row assigned."""
    n, m = values.shape
    return AuctionState(
        np.zeros(m, values.price),
        np.full(m, -1, np.int64),
        np.full(n, -1, np.int64),
        np.zeros(n, np.int64),
        np.zeros(5, np.int64),
    )


def open_phase(auction: AuctionState) -> None:
    """Unassign all rows; the prices stay."""
    auction.owner[:] = -1
    auction.column[:] = -1
    n = len(auction.column)
    auction.waiting[:] = np.arange(n - 1, -1, -1)
    auction.counters[N_WAITING] = n


@outer
def bid(
    values: Benefits,
    lists: CandidateLists,
    work: RowScratch,
    auction: AuctionState,
    batch: BidBatch,
    epsilon: Number,
    budget: int,
    limit: int,
) -> bool:
    """Let waiting rows bid until none waits or as many whole rows as ``budget`` were looked at.

    Rows bid in small batches: all of a batch are evaluated at the same prices, then bid in turn,
    those whose column has become dearer from their lists at the current prices, or later. A
    bid from a list counts as a thirty-second part of a row. It also ends when there have been
    ``limit`` bids in all. Returns whether no row waits.
    """
    prices, waiting, counters = auction.prices, auction.waiting, auction.counters
    item, money = batch.item, batch.money
    left = counters[N_WAITING]
    spent = 0
    while left > 0 and spent < 32 * budget and counters[N_BIDS] < limit:
        size = min(left, BATCH)
        left -= size
        # Prices that rise fast make lists worthless: go on making them only while they are used.
        useful = counters[N_LISTS_USED] >= counters[N_LISTS_WASTED]
        for q in range(size):
            i = item[q, ROW] = waiting[left + size - 1 - q]
            item[q, MAKE_LIST] = useful or ((counters[N_ROW_SCANS] + q) & 15) == 0
            item[q, HAD_LIST] = lists.length[i] > 0
        evaluate(values, lists, work, prices, batch, size)
        # A row that is outbid, or put off, bids next: the stack grows by no more than was taken.
        back = np.int64(0)
        for q in range(size):
            i, j, looks = item[q, ROW], item[q, COLUMN], item[q, SCANS]
            spent += 1 + 32 * looks
            counters[N_BIDS] += 1
            counters[N_ROW_SCANS] += looks
            if looks == 0:
                counters[N_LISTS_USED] += 1
            else:
                _note_list_use(lists, counters, i, item[q, MAKE_LIST], item[q, HAD_LIST])
            rise = money[q, MARGIN]
            if prices[j] != money[q, PRICE]:
                first, second, j, known = best_two_if_certain(lists, prices, i, values.lowest)
                rise = first - second
                if not known:
                    item[back, NEXT_BIDDER] = i
                    back += 1
                    continue
            before = _assign(auction, i, j, rise + epsilon)
            if before >= 0:
                item[back, NEXT_BIDDER] = before
                back += 1
        for q in range(back):
            waiting[left] = item[back - 1 - q, NEXT_BIDDER]
            left += 1
    counters[N_WAITING] = left
    return bool(left == 0)


@inner
def _note_list_use(
    lists: CandidateLists, counters: Int64Array, i: int, listing: int, listed: int
) -> None:
    """Count a list that was of no use; one that was not made anew is none any more."""
    counters[N_LISTS_WASTED] += listed
    if listing == 0:
        lists.length[i] = 0
    if counters[N_LISTS_WASTED] > 256:
        counters[N_LISTS_WASTED] >>= 1
        counters[N_LISTS_USED] >>= 1


@inner
def _assign(auction: AuctionState, i: int, j: int, rise: Number) -> int:
    """Give column j to row i; return the row that had it."""
    auction.prices[j] += rise
    before: int = auction.owner[j]
    auction.owner[j] = i
    auction.column[i] = j
    if before >= 0:
        auction.column[before] = -1
    return before
