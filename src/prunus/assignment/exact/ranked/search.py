"""The search for one shortest path from ranked lists, which waits where a list comes to its end.

As in `augmenting_paths`, but a row of the tree looks only at as much of its list as it has to:
beside the columns that it has reached, the heap holds the row itself, at the least distance that
the rest of its list can be at. Many a column is no farther away than the row it is reached from:
it is final at once, and does without the heap.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from prunus.assignment.exact.lists.auction import N_WAITING, AuctionState
from prunus.assignment.exact.lists.path_search import (
    N_PATH_SCANS,
    N_SEARCHES,
    N_TREE_ROWS,
    PathSearch,
    open_column,
    pop_nearest,
    raise_prices,
    sift_up,
)
from prunus.assignment.exact.ranked.lists import (
    HEAD,
    KEY,
    PORTION,
    WIDTH,
    RankedLists,
    best_two_ranked,
    fetch_list,
)
from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import Int64Array, Number

LEFT_FREE = -2
"""The owner of a column that stays free, at the least price of all."""

WHOLE = -2
"""The looks of a row of the tree from which every column was reached."""

N_CLOSED, N_OPEN = 3, 4
"""More places in `PathSearch.counters`: how many columns are at a distance that is final; the size
of the heap."""

ROOT, TREE_ROWS, TARGET, PLACE, EXTENDED = range(5)
"""Where a search stands that was interrupted: its root, -1 for none; how many rows the tree has;
the nearest free column; the place in the tree of the row whose list is at its end; whether lists
are no longer those of the best candidates."""


def new_search_progress() -> Int64Array:
    """No search is under way."""
    progress = np.zeros(5, np.int64)
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
        np.zeros(5, np.int64),
        lowest,
        highest,
    )


@inner
def reach(
    auction: AuctionState,
    paths: PathSearch,
    i: int,
    j: int,
    offset: Number,
    way: Number,
    cutoff: Number,
    target: int,
) -> tuple[Number, int]:
    """Note a way to column j over row i, ``offset`` away, if it is the shortest.

    Returns as `_relax`.
    """
    if not way < cutoff:
        return cutoff, target
    counters = paths.counters
    search, state = 2 * counters[N_SEARCHES], paths.state[j]
    if state == search + 1:
        return cutoff, target
    if auction.owner[j] < 0:
        if auction.owner[j] == LEFT_FREE:
            return cutoff, target
        paths.parent[j] = i
        return way, j
    if not way > offset:
        # Where it is in the heap already, it stays there, and is passed over later.
        paths.distance[j] = way
        paths.parent[j] = i
        paths.state[j] = search + 1
        paths.done[counters[N_CLOSED]] = j
        counters[N_CLOSED] += 1
        return cutoff, target
    if state != search or way < paths.distance[j]:
        counters[N_OPEN] = open_column(paths, counters[N_OPEN], search, i, j, way)
    return cutoff, target


@inner
def _relax(
    ranked: RankedLists,
    auction: AuctionState,
    paths: PathSearch,
    t: int,
    cutoff: Number,
    target: int,
) -> tuple[Number, int]:
    """Go from row t of the tree to the next portions of its list.

    Returns the distance of the nearest free column, and that column.
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
            cutoff, target = reach(auction, paths, i, j, offset, way, cutoff, target)
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
        sift_up(paths, paths.counters[N_OPEN], place)
        paths.counters[N_OPEN] += 1
    return cutoff, target


@inner
def _reach_by_price(auction: AuctionState, paths: PathSearch, floor: Number) -> tuple[Number, int]:
    """Reach every column from the root of those that stay free, as far away as it is dear."""
    prices, owner, root = auction.prices, auction.owner, auction.column.shape[0]
    target: Any = np.int64(-1)
    cutoff, offset = paths.highest, floor - floor
    # First those that are free: none of the others matters that is dearer.
    for k in range(auction.counters[N_WAITING]):
        j = auction.waiting[k]
        way = prices[j] - floor
        cutoff, target = reach(auction, paths, root, j, offset, way, cutoff, target)
    for j in range(prices.shape[0]):
        if prices[j] - floor < cutoff and owner[j] >= 0:
            way = max(prices[j] - floor, offset)
            cutoff, target = reach(auction, paths, root, j, offset, way, cutoff, target)
    return cutoff, target


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
    root, rows, counters = progress[ROOT], progress[TREE_ROWS], paths.counters
    target: Any = progress[TARGET]
    cutoff, t = paths.least[0], progress[PLACE]
    if rows == 0:
        counters[N_SEARCHES] += 1
        counters[N_OPEN] = counters[N_CLOSED] = 0
    search = 2 * counters[N_SEARCHES]
    # Each column that is final leads to a row, in the same order; the root has none.
    rooted = np.int64(root < auction.column.shape[0])
    if rows == 0 and rooted == 0:
        cutoff, target = _reach_by_price(auction, paths, paths.offset[root])
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
            cutoff, target = _relax(ranked, auction, paths, t, cutoff, target)
    while True:
        if rows == rooted + counters[N_CLOSED]:
            if counters[N_OPEN] == 0 or not paths.keys[0] < cutoff:
                break
            top = paths.heap[0]
            counters[N_OPEN] = pop_nearest(paths, counters[N_OPEN])
            if top < m:
                if paths.state[top] == search + 1:
                    continue
                paths.state[top] = search + 1
                paths.done[counters[N_CLOSED]] = top
                counters[N_CLOSED] += 1
            else:
                t = top - m
                if paths.looks[t] < 0:
                    counters[N_PATH_SCANS] += 1
                    progress[TREE_ROWS], progress[TARGET], progress[PLACE] = rows, target, t
                    paths.least[0] = cutoff
                    return -1
        if rows < rooted + counters[N_CLOSED]:
            j = paths.done[rows - rooted]
            if not paths.distance[j] < cutoff:
                break
            t = rows
            paths.row[t] = auction.owner[j]
            paths.offset[t] = paths.distance[j]
            paths.looks[t] = 0
            rows += 1
        if rows < rooted + counters[N_CLOSED]:
            fetch_list(ranked, auction.owner[paths.done[rows - rooted]])
        elif counters[N_OPEN] > 0 and paths.heap[0] < m:
            fetch_list(ranked, auction.owner[paths.heap[0]])
        cutoff, target = _relax(ranked, auction, paths, t, cutoff, target)
    counters[N_TREE_ROWS] += rows
    if target < 0:
        return -2
    raise_prices(auction, paths, cutoff, counters[N_CLOSED], rows)
    found: int = target
    return found
