"""Candidate lists: the best columns of each row, and a threshold that no other column exceeds.

While prices only rise, the net value (benefit less price) of a column that is not in a row's list
stays at or below the row's threshold. So whatever the list says above the threshold is exact, and
the row is looked at as a whole only when it says nothing there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.exact.listing import refill
from prunus.assignment.rows.blocks import best_of_row
from prunus.assignment.rows.two import put
from prunus.assignment.rows.values import Values, row_of
from prunus.hardware.jit.compiled import inner

__all__ = [
    "Lists",
    "best_listed",
    "best_of_list",
    "best_two",
    "empty_lists",
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
def best_listed(lists: Any, prices: Any, i: Any, lowest: Any):  # type: ignore[no-untyped-def]
    """Return the best and the second best net value of a row, the best column, and if it is sure.

    From the list alone.
    """
    start, end = lists.start[i], lists.start[i] + lists.length[i]
    first, second, j, _ = best_of_list(lists, prices, start, end, lowest)
    return first, second, j, j >= 0 and second >= lists.threshold[i]


@inner
def best_of_list(lists: Any, prices: Any, start: Any, end: Any, lowest: Any):  # type: ignore[no-untyped-def]
    first = second = lowest
    j1 = j2 = -1
    for q in range(start, end):
        j = np.int64(lists.columns[q])
        x = lists.benefits[q] - prices[j]
        first, second, j1, j2 = put(x, j, first, second, j1, j2)
    return first, second, j1, j2
