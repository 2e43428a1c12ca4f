"""Looking at a whole row: the best net values, by the maxima of blocks of its columns.

Block c holds every ``blocks``-th column from c on, so that the maxima of all blocks take a loop
over contiguous memory, which is vectorised.
"""

from __future__ import annotations

from prunus.hardware.jit.compiled import inlined, inner, reducing
from prunus.model.arrays import AnyArray, Number

# The best two of many net values, as they come: a bid needs both.


@inlined
def insert_best_two(
    x: Number, j: int, first: Number, second: Number, j1: int, j2: int
) -> tuple[Number, Number, int, int]:
    """Put value x of column j in its place among the best two; of equal ones the earlier stays."""
    if x > second:
        if x > first:
            return x, first, j, j1
        return first, x, j1, j
    return first, second, j1, j2


@reducing
def least_and_most(top: AnyArray, lowest: Number, highest: Number) -> tuple[Number, Number]:
    """Return the least value above ``lowest`` and the largest."""
    least, most = highest, lowest
    for c in range(top.shape[0]):
        x = top[c]
        most = max(most, x)
        least = min(least, x if x > lowest else highest)
    return least, most


@inner
def block_maxima(sign: Number, row: AnyArray, prices: AnyArray, top: AnyArray, blocks: int) -> None:
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
def level_above(top: AnyArray, blocks: int, low: Number, high: Number, wanted: int) -> Number:
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
def best_two_in_row(
    sign: Number, row: AnyArray, prices: AnyArray, top: AnyArray, lowest: Number
) -> tuple[Number, Number, int, int]:
    """Look at the two blocks with the largest maxima: the best two columns are in them."""
    m = prices.shape[0]
    blocks = min(m, max(16, (m + 15) // 16))
    block_maxima(sign, row, prices, top, blocks)
    first = second = lowest
    c1 = c2 = -1
    for c in range(blocks):
        x = top[c]
        first, second, c1, c2 = insert_best_two(x, c, first, second, c1, c2)
    first = second = lowest
    j1 = j2 = -1
    for c in (c1, c2):
        if c < 0:
            continue
        for j in range(c, m, blocks):
            x = sign * row[j] - prices[j]
            first, second, j1, j2 = insert_best_two(x, j, first, second, j1, j2)
    return first, second, j1, j2
