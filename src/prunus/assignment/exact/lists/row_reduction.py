"""Augmenting row reduction: before paths are searched, rows bid with ε = 0.

R. Jonker and A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear
assignment problems, Computing 38 (1987) 325-340.
"""

from __future__ import annotations

import numpy as np

from prunus.assignment.exact.lists.auction import N_WAITING, AuctionState
from prunus.assignment.exact.lists.candidate_lists import CandidateLists, best_two
from prunus.assignment.exact.lists.path_search import PathSearch
from prunus.assignment.exact.ranked.lists import RankedLists, best_two_ranked, fetch_list
from prunus.assignment.instance.benefits import Benefits, RowScratch
from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import AnyArray, Int64Array, Number

_AHEAD = 4
"""The list of the row that waits so many places behind is fetched meanwhile."""


def new_reduction_progress(bids: int) -> Int64Array:
    """Return where row reduction stands at its beginning, if it may take so many bids.

    That is: which of the waiting rows is next, how many of those before it are kept for the paths,
    the row that bids at the moment, -1 for none, and the bids that are left.
    """
    return np.array([0, 0, -1, bids])


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


@outer
def reduce_rows(
    values: Benefits,
    lists: CandidateLists,
    work: RowScratch,
    auction: AuctionState,
    paths: PathSearch,
    progress: Int64Array,
    budget: int,
) -> bool:
    """Let waiting rows bid with ε = 0, as often as ``progress`` says; return whether that is done.

    After ``budget`` looks at whole rows it pauses; a bid counts as a thirty-second part of one.
    Afterwards every row that has a column has its best one, and the rest waits for ``augment``.
    A row that has no column at all to bid for waits too.
    """
    prices, owner = auction.prices, auction.owner
    waiting, worth = auction.waiting, paths.worth
    left = auction.counters[N_WAITING]
    at, kept, now, bids = progress[0], progress[1], progress[2], progress[3]
    spent = 0
    # The stack is turned into a list to go through; rows that are outbid go on at once, and
    # those that tie are kept for the paths: bidding nothing against nothing would never end.
    while at < left or now >= 0:
        i = now
        now = np.int64(-1)
        if i < 0:
            i = waiting[at]
            at += 1
        while i >= 0:
            if spent >= 32 * budget:
                progress[0], progress[1], progress[2], progress[3] = at, kept, i, bids
                return False
            if bids <= 0:
                waiting[kept] = i
                kept += 1
                break
            bids -= 1
            first, second, j, other, looks = best_two(
                values, lists, work, prices, i, np.bool_(True)
            )
            spent += 1 + 32 * looks
            if j < 0:
                waiting[kept] = i
                kept += 1
                break
            rise = first - second
            if other < 0:
                rise = first - first
                if owner[j] >= 0:
                    waiting[kept] = i
                    kept += 1
                    break
            elif not rise > 0 and owner[j] >= 0:
                j = other
                if owner[j] >= 0:
                    waiting[kept] = i
                    kept += 1
                    break
            i = award(auction, worth, i, j, first, rise)
    auction.counters[N_WAITING] = kept
    return True


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
