"""Row reduction on the host, from ranked lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.assignment.exact.ranked import best_ranked
from prunus.assignment.exact.reduction import take
from prunus.hardware.jit.compiled import outer

__all__ = ["reduce_ranked"]


@outer
def reduce_ranked(  # type: ignore[no-untyped-def]
    ranked: Any, market: Any, worth: Any, lowest: Any, most: Any
):
    """Let waiting rows bid with ε = 0 (Jonker and Volgenant's augmenting row reduction).

    Afterwards every row that has a column has its best one, and ``worth`` is its net value; the
    rest waits for paths. No more than ``most`` bids are made.
    """
    prices, owner = market.prices, market.owner
    waiting = market.waiting
    left, kept = market.figures[0], np.int64(0)
    for at in range(left):
        i = waiting[at]
        while i >= 0:
            first, second, j, other = best_ranked(ranked, prices, i, lowest)
            rise = first - second
            # Rows that tie are kept for the paths: bidding nothing against nothing would never end.
            if j >= 0 and not rise > 0 and owner[j] >= 0:
                j = other
                if j >= 0 and owner[j] >= 0:
                    j = np.int64(-1)
            if j < 0 or most <= 0:
                waiting[kept] = i
                kept += 1
                break
            most -= 1
            i = take(market, worth, i, j, first, rise)
    market.figures[0] = kept
