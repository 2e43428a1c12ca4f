"""The search for one shortest path from ranked lists, which waits where a list comes to its end.

As in `augmenting_paths`, but a row of the tree looks only at as much of its list as it has to:
beside the columns that it has reached, the heap holds the row itself, at the least distance that
the rest of its list can be at.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from prunus.assignment.exact.auction import N_WAITING, AuctionState
from prunus.assignment.exact.path_search import (
    N_PATH_SCANS,
    N_SEARCHES,
    N_TREE_ROWS,
    PathSearch,
    pop_nearest,
    raise_prices,
    sift_up,
)
from prunus.assignment.exact.ranked_lists import (
    HEAD,
    KEY,
    PORTION,
    WIDTH,
    RankedLists,
    best_two_ranked,
)
from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import Int64Array, Number

LEFT_FREE = -2
"""The owner of a column that stays free, at the least price of all."""

WHOLE = -2
"""The looks of a row of the tree from which every column was reached."""

ROOT, TREE_ROWS, CLOSED, HEAP_SIZE, TARGET, PLACE, EXTENDED = range(7)
"""Where a search stands that was interrupted: its root, -1 for none; how many rows the tree has,
how many columns are closed, the size of the heap; the nearest free column; the place in the tree of
the row whose list is at its end; whether lists are no longer those of the best candidates."""


def new_search_progress() -> Int64Array:
    """No search is under way."""
    progress = np.zeros(7, np.int64)
    progress[ROOT] = -1
    return progress


def new_ranked_search(
    rows: int, columns: int, price: DTypeLike, lowest: Number, highest: Number
) -> PathSearch:
    """Make the memory of searches; items from ``columns`` on are the tree's rows."""
    both = rows + columns + 2
    return PathSearch(
        np.zeros(rows, price),
        np.zeros(both, price),
        np.zeros(columns, np.int64),
        np.zeros(columns, np.int64),
        np.zeros(both, np.int64),
        np.zeros(both, price),
        np.zeros(both, np.int64),
        np.zeros(rows + 1, np.int64),
        np.zeros(rows + 1, price),
        np.zeros(1, price),
        np.zeros(rows + 1, np.int64),
        np.zeros(columns, np.int64),
        np.zeros(3, np.int64),
        lowest,
        highest,
    )


@inner
def reach(
    auction: AuctionState,
    paths: PathSearch,
    size: int,
    i: int,
    j: int,
    way: Number,
    cutoff: Number,
    target: int,
) -> tuple[int, Number, int]:
    """Note a way to column j over row i if it is the shortest; return as `_relax`."""
    if not way < cutoff:
        return size, cutoff, target
    search, state = 2 * paths.counters[N_SEARCHES], paths.state[j]
    if state == search + 1:
        return size, cutoff, target
    if auction.owner[j] < 0:
        if auction.owner[j] == LEFT_FREE:
            return size, cutoff, target
        paths.parent[j] = i
        return size, way, j
    if state != search:
        paths.distance[j] = way
        paths.parent[j] = i
        paths.state[j] = search
        sift_up(paths, size, j)
        size += 1
    elif way < paths.distance[j]:
        paths.distance[j] = way
        paths.parent[j] = i
        sift_up(paths, paths.place[j], j)
    return size, cutoff, target


@inner
def _relax(
    ranked: RankedLists,
    auction: AuctionState,
    paths: PathSearch,
    size: int,
    t: int,
    cutoff: Number,
    target: int,
) -> tuple[int, Number, int]:
    """Go from row t of the tree to the next portions of its list.

    Returns the size of the heap, the distance of the nearest free column, and that column.
    """
    words, values, as_prices = ranked.words, ranked.values, ranked.as_prices
    prices = auction.prices
    i, offset = paths.row[t], paths.offset[t]
    far = offset + paths.worth[i]
    begin = np.uint64(i) * np.uint64(ranked.size)
    item = np.uint64(values.itemsize)
    length = np.int64(words[(begin >> np.uint64(2)) + np.uint64(2)])
    row_budget = paths.looks[t]
    # One portion, later as many as there were before: who comes back often is far from the end.
    last = row_budget + max(1, row_budget)
    at = begin + np.uint64(HEAD) + np.uint64(row_budget) * np.uint64(ranked.step)
    left = length - row_budget * PORTION
    while True:
        columns = (at + np.uint64(KEY)) >> np.uint64(2)
        benefits = (at + np.uint64(KEY + WIDTH)) // item
        for e in range(np.uint64(max(0, min(left, PORTION)))):
            j: Any = np.int64(words[columns + e])
            way = far - (ranked.sign * values[benefits + e] - prices[j])
            way = offset if way < offset else way
            size, cutoff, target = reach(auction, paths, size, i, j, way, cutoff, target)
        row_budget += 1
        left -= PORTION
        at += np.uint64(ranked.step)
        if left <= 0 or row_budget >= last:
            break
    if left > 0:
        paths.looks[t] = row_budget
        way = far - as_prices[at >> np.uint64(3)]
    else:
        paths.looks[t] = -1
        way = far - as_prices[begin >> np.uint64(3)]
    way = offset if way < offset else way
    if way < cutoff:
        place = prices.shape[0] + t
        paths.distance[place] = way
        sift_up(paths, size, place)
        size += 1
    return size, cutoff, target


