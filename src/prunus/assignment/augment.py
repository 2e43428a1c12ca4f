"""Shortest augmenting paths over candidate lists: the exact end of every solve.

R. Jonker and A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear
assignment problems, Computing 38 (1987) 325-340: first rows take or bid for their best columns
with ε = 0 (augmenting row reduction), then each row that is left is matched along a shortest path
in reduced costs. The paths are searched in the lists; a whole row is looked at only where its
threshold is too weak to exclude a shorter way. Prices only rise, so thresholds stay true.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.compiled import inner, outer
from prunus.assignment.listing import refill
from prunus.assignment.lists import best_two
from prunus.assignment.values import Values, row_of

__all__ = ["Paths", "augment", "new_paths", "reduce_rows"]


class Paths(NamedTuple):
    """Working memory of the search for paths.

    Attributes
    ----------
    worth
        The best net value of each row that has a column: that of this column.
    distance, parent, state
        Of the columns: the length of the shortest way found, the row it came from, and in which
        search: twice the number of the search, plus one once the length is final.
    heap, place
        The open columns as a binary heap by length, and where in it each is.
    row, offset, least, looks
        The rows of the tree, how long the way to each is, how long at least a way over any of its
        columns is that is not in its list, and how often its list was made anew.
    done
        The columns whose length is final.
    figures
        Searches so far; whole rows looked at; rows in all trees.
    """

    worth: NDArray[Any]
    distance: NDArray[Any]
    parent: NDArray[np.int64]
    state: NDArray[np.int64]
    heap: NDArray[np.int64]
    place: NDArray[np.int64]
    row: NDArray[np.int64]
    offset: NDArray[Any]
    least: NDArray[Any]
    looks: NDArray[np.int64]
    done: NDArray[np.int64]
    figures: NDArray[np.int64]


def new_paths(values: Values) -> Paths:
    """Make the arrays."""
    n, m = values.shape
    kind = values.price
    rows, columns = n + 1, m + 1
    return Paths(
        np.zeros(rows, kind),
        np.zeros(columns, kind),
        np.zeros(columns, np.int64),
        np.zeros(columns, np.int64),
        np.zeros(columns, np.int64),
        np.zeros(columns, np.int64),
        np.zeros(rows, np.int64),
        np.zeros(rows, kind),
        np.zeros(rows, kind),
        np.zeros(rows, np.int64),
        np.zeros(columns, np.int64),
        np.zeros(3, np.int64),
    )


@outer
def reduce_rows(  # type: ignore[no-untyped-def]
    values: Any, lists: Any, work: Any, market: Any, paths: Any, lowest: Any, bids: Any
):
    """Let waiting rows bid with ε = 0, at most ``bids`` times; return how many still wait.

    Afterwards every row that has a column has its best one, and the rest waits for ``augment``.
    A row that has no column at all to bid for waits too.
    """
    prices, owner, column = market.prices, market.owner, market.column
    waiting, worth = market.waiting, paths.worth
    left = market.figures[0]
    kept = 0
    at = 0
    # The stack is turned into a list to go through; rows that are turned out go on at once, and
    # those that tie are kept for the paths: bidding nothing against nothing would never end.
    while at < left:
        i = waiting[at]
        at += 1
        while i >= 0:
            if bids <= 0:
                waiting[kept] = i
                kept += 1
                break
            bids -= 1
            first, second, j, other, _ = best_two(
                values, lists, work, prices, i, lowest, np.bool_(True)
            )
            if j < 0:
                waiting[kept] = i
                kept += 1
                break
            rise = first - second
            if other < 0:
                rise = first - first
                if owner[j] >= 0:
                    waiting[kept] = i
                    kept += 1
                    break
            elif not rise > 0 and owner[j] >= 0:
                j = other
                if owner[j] >= 0:
                    waiting[kept] = i
                    kept += 1
                    break
            before = owner[j]
            if before >= 0:
                # Only what is fought for becomes dearer: a free column keeps its price.
                prices[j] += rise
                worth[i] = first - rise
                column[before] = -1
            else:
                worth[i] = first
            owner[j] = i
            column[i] = j
            i = before
    market.figures[0] = kept
    return kept


@inner
def _rise(paths: Any, at: Any, j: Any):  # type: ignore[no-untyped-def]
    """Put column j into the heap at ``at`` or above."""
    heap, place, distance = paths.heap, paths.place, paths.distance
    key = distance[j]
    while at > 0:
        up = (at - 1) >> 1
        other = heap[up]
        if distance[other] <= key:
            break
        heap[at] = other
        place[other] = at
        at = up
    heap[at] = j
    place[j] = at


@inner
def _pop(paths: Any, size: Any):  # type: ignore[no-untyped-def]
    """Take the first column away, which the caller has read; return the new size."""
    heap, place, distance = paths.heap, paths.place, paths.distance
    size -= 1
    last = heap[size]
    key = distance[last]
    at = 0
    while True:
        down = 2 * at + 1
        if down >= size:
            break
        if down + 1 < size and distance[heap[down + 1]] < distance[heap[down]]:
            down += 1
        other = heap[down]
        if distance[other] >= key:
            break
        heap[at] = other
        place[other] = at
        at = down
    heap[at] = last
    place[last] = at
    return size


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
        _rise(paths, paths.place[j], j)
    else:
        paths.state[j] = search
        _rise(paths, size, j)
        size += 1
    if market.owner[j] < 0:
        cutoff = length
    return size, cutoff


@inner
def _reach_listed(  # type: ignore[no-untyped-def]
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
def _reach_all(  # type: ignore[no-untyped-def]
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


@inner
def _search(  # type: ignore[no-untyped-def]
    values: Any,
    lists: Any,
    work: Any,
    market: Any,
    paths: Any,
    root: Any,
    lowest: Any,
    highest: Any,
):
    """Find the shortest way from a row to a free column; return the column, or -1 if none is."""
    paths.figures[0] += 1
    search = 2 * paths.figures[0]
    first, _, _, _, looks = best_two(
        values, lists, work, market.prices, root, lowest, np.bool_(True)
    )
    paths.figures[1] += looks
    paths.worth[root] = first
    paths.row[0] = root
    paths.offset[0] = first - first if first > lowest else 0
    paths.looks[0] = looks
    rows, closed, size = np.int64(1), np.int64(0), np.int64(0)
    size, cutoff = _reach_listed(
        lists, market, paths, size, search, rows - 1, highest, lowest, highest
    )
    floor = paths.least[0]
    found = -1
    while True:
        if size == 0 or paths.distance[paths.heap[0]] > floor:
            if floor >= cutoff and size == 0:
                break
            t = np.int64(0)
            for k in range(1, rows):
                if paths.least[k] < paths.least[t]:
                    t = k
            paths.figures[1] += 1
            if paths.looks[t] == 0:
                refill(values, lists, work, market.prices, paths.row[t], lowest)
                size, cutoff = _reach_listed(
                    lists, market, paths, size, search, t, cutoff, lowest, highest
                )
            else:
                size, cutoff = _reach_all(
                    values, work, market, paths, size, search, t, cutoff, lowest, highest
                )
            paths.looks[t] += 1
            floor = paths.least[0]
            for k in range(1, rows):
                floor = min(floor, paths.least[k])
            continue
        j = paths.heap[0]
        if market.owner[j] < 0:
            found = j
            break
        size = _pop(paths, size)
        paths.state[j] = search + 1
        paths.done[closed] = j
        closed += 1
        paths.row[rows] = market.owner[j]
        paths.offset[rows] = paths.distance[j]
        paths.looks[rows] = 0
        size, cutoff = _reach_listed(
            lists, market, paths, size, search, rows, cutoff, lowest, highest
        )
        floor = min(floor, paths.least[rows])
        rows += 1
    paths.figures[2] += rows
    if found >= 0:
        length = paths.distance[found]
        for q in range(closed):
            market.prices[paths.done[q]] += length - paths.distance[paths.done[q]]
        for t in range(rows):
            paths.worth[paths.row[t]] -= length - paths.offset[t]
    return found


@outer
def augment(  # type: ignore[no-untyped-def]
    values: Any,
    lists: Any,
    work: Any,
    market: Any,
    paths: Any,
    lowest: Any,
    highest: Any,
    budget: Any,
):
    """Match waiting rows along shortest paths until none waits or ``budget`` looks are spent.

    Returns 1 if none waits, 0 if there is more to do, -1 if a row cannot be matched, and -2 if
    prices get too large for int64.
    """
    end = paths.figures[1] + paths.figures[2] // 16 + budget
    left = market.figures[0]
    while left > 0:
        root = market.waiting[left - 1]
        j = _search(values, lists, work, market, paths, root, lowest, highest)
        if j < 0:
            return -1
        if paths.distance[j] > highest // 4:
            return -2
        left -= 1
        market.figures[0] = left
        while True:
            i = paths.parent[j]
            before = market.column[i]
            market.owner[j] = i
            market.column[i] = j
            if i == root:
                break
            j = before
        if paths.figures[1] + paths.figures[2] // 16 > end:
            break
    return 1 if left == 0 else 0
