"""Augmenting row reduction: before paths are searched, rows bid with ε = 0.

R. Jonker and A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear
assignment problems, Computing 38 (1987) 325-340.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.exact.lists import best_two
from prunus.hardware.jit.compiled import inner, outer

__all__ = ["new_course", "reduce_rows", "take"]


def new_course(bids: int) -> NDArray[np.int64]:
    """Return where row reduction stands at its beginning, if it may take so many bids.

    That is: which of the waiting rows is next, how many of those before it are kept for the paths,
    the row that bids at the moment, -1 for none, and the bids that are left.
    """
    return np.array([0, 0, -1, bids])


@inner
def take(market: Any, worth: Any, i: Any, j: Any, first: Any, rise: Any):  # type: ignore[no-untyped-def]
    """Give row i column j, its best one with net value ``first``; return who had it, or -1."""
    before = market.owner[j]
    if before >= 0:
        # Only what is fought for becomes dearer: a free column keeps its price.
        market.prices[j] += rise
        worth[i] = first - rise
        market.column[before] = -1
    else:
        worth[i] = first
    market.owner[j] = i
    market.column[i] = j
    return before


@outer
def reduce_rows(  # type: ignore[no-untyped-def]
    values: Any,
    lists: Any,
    work: Any,
    market: Any,
    paths: Any,
    lowest: Any,
    course: Any,
    budget: Any,
):
    """Let waiting rows bid with ε = 0, as often as ``course`` says; return whether that is done.

    After ``budget`` looks at whole rows it pauses; a bid counts as a thirty-second part of one.
    Afterwards every row that has a column has its best one, and the rest waits for ``augment``.
    A row that has no column at all to bid for waits too.
    """
    prices, owner = market.prices, market.owner
    waiting, worth = market.waiting, paths.worth
    left = market.figures[0]
    at, kept, now, bids = course[0], course[1], course[2], course[3]
    spent = 0
    # The stack is turned into a list to go through; rows that are turned out go on at once, and
    # those that tie are kept for the paths: bidding nothing against nothing would never end.
    while at < left or now >= 0:
        i = now
        now = np.int64(-1)
        if i < 0:
            i = waiting[at]
            at += 1
        while i >= 0:
            if spent >= 32 * budget:
                course[0], course[1], course[2], course[3] = at, kept, i, bids
                return False
            if bids <= 0:
                waiting[kept] = i
                kept += 1
                break
            bids -= 1
            first, second, j, other, looks = best_two(
                values, lists, work, prices, i, lowest, np.bool_(True)
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
            i = take(market, worth, i, j, first, rise)
    market.figures[0] = kept
    return True
