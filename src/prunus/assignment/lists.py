"""Candidate lists: the best columns of each row, and a threshold that no other column exceeds.

While prices only rise, the net value (benefit less price) of a column that is not in a row's list
stays at or below the row's threshold. So whatever the list says above the threshold is exact, and
the row is looked at as a whole only when it says nothing there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.compiled import inner, outer
from prunus.assignment.values import Values, row_of

__all__ = [
    "Lists",
    "best_of_list",
    "best_of_row",
    "best_two",
    "empty_lists",
    "refill",
    "refill_many",
]


class Lists(NamedTuple):
    """Candidates of row i: entries ``start[i]`` to ``start[i] + length[i]``.

    Attributes
    ----------
    columns, benefits
        The candidates, unsorted.
    start, length
        Where they stand, and how many there are.
    threshold
        No other column of the row has a larger net value.
    wanted
        How many candidates a new list should have; it may have up to ``capacity``.
    capacity
        The room for a row; 0 where the lists hold all there is and are never made anew.
    """

    columns: NDArray[np.int32]
    benefits: NDArray[Any]
    start: NDArray[np.int64]
    length: NDArray[np.int64]
    threshold: NDArray[Any]
    wanted: int
    capacity: int


def empty_lists(values: Values, wanted: int) -> Lists:
    """Make lists that hold nothing yet, so that the first look at a row fills its list."""
    n, m = values.shape
    wanted = max(1, min(wanted, m))
    capacity = min(m, 2 * wanted + 32)
    highest = np.iinfo(np.int64).max if values.price == np.int64 else np.inf
    return Lists(
        np.empty(n * capacity, np.int32),
        np.empty(n * capacity, values.price),
        np.arange(n, dtype=np.int64) * capacity,
        np.zeros(n, np.int64),
        np.full(n, highest, values.price),
        wanted,
        capacity,
    )


@inner
def refill(values: Any, lists: Any, work: Any, prices: Any, i: Any, lowest: Any) -> Any:
    """Make the list of a row anew at the prices of now.

    The row is cut into blocks of every ``blocks``-th column; the maxima of the blocks are a loop
    over contiguous memory and find a threshold, and only blocks above it are looked at again.
    """
    m = prices.shape[0]
    row = row_of(values, work, i)
    matrix = values.matrix if values.metric < 0 else work.row
    sign, top = values.sign, work.top
    blocks = min(m, max(4 * lists.wanted, (m + 15) // 16))
    _block_maxima(sign, matrix[row], prices, top, blocks)
    best = lowest
    for c in range(blocks):
        best = top[c] if top[c] > best else best
    lists.length[i] = 0
    lists.threshold[i] = lowest
    if best == lowest:
        return
    least = best
    for c in range(blocks):
        if lowest < top[c] < least:
            least = top[c]
    least = _level(top, blocks, least, best, lists.wanted)
    while not _collect(sign, matrix, row, lists, prices, top, blocks, i, least):
        # Too many above the level: blocks tell little where neighbours in a block are alike.
        middle = least + prices.dtype.type(0.5 * (best - least))
        least = middle if least < middle < best else best


@inner
def _block_maxima(sign: Any, row: Any, prices: Any, top: Any, blocks: Any):  # type: ignore[no-untyped-def]
    """Find the largest net value of every ``blocks``-th column; slices let it be vectorised."""
    m = prices.shape[0]
    for c in range(blocks):
        top[c] = sign * row[c] - prices[c]
    for t in range(blocks, m, blocks):
        width = min(blocks, m - t)
        part = row[t : t + width]
        price = prices[t : t + width]
        for c in range(width):
            x = sign * part[c] - price[c]
            y = top[c]
            top[c] = x if x > y else y


@inner
def _level(top: Any, blocks: Any, low: Any, high: Any, wanted: Any):  # type: ignore[no-untyped-def]
    """Find a level that about ``wanted`` of the block maxima exceed, by bisection."""
    for _ in range(48):
        middle = low + top.dtype.type(0.5 * (high - low))
        if not low < middle < high:
            break
        above = 0
        for c in range(blocks):
            above += top[c] > middle
        if above < wanted:
            high = middle
            continue
        low = middle
        if 4 * above <= 5 * wanted:
            break
    return low


@inner
def _collect(  # type: ignore[no-untyped-def]
    sign: Any,
    matrix: Any,
    row: Any,
    lists: Any,
    prices: Any,
    top: Any,
    blocks: Any,
    i: Any,
    level: Any,
):
    """List what is above the level, and of what is just at it as much as there is room for."""
    m = prices.shape[0]
    at, end = lists.start[i], lists.start[i] + lists.capacity
    for c in range(blocks):
        if top[c] > level:
            for j in range(c, m, blocks):
                x = sign * matrix[row, j]
                if x - prices[j] > level:
                    if at == end:
                        return False
                    lists.columns[at] = j
                    lists.benefits[at] = x
                    at += 1
    if at - lists.start[i] < lists.wanted:
        for c in range(blocks):
            if top[c] >= level and at < end:
                for j in range(c, m, blocks):
                    x = sign * matrix[row, j]
                    if x - prices[j] == level and at < end:
                        lists.columns[at] = j
                        lists.benefits[at] = x
                        at += 1
    lists.length[i] = at - lists.start[i]
    lists.threshold[i] = level
    return True


@inner
def best_two(  # type: ignore[no-untyped-def]
    values: Any, lists: Any, work: Any, prices: Any, i: Any, lowest: Any, listing: Any
):
    """Return the best and the second best net value of a row, their columns, and the looks.

    From the list if that is certain, else from the whole row, of which a new list is made first if
    ``listing``. Looks is 0 if the list was enough, and else how often the row was gone through.
    """
    start, end = lists.start[i], lists.start[i] + lists.length[i]
    first, second, j1, j2 = best_of_list(lists, prices, start, end, lowest)
    if second >= lists.threshold[i] or lists.capacity == 0:
        return first, second, j1, j2, 0
    if listing:
        refill(values, lists, work, prices, i, lowest)
        start, end = lists.start[i], lists.start[i] + lists.length[i]
        first, second, j1, j2 = best_of_list(lists, prices, start, end, lowest)
        if second >= lists.threshold[i]:
            return first, second, j1, j2, 1
    row = row_of(values, work, i)
    matrix = values.matrix if values.metric < 0 else work.row
    first, second, j1, j2 = best_of_row(values.sign, matrix[row], prices, work.top, lowest)
    return first, second, j1, j2, 2 if listing else 1


@inner
def best_of_list(lists: Any, prices: Any, start: Any, end: Any, lowest: Any):  # type: ignore[no-untyped-def]
    first = second = lowest
    j1 = j2 = -1
    for q in range(start, end):
        j = lists.columns[q]
        x = lists.benefits[q] - prices[j]
        if x > second:
            if x > first:
                second, j2 = first, j1
                first, j1 = x, j
            else:
                second, j2 = x, j
    return first, second, j1, j2


@inner
def best_of_row(sign: Any, row: Any, prices: Any, top: Any, lowest: Any):  # type: ignore[no-untyped-def]
    """Look at the two blocks with the largest maxima: the best two columns are in them."""
    m = prices.shape[0]
    blocks = min(m, max(16, (m + 15) // 16))
    _block_maxima(sign, row, prices, top, blocks)
    first = second = lowest
    c1 = c2 = -1
    for c in range(blocks):
        x = top[c]
        if x > second:
            if x > first:
                second, c2 = first, c1
                first, c1 = x, c
            else:
                second, c2 = x, c
    first = second = lowest
    j1 = j2 = -1
    for c in (c1, c2):
        if c < 0:
            continue
        for j in range(c, m, blocks):
            x = sign * row[j] - prices[j]
            if x > second:
                if x > first:
                    second, j2 = first, j1
                    first, j1 = x, j
                else:
                    second, j2 = x, j
    return first, second, j1, j2


@outer
def refill_many(  # type: ignore[no-untyped-def]
    values: Any, lists: Any, work: Any, prices: Any, rows: Any, begin: Any, end: Any, lowest: Any
):
    """Make the lists of ``rows[begin:end]`` anew; several threads may do so at once."""
    for q in range(begin, end):
        refill(values, lists, work, prices, rows[q], lowest)
