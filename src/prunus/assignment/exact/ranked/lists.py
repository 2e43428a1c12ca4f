"""Ranked lists: the best columns of each row from the best down, as they were when it was listed.

A GPU makes them and the host works through them. Prices only rise: what a column was worth to a
row when the list was made is the most that it will ever be. So a search for the best of a row
looks at a few at the top of its list, and stops where none of the rest can be better.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from prunus.assignment.instance.row_maxima import insert_best_two
from prunus.hardware.jit.compiled import inner
from prunus.hardware.jit.prefetch import prefetch
from prunus.model.arrays import AnyArray, Int32Array, Number

PORTION = 16
"""Candidates that are looked at together."""

HEAD, KEY, WIDTH = 16, 8, 4 * PORTION
"""Bytes of the head of a record, of a portion's key, and of its columns."""

_LINE = 64
"""Bytes that come from memory together."""


class RankedLists(NamedTuple):
    """The lists of all rows, one record each, in one piece of memory that is seen in three ways.

    A record has the threshold of the row, its number of candidates, and its candidates in portions:
    the largest net value in the portion when the list was made, ``PORTION`` columns, and their
    values as they stand in the matrix.
    """

    words: Int32Array
    values: AnyArray
    as_prices: AnyArray
    """The memory as int32, as values, and as prices."""
    sign: Any
    """1 if values are benefits, -1 if they are costs; of the type of prices."""
    size: int
    """Bytes of a record."""
    step: int
    """Bytes of a portion."""


def record_size(listed: int, kind: DTypeLike) -> int:
    """Return the bytes of a record for so many candidates, a multiple of ``PORTION``."""
    return HEAD + listed // PORTION * (KEY + WIDTH + PORTION * np.dtype(kind).itemsize)


def lists_in_memory(
    memory: NDArray[np.uint8], listed: int, kind: DTypeLike, price: Any, sign: int
) -> RankedLists:
    """See records that stand in memory as ranked lists."""
    kind = np.dtype(kind)
    size = record_size(listed, kind)
    return RankedLists(
        memory.view(np.int32),
        memory.view(kind),
        memory.view(price),
        np.dtype(price).type(sign),
        size,
        (size - HEAD) // (listed // PORTION),
    )


@inner
def fetch_list(ranked: RankedLists, i: int) -> None:
    """Have the first portion of a list fetched that will be looked at soon."""
    begin = np.uint64(i) * np.uint64(ranked.size)
    for part in range(0, HEAD + ranked.step, _LINE):
        prefetch(ranked.words, (begin + np.uint64(part)) >> np.uint64(2))


@inner
def best_two_ranked(
    ranked: RankedLists, prices: AnyArray, i: int, lowest: Number
) -> tuple[Number, Number, int, int]:
    """Return the best and the second best net value of a row, and their columns.

    -1 for a column that is not known: then the threshold stands for the value, as no column outside
    the list has a larger one.
    """
    words, values, as_prices = ranked.words, ranked.values, ranked.as_prices
    begin = np.uint64(i) * np.uint64(ranked.size)
    item = np.uint64(values.itemsize)
    threshold = as_prices[begin >> np.uint64(3)]
    length = np.int64(words[(begin >> np.uint64(2)) + np.uint64(2)])
    first = second = lowest
    j1 = j2 = -1
    at = begin + np.uint64(HEAD)
    while length > 0:
        if as_prices[at >> np.uint64(3)] <= second:
            break
        columns = (at + np.uint64(KEY)) >> np.uint64(2)
        benefits = (at + np.uint64(KEY + WIDTH)) // item
        count: Any = min(length, PORTION)
        for e in range(np.uint64(count)):
            j = np.int64(words[columns + e])
            x = ranked.sign * values[benefits + e] - prices[j]
            first, second, j1, j2 = insert_best_two(x, j, first, second, j1, j2)
        length -= PORTION
        at += np.uint64(ranked.step)
    if length <= 0 and threshold > second:
        second, j2 = threshold, -1
        if threshold > first:
            first, j1 = threshold, -1
    return first, second, j1, j2
