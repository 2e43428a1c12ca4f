"""Candidate lists: the best columns of each row, and a threshold that no other column exceeds.

While prices only rise, the net value (benefit less price) of a column that is not in a row's list
stays at or below the row's threshold. So whatever the list says above the threshold is exact, and
the row is looked at as a whole only when it says nothing there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.assignment.instance.benefits import Benefits, RowScratch, locate_row
from prunus.assignment.instance.row_maxima import (
    best_two_in_row,
    block_maxima,
    insert_best_two,
    least_and_most,
    level_above,
)
from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import AnyArray, Int32Array, Int64Array, Number


class CandidateLists(NamedTuple):
    """Candidates of row i: entries ``start[i]`` to ``start[i] + length[i]``.

    Lists that hold all there is have a capacity of 0 and are never made anew: all pairs of row i
    stand from ``start[i]`` to ``start[i + 1]``, the candidates at the front.
    """

    columns: Int32Array
    benefits: AnyArray
    """The candidates, unsorted."""
    start: Int64Array
    length: Int64Array
    """Where they stand, and how many there are."""
    threshold: AnyArray
    """No other column of the row has a larger net value."""
    wanted: int
    """How many candidates a new list should have; it may have up to ``capacity``."""
    capacity: int
    """The room for a row."""


def new_candidate_lists(values: Benefits, wanted: int) -> CandidateLists:
    """Make lists that hold nothing yet, so that the first look at a row fills its list."""
    n, m = values.shape
    wanted = max(1, min(wanted, m))
    capacity = min(m, 2 * wanted + 32)
    highest = np.iinfo(np.int64).max if values.price == np.int64 else np.inf
    return CandidateLists(
        np.empty(n * capacity, np.int32),
        np.empty(n * capacity, values.price),
        np.arange(n, dtype=np.int64) * capacity,
        np.zeros(n, np.int64),
        np.full(n, highest, values.price),
        wanted,
        capacity,
    )


@inner
def best_two(
    values: Benefits,
    lists: CandidateLists,
    work: RowScratch,
    prices: AnyArray,
    i: int,
    listing: bool,
) -> tuple[Number, Number, int, int, int]:
    """Return the best and the second best net value of a row, their columns, and the looks.

    From the list if that is certain, else from the whole row, of which a new list is made first if
    ``listing``. Looks is 0 if the list was enough, and else how often the row was gone through.
    """
    lowest = values.lowest
    start, end = lists.start[i], lists.start[i] + lists.length[i]
    first, second, j1, j2 = best_two_in_list(lists, prices, start, end, lowest)
    if second >= lists.threshold[i]:
        return first, second, j1, j2, 0
    if listing:
        rebuild_list(values, lists, work, prices, i)
        start, end = lists.start[i], lists.start[i] + lists.length[i]
        first, second, j1, j2 = best_two_in_list(lists, prices, start, end, lowest)
        if second >= lists.threshold[i]:
            return first, second, j1, j2, 1
    row = locate_row(values, work, i)
    matrix = values.matrix if values.metric < 0 else work.row
    first, second, j1, j2 = best_two_in_row(values.sign, matrix[row], prices, work.top, lowest)
    return first, second, j1, j2, 2 if listing else 1


@inner
def best_two_if_certain(
    lists: CandidateLists, prices: AnyArray, i: int, lowest: Number
) -> tuple[Number, Number, int, bool]:
    """Return the best and the second best net value of a row, the best column, and if it is sure.

    From the list alone.
    """
    start, end = lists.start[i], lists.start[i] + lists.length[i]
    first, second, j, _ = best_two_in_list(lists, prices, start, end, lowest)
    return first, second, j, j >= 0 and second >= lists.threshold[i]


@inner
def best_two_in_list(
    lists: CandidateLists, prices: AnyArray, start: int, end: int, lowest: Number
) -> tuple[Number, Number, int, int]:
    first = second = lowest
    j1 = j2 = -1
    # Unsigned indices spare the test for those that count from the end.
    for q in range(np.uintp(start), np.uintp(end)):
        j = np.int64(lists.columns[q])
        x = lists.benefits[q] - prices[np.uintp(j)]
        first, second, j1, j2 = insert_best_two(x, j, first, second, j1, j2)
    return first, second, j1, j2


# Making a candidate list: the columns of a row whose net values are above a level.
#
# The row is cut into blocks of every ``blocks``-th column. The maxima of the blocks take a loop
# over contiguous memory; they give a level that about as many columns exceed as are wanted, and
# only blocks above it are looked at again.


@inner
def rebuild_list(
    values: Benefits, lists: CandidateLists, work: RowScratch, prices: AnyArray, i: int
) -> None:
    """Rebuild the list of a row at the current prices."""
    lowest = values.lowest
    m = prices.shape[0]
    row = locate_row(values, work, i)
    matrix = values.matrix if values.metric < 0 else work.row
    sign, top = values.sign, work.top
    blocks = min(m, max(4 * lists.wanted, (m + 15) // 16))
    block_maxima(sign, matrix[row], prices, top, blocks)
    least, best = least_and_most(top[:blocks], lowest, -lowest)
    lists.length[i] = 0
    lists.threshold[i] = lowest
    if best == lowest:
        return
    least = level_above(top, blocks, least, best, lists.wanted)
    while not _collect(sign, matrix[row], lists, prices, work, blocks, i, least):
        # Too many above the level: blocks tell little where neighbours in a block are alike.
        middle = least + prices.dtype.type(0.5 * (best - least))
        least = middle if least < middle < best else best


@inner
def _collect(
    sign: Number,
    row: AnyArray,
    lists: CandidateLists,
    prices: AnyArray,
    work: RowScratch,
    blocks: int,
    i: int,
    level: Number,
) -> bool:
    """List what is above the level; return whether there was room for it."""
    at = _collect_above(sign, row, lists, prices, work, blocks, i, level)
    if at < 0:
        return False
    if at - lists.start[i] < lists.wanted:
        at = _collect_level(sign, row, lists, prices, work.top[:blocks], i, level, at)
    lists.length[i] = at - lists.start[i]
    lists.threshold[i] = level
    return True


@inner
def _collect_above(
    sign: Number,
    row: AnyArray,
    lists: CandidateLists,
    prices: AnyArray,
    work: RowScratch,
    blocks: int,
    i: int,
    level: Number,
) -> int:
    """Return the end of the list, -1 if there was no room.

    Hits are too irregular to be predicted: everything is written, and only what is a hit is kept.
    Unsigned indices spare the test for those that count from the end.
    """
    m = np.uintp(prices.shape[0])
    step = np.uintp(blocks)
    top, hot = work.top, work.hot
    columns, benefits = lists.columns, lists.benefits
    at, end = np.uintp(lists.start[i]), np.uintp(lists.start[i] + lists.capacity)
    count = np.uintp(0)
    for c in range(blocks):
        hot[count] = c
        count += np.uintp(top[c] > level)
    width = (m + step - np.uintp(1)) // step
    for k in range(count):
        if at + width > end:
            return -1
        j = np.uintp(hot[k])
        while j < m:
            x = sign * row[j]
            columns[at] = j
            benefits[at] = x
            at += np.uintp(x - prices[j] > level)
            j += step
    return np.int64(at)  # type: ignore[return-value]


@inner
def _collect_level(
    sign: Number,
    row: AnyArray,
    lists: CandidateLists,
    prices: AnyArray,
    top: AnyArray,
    i: int,
    level: Number,
    at: int,
) -> int:
    """Add what is just at the level, as much as there is room for; return the end of the list."""
    m, blocks = prices.shape[0], top.shape[0]
    end = lists.start[i] + lists.capacity
    for c in range(blocks):
        if top[c] >= level and at < end:
            for j in range(c, m, blocks):
                x = sign * row[j]
                if x - prices[j] == level and at < end:
                    lists.columns[at] = j
                    lists.benefits[at] = x
                    at += 1
    return at


@outer
def rebuild_lists(
    values: Benefits,
    lists: CandidateLists,
    work: RowScratch,
    prices: AnyArray,
    rows: Int64Array,
    begin: int,
    end: int,
) -> None:
    """Make the lists of ``rows[begin:end]`` anew; several threads may do so at once."""
    for q in range(begin, end):
        rebuild_list(values, lists, work, prices, rows[q])
