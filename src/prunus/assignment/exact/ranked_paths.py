"""Shortest augmenting paths from ranked lists: the exact end of a solve whose lists a GPU makes.

As in ``augment``, but a row of the tree looks only at as much of its list as it has to: beside the
columns that it has reached, the heap holds the row itself, at the least distance that the rest of
its list can be at. A search that comes to the end of a list waits until there are more candidates.
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
    augment_along_path,
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
from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import Int64Array, Number

__all__ = [
    "ALL_MATCHED",
    "EXTENDED",
    "EXTENDED_SEARCH_DONE",
    "LIST_EXHAUSTED",
    "OUT_OF_BUDGET",
    "PLACE",
    "ROOT",
    "TREE_ROWS",
    "augment_from_ranked_lists",
    "new_ranked_search",
    "new_search_progress",
]

ALL_MATCHED, OUT_OF_BUDGET, LIST_EXHAUSTED, EXTENDED_SEARCH_DONE = range(4)
"""Why `augment_from_ranked_lists` came back: no row waits; the budget is spent; the row at
``progress[PLACE]`` of the tree, or the root if there is no tree yet, needs more candidates; a
search for which lists were given more candidates has ended."""

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
def _relax(
    ranked: RankedLists,
    auction: AuctionState,
    paths: PathSearch,
    size: int,
    search: int,
    t: int,
    cutoff: Number,
    target: int,
) -> tuple[int, Number, int]:
    """Go from row t of the tree to the next portions of its list.

    Returns the size of the heap, the distance of the nearest free column, and that column.
    """
    words, values, money = ranked.words, ranked.values, ranked.money
    prices, distance = auction.prices, paths.distance
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
            if not way < cutoff:
                continue
            state = paths.state[j]
            if state == search + 1:
                continue
            way = offset if way < offset else way
            if auction.owner[j] < 0:
                if way < cutoff:
                    cutoff = way
                    target = j
                    paths.parent[j] = i
            elif state != search:
                distance[j] = way
                paths.parent[j] = i
                paths.state[j] = search
                sift_up(paths, size, j)
                size += 1
            elif way < distance[j]:
                distance[j] = way
                paths.parent[j] = i
                sift_up(paths, paths.place[j], j)
        row_budget += 1
        left -= PORTION
        at += np.uint64(ranked.step)
        if left <= 0 or row_budget >= last:
            break
    if left > 0:
        paths.looks[t] = row_budget
        way = far - money[at >> np.uint64(3)]
    else:
        paths.looks[t] = -1
        way = far - money[begin >> np.uint64(3)]
    way = offset if way < offset else way
    if way < cutoff:
        place = prices.shape[0] + t
        distance[place] = way
        sift_up(paths, size, place)
        size += 1
    return size, cutoff, target


@inner
def _search(
    ranked: RankedLists, auction: AuctionState, paths: PathSearch, progress: Int64Array
) -> int:
    """Find the shortest way from a row to a free column; return the column.

    -1 if a list has come to its end: ``progress`` says where, and the search goes on from there.
    """
    m = auction.prices.shape[0]
    root, rows = progress[ROOT], progress[TREE_ROWS]
    closed, size = progress[CLOSED], progress[HEAP_SIZE]
    target: int = progress[TARGET]
    if rows == 0:
        paths.counters[N_SEARCHES] += 1
        first, _, best, _ = best_two_ranked(ranked, auction.prices, root, paths.lowest)
        if best < 0:
            return -1
        paths.worth[root] = first
        paths.row[0] = root
        paths.offset[0] = first - first
        paths.looks[0] = 0
        rows, target, cutoff, t = np.int64(1), -1, paths.highest, progress[PLACE]
    else:
        cutoff, t = paths.least[0], progress[PLACE]
    search = 2 * paths.counters[N_SEARCHES]
    size, cutoff, target = _relax(ranked, auction, paths, size, search, t, cutoff, target)
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
        size, cutoff, target = _relax(ranked, auction, paths, size, search, t, cutoff, target)
    paths.counters[N_TREE_ROWS] += rows
    raise_prices(auction, paths, cutoff, closed, rows)
    return target


@outer
def augment_from_ranked_lists(
    ranked: RankedLists, auction: AuctionState, paths: PathSearch, progress: Int64Array, budget: int
) -> int:
    """Match waiting rows along shortest paths; return why it ended, one of the constants above.

    It ends after ``budget`` rows in trees, too.
    """
    end = paths.counters[N_TREE_ROWS] + budget
    counters = auction.counters
    while counters[N_WAITING] > 0 or progress[ROOT] >= 0:
        if paths.counters[N_TREE_ROWS] >= end:
            return OUT_OF_BUDGET
        if progress[ROOT] < 0:
            counters[N_WAITING] -= 1
            progress[ROOT] = auction.waiting[counters[N_WAITING]]
            progress[TREE_ROWS:EXTENDED] = 0
        root = progress[ROOT]
        j = _search(ranked, auction, paths, progress)
        if j < 0:
            return LIST_EXHAUSTED
        augment_along_path(auction, paths, root, j)
        progress[ROOT] = -1
        if progress[EXTENDED]:
            return EXTENDED_SEARCH_DONE
    return ALL_MATCHED
