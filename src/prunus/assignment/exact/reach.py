"""From a row of the tree to columns: those in its list, or all of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.assignment.exact.paths import rise
from prunus.assignment.rows.values import row_of
from prunus.hardware.jit.compiled import inner

__all__ = ["reach_all", "reach_listed"]


@inner
def _reach(  # type: ignore[no-untyped-def]
    market: Any, paths: Any, size: Any, search: Any, i: Any, j: Any, length: Any, cutoff: Any
):
    """Note a way to column j over row i if it is the shortest; return heap size and cutoff.

    Nothing longer than the way to a free column matters: that is the cutoff.
    """
    state = paths.state[j]
    if state == search + 1 or (state == search and paths.distance[j] <= length):
        return size, cutoff
    paths.distance[j] = length
    paths.parent[j] = i
    if state == search:
        rise(paths, paths.place[j], j)
    else:
        paths.state[j] = search
        rise(paths, size, j)
        size += 1
    if market.owner[j] < 0:
        cutoff = length
    return size, cutoff


@inner
def reach_listed(  # type: ignore[no-untyped-def]
    lists: Any,
    market: Any,
    paths: Any,
    size: Any,
    search: Any,
    t: Any,
    cutoff: Any,
    lowest: Any,
    highest: Any,
):
    """Go from row t of the tree to the columns in its list; set how far all others are at least."""
    i, offset = paths.row[t], paths.offset[t]
    far = offset + paths.worth[i]
    start = lists.start[i]
    for q in range(start, start + lists.length[i]):
        j = np.int64(lists.columns[q])
        length = far - (lists.benefits[q] - market.prices[j])
        length = offset if length < offset else length
        if length < cutoff:
            size, cutoff = _reach(market, paths, size, search, i, j, length, cutoff)
    beyond = lists.threshold[i]
    if lists.capacity == 0 or beyond == lowest:
        paths.least[t] = highest
    elif lists.length[i] == 0:
        paths.least[t] = offset
    else:
        paths.least[t] = far - beyond
    return size, cutoff


@inner
def reach_all(  # type: ignore[no-untyped-def]
    values: Any,
    work: Any,
    market: Any,
    paths: Any,
    size: Any,
    search: Any,
    t: Any,
    cutoff: Any,
    lowest: Any,
    highest: Any,
):
    """Go from row t of the tree to every column."""
    i, offset = paths.row[t], paths.offset[t]
    far = offset + paths.worth[i]
    at = row_of(values, work, i)
    matrix = values.matrix if values.metric < 0 else work.row
    row = matrix[at]
    for j in range(market.prices.shape[0]):
        x = values.sign * row[j] - market.prices[j]
        # A forbidden pair is at an infinite length, or at one that overflows: sort it out first.
        if x > lowest and far - x < cutoff:
            length = far - x
            length = offset if length < offset else length
            size, cutoff = _reach(market, paths, size, search, i, j, length, cutoff)
    paths.least[t] = highest
    return size, cutoff
