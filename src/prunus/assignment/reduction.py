"""Augmenting row reduction: before paths are searched, rows bid with ε = 0.

R. Jonker and A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear
assignment problems, Computing 38 (1987) 325-340.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.assignment.compiled import outer
from prunus.assignment.lists import best_two

__all__ = ["reduce_rows"]


@outer
def reduce_rows(  # type: ignore[no-untyped-def]
    values: Any, lists: Any, work: Any, market: Any, paths: Any, lowest: Any, bids: Any
):
    """Let waiting rows bid with ε = 0, at most ``bids`` times; return how many still wait.

    Afterwards every row that has a column has its best one, and the rest waits for ``augment``.
    A row that has no column at all to bid for waits too.
    """
    prices, owner, column = market.prices, market.owner, market.column
    waiting, worth = market.waiting, paths.worth
    left = market.figures[0]
    kept = 0
    at = 0
    # The stack is turned into a list to go through; rows that are turned out go on at once, and
    # those that tie are kept for the paths: bidding nothing against nothing would never end.
    while at < left:
        i = waiting[at]
        at += 1
        while i >= 0:
            if bids <= 0:
                waiting[kept] = i
                kept += 1
                break
            bids -= 1
            first, second, j, other, _ = best_two(
                values, lists, work, prices, i, lowest, np.bool_(True)
            )
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
            before = owner[j]
            if before >= 0:
                # Only what is fought for becomes dearer: a free column keeps its price.
                prices[j] += rise
                worth[i] = first - rise
                column[before] = -1
            else:
                worth[i] = first
            owner[j] = i
            column[i] = j
            i = before
    market.figures[0] = kept
    return kept
