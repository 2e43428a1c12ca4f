"""Prices and the assignment as the host goes on with what a GPU has found."""

from __future__ import annotations

from typing import NamedTuple

from prunus.model.arrays import AnyArray, Int64Array

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
