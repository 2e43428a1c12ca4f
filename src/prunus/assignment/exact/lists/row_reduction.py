"""Augmenting row reduction: before paths are searched, rows bid with ε = 0.

R. Jonker and A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear
assignment problems, Computing 38 (1987) 325-340.
"""

from __future__ import annotations

import numpy as np

from prunus.assignment.exact.lists.auction import N_WAITING, AuctionState
from prunus.assignment.exact.ranked.lists import RankedLists, best_two_ranked, fetch_list
from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import AnyArray, Number

_AHEAD = 4
"""The list of the row that waits so many places behind is fetched meanwhile."""


@inner
def award(
    auction: AuctionState, worth: AnyArray, i: int, j: int, first: Number, rise: Number
) -> int:
    """Give row i column j, its best one with net value ``first``; return who had it, or -1."""
    before: int = auction.owner[j]
    if before >= 0:
        # Only what is fought for becomes dearer: a free column keeps its price.
        auction.prices[j] += rise
        worth[i] = first - rise
        auction.column[before] = -1
    else:
        worth[i] = first
    auction.owner[j] = i
    auction.column[i] = j
    return before


# Row reduction on the host, from ranked lists.


@outer
def keep_columns(
    auction: AuctionState,
    worth: AnyArray,
    own: AnyArray,
    benefit: AnyArray,
    best: AnyArray,
    most: AnyArray,
    rounding: Number,
) -> None:
    """Give columns to rows to which no other is worth more; let the other rows wait.

    A row, whose best net value is ``most``, keeps its ``own`` column, if it has one, with its
    ``benefit``, if that is worth as much; else it gets its ``best`` one if nobody keeps that.
    """
    prices, owner, column = auction.prices, auction.owner, auction.column
    rows = column.shape[0]
    for i in range(rows):
        j = own[i]
        if j >= 0 and benefit[i] - prices[j] >= most[i] - rounding:
            owner[j] = i
            column[i] = j
    left = 0
    for i in range(rows - 1, -1, -1):
        j = best[i]
        if column[i] < 0 and owner[j] < 0:
            owner[j] = i
            column[i] = j
        if column[i] >= 0:
            worth[i] = most[i]
        else:
            auction.waiting[left] = i
            left += 1
    auction.counters[N_WAITING] = left


@outer
def reduce_ranked_rows(
    ranked: RankedLists, auction: AuctionState, worth: AnyArray, lowest: Number, most: int
) -> None:
    """Let waiting rows bid with ε = 0 (Jonker and Volgenant's augmenting row reduction).

    Afterwards every row that has a column has its best one, and ``worth`` is its net value; the
    rest waits for paths. No more than ``most`` bids are made.
    """
    prices, owner = auction.prices, auction.owner
    waiting = auction.waiting
    left, kept = auction.counters[N_WAITING], np.int64(0)
    for at in range(left):
        i = waiting[at]
        if at + _AHEAD < left:
            fetch_list(ranked, waiting[at + _AHEAD])
        while i >= 0:
            first, second, j, other = best_two_ranked(ranked, prices, i, lowest)
            rise = first - second
            # Rows that tie are kept for the paths: bidding nothing against nothing would never end.
            if second <= lowest and j >= 0 and owner[j] >= 0:
                j = np.int64(-1)  # no other column is allowed, so that there is no telling a price
            elif j >= 0 and not rise > 0 and owner[j] >= 0:
                j = other
                if j >= 0 and owner[j] >= 0:
                    j = np.int64(-1)
            if j < 0 or most <= 0:
                waiting[kept] = i
                kept += 1
                break
            most -= 1
            i = award(auction, worth, i, j, first, rise)
    auction.counters[N_WAITING] = kept
