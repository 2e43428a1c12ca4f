"""Making a candidate list: the columns of a row whose net values are above a level.

The row is cut into blocks of every ``blocks``-th column. The maxima of the blocks take a loop over
contiguous memory; they give a level that about as many columns exceed as are wanted, and only
blocks above it are looked at again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import uintp

from prunus.assignment.rows.blocks import block_maxima, extremes, level_of
from prunus.assignment.rows.values import row_of
from prunus.hardware.jit.compiled import inner, outer

__all__ = ["refill", "refill_many"]


@inner
def refill(values: Any, lists: Any, work: Any, prices: Any, i: Any, lowest: Any) -> Any:
    """Make the list of a row anew at the prices of now."""
    m = prices.shape[0]
    row = row_of(values, work, i)
    matrix = values.matrix if values.metric < 0 else work.row
    sign, top = values.sign, work.top
    blocks = min(m, max(4 * lists.wanted, (m + 15) // 16))
    block_maxima(sign, matrix[row], prices, top, blocks)
    least, best = extremes(top[:blocks], lowest, -lowest)
    lists.length[i] = 0
    lists.threshold[i] = lowest
    if best == lowest:
        return
    least = level_of(top, blocks, least, best, lists.wanted)
    while not _collect(sign, matrix[row], lists, prices, work, blocks, i, least):
        # Too many above the level: blocks tell little where neighbours in a block are alike.
        middle = least + prices.dtype.type(0.5 * (best - least))
        least = middle if least < middle < best else best


@inner
def _collect(  # type: ignore[no-untyped-def]
    sign: Any, row: Any, lists: Any, prices: Any, work: Any, blocks: Any, i: Any, level: Any
):
    """List what is above the level; return whether there was room for it."""
    at = _collect_above(sign, row, lists, prices, work, blocks, i, level)
    if at < 0:
        return False
    if at - lists.start[i] < lists.wanted:
        at = _collect_level(sign, row, lists, prices, work.top, blocks, i, level, at)
    lists.length[i] = at - lists.start[i]
    lists.threshold[i] = level
    return True


@inner
def _collect_above(  # type: ignore[no-untyped-def]
    sign: Any, row: Any, lists: Any, prices: Any, work: Any, blocks: Any, i: Any, level: Any
):
    """Return the end of the list, -1 if there was no room.

    Hits are too irregular to be predicted: everything is written, and only what is a hit is kept.
    Unsigned indices spare the test for those that count from the end.
    """
    m = uintp(prices.shape[0])
    step = uintp(blocks)
    top, hot = work.top, work.hot
    columns, benefits = lists.columns, lists.benefits
    at, end = uintp(lists.start[i]), uintp(lists.start[i] + lists.capacity)
    count = uintp(0)
    for c in range(blocks):
        hot[count] = c
        count += uintp(top[c] > level)
    width = (m + step - uintp(1)) // step
    for k in range(count):
        if at + width > end:
            return -1
        j = uintp(hot[k])
        while j < m:
            x = sign * row[j]
            columns[at] = j
            benefits[at] = x
            at += uintp(x - prices[j] > level)
            j += step
    return np.int64(at)


@inner
def _collect_level(  # type: ignore[no-untyped-def]
    sign: Any,
    row: Any,
    lists: Any,
    prices: Any,
    top: Any,
    blocks: Any,
    i: Any,
    level: Any,
    at: Any,
):
    """Add what is just at the level, as much as there is room for; return the end of the list."""
    m = prices.shape[0]
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
def refill_many(  # type: ignore[no-untyped-def]
    values: Any, lists: Any, work: Any, prices: Any, rows: Any, begin: Any, end: Any, lowest: Any
):
    """Make the lists of ``rows[begin:end]`` anew; several threads may do so at once."""
    for q in range(begin, end):
        refill(values, lists, work, prices, rows[q], lowest)