@inner
def _reach_by_price(
    auction: AuctionState, paths: PathSearch, floor: Number
) -> tuple[int, Number, int]:
    """Reach every column from the root of those that stay free, as far away as it is dear."""
    prices, owner, root = auction.prices, auction.owner, auction.column.shape[0]
    size: Any = np.int64(0)
    target: Any = np.int64(-1)
    cutoff = paths.highest
    # First those that are free: none of the others matters that is dearer.
    for k in range(auction.counters[N_WAITING]):
        j = auction.waiting[k]
        way = prices[j] - floor
        size, cutoff, target = reach(auction, paths, size, root, j, way, cutoff, target)
    for j in range(prices.shape[0]):
        if prices[j] - floor < cutoff and owner[j] >= 0:
            way = max(prices[j] - floor, floor - floor)
            size, cutoff, target = reach(auction, paths, size, root, j, way, cutoff, target)
    return size, cutoff, target


@inner
def find_path(
    ranked: RankedLists, auction: AuctionState, paths: PathSearch, progress: Int64Array
) -> int:
    """Find the shortest way from a row to a free column; return the column.

    -1 if a list has come to its end: ``progress`` says where, and the search goes on from there.
    -2 if there is no way. The root may be that of the columns that stay free, one beyond the rows:
    then ``offset`` of it is their price, and free columns wait to be matched.
    """
    m = auction.prices.shape[0]
    root, rows = progress[ROOT], progress[TREE_ROWS]
    closed, size = progress[CLOSED], progress[HEAP_SIZE]
    target: Any = progress[TARGET]
    cutoff, t = paths.least[0], progress[PLACE]
    if rows == 0:
        paths.counters[N_SEARCHES] += 1
    search = 2 * paths.counters[N_SEARCHES]
    if root == auction.column.shape[0] and rows == 0:
        size, cutoff, target = _reach_by_price(auction, paths, paths.offset[root])
    else:
        if rows == 0:
            first, _, best, _ = best_two_ranked(ranked, auction.prices, root, paths.lowest)
            if best < 0:
                return -1
            paths.worth[root] = first
            paths.row[0] = root
            paths.offset[0] = first - first
            paths.looks[0] = 0
            rows, target, cutoff, t = np.int64(1), np.int64(-1), paths.highest, np.int64(0)
        if paths.looks[t] != WHOLE:
            size, cutoff, target = _relax(ranked, auction, paths, size, t, cutoff, target)
    while size > 0:
        top = paths.heap[0]
        if not paths.distance[top] < cutoff:
            break
        size = pop_nearest(paths, size)
        if top >= m:
            t = top - m
            if paths.looks[t] < 0:
                paths.counters[N_PATH_SCANS] += 1
                progress[TREE_ROWS], progress[CLOSED], progress[HEAP_SIZE] = rows, closed, size
                progress[TARGET], progress[PLACE] = target, t
                paths.least[0] = cutoff
                return -1
        else:
            paths.state[top] = search + 1
            paths.done[closed] = top
            closed += 1
            t = rows
            paths.row[t] = auction.owner[top]
            paths.offset[t] = paths.distance[top]
            paths.looks[t] = 0
            rows += 1
        size, cutoff, target = _relax(ranked, auction, paths, size, t, cutoff, target)
    paths.counters[N_TREE_ROWS] += rows
    if target < 0:
        return -2
    raise_prices(auction, paths, cutoff, closed, rows)
    found: int = target
    return found
