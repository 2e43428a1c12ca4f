"""A batch of rows that several threads evaluate at the same prices.

One thread fills the batch; its helpers, and it too, take rows from it a few at a time. Nothing
depends on which thread evaluates what, so the answers are the same for any number of threads.
Helpers wait in a loop that costs a core but wakes up at once, since a batch takes microseconds; one
that finds nothing to do for long leaves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.assignment.exact.lists.atomic import add, load, pause, store
from prunus.assignment.exact.lists.candidate_lists import CandidateLists, best_two
from prunus.assignment.instance.benefits import Benefits, RowScratch
from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import AnyArray, Int64Array

BATCH = 16
"""How many rows are evaluated at the same prices: with more, too many bid for what is just gone."""

_PORTION = 4
_PATIENCE = 20_000
_STALL = 5_000
_LINE = 8

_TICKET, _DONE, HELPERS, STOP = (_LINE * k for k in range(4))
"""Where the words are that `BidBatch.words` tells of."""


ROW, MAKE_LIST, COLUMN, SCANS, NEXT_BIDDER, HAD_LIST = range(6)
"""Columns of `BidBatch.item`."""

MARGIN, PRICE = range(2)
"""Columns of `BidBatch.money`."""


class BidBatch(NamedTuple):
    """The batch; every entry has a cache line for itself."""

    item: Int64Array
    """Shape (BATCH, 8): the row, and whether a list is worth making; then its best column, and how
    often the row was gone through. The rest is for the bidding thread."""
    money: AnyArray
    """Shape (BATCH, 8): how much more the best column is worth than the second best, and its
    price."""
    words: Int64Array
    """Shared between threads: the number of the batch, its size and how many rows are taken, in one
    word; how many are done; how many helpers there are; whether to stop."""

    def open(self) -> None:
        """Let helpers come."""
        self.words[:] = 0

    def close(self) -> None:
        """Send helpers away."""
        self.words[STOP] |= 1

    @property
    def stalled(self) -> bool:
        """Whether helpers were sent away because one of them was waited for too long."""
        return bool(self.words[STOP] > 1)


def new_bid_batch(values: Benefits) -> BidBatch:
    """Make the arrays."""
    return BidBatch(
        np.zeros((BATCH, _LINE), np.int64),
        np.zeros((BATCH, _LINE), values.price),
        np.zeros(4 * _LINE, np.int64),
    )


@inner
def _evaluate_some(
    values: Benefits,
    lists: CandidateLists,
    work: RowScratch,
    prices: AnyArray,
    batch: BidBatch,
    begin: int,
    end: int,
) -> None:
    item, money = batch.item, batch.money
    for q in range(begin, end):
        first, second, j, _, looks = best_two(
            values, lists, work, prices, item[q, ROW], item[q, MAKE_LIST] > 0
        )
        item[q, COLUMN] = j
        item[q, SCANS] = looks
        money[q, MARGIN] = first - second
        money[q, PRICE] = prices[j]


@inner
def _claim(words: Int64Array) -> tuple[int, int]:
    """Take some rows of the batch: return the first and the end, both 0 if there are none left."""
    ticket = load(words, _TICKET)
    if (ticket & 255) < ((ticket >> 8) & 255):
        # What was added to is the newest batch, whichever that is by now.
        ticket = add(words, _TICKET, _PORTION)
        begin, size = ticket & 255, (ticket >> 8) & 255
        if begin < size:
            return begin, min(begin + _PORTION, size)
    return 0, 0


@inner
def evaluate(
    values: Benefits,
    lists: CandidateLists,
    work: RowScratch,
    prices: AnyArray,
    batch: BidBatch,
    size: int,
) -> None:
    """Evaluate the first ``size`` rows of the batch, with the helpers there are."""
    words = batch.words
    alone = size <= _PORTION or load(words, HELPERS) == 0 or load(words, STOP) != 0
    begin, end = np.int64(0), size
    if not alone:
        store(words, _DONE, 0)
        store(words, _TICKET, (((load(words, _TICKET) >> 16) + 1) << 16) | (size << 8))
        begin, end = _claim(words)
    while begin < end:
        _evaluate_some(values, lists, work, prices, batch, begin, end)
        if alone:
            return
        add(words, _DONE, end - begin)
        begin, end = _claim(words)
    waited = 0
    while load(words, _DONE) < size:
        waited += 1
        pause()
    if waited > _STALL:
        # A helper was put to sleep by the system: cores are scarce, do without.
        store(words, STOP, 2)


@outer
def assist(
    values: Benefits, lists: CandidateLists, work: RowScratch, prices: AnyArray, batch: BidBatch
) -> None:
    """Help to evaluate until told to stop, or until there is nothing to do for long."""
    words = batch.words
    add(words, HELPERS, 1)
    idle = 0
    while idle < _PATIENCE and load(words, STOP) == 0:
        begin, end = _claim(words)
        if begin < end:
            _evaluate_some(values, lists, work, prices, batch, begin, end)
            add(words, _DONE, end - begin)
            idle = 0
        else:
            idle += 1
            pause()
    add(words, HELPERS, -1)
