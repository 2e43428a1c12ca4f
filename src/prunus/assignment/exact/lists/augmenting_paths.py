"""Shortest augmenting paths over candidate lists: the exact end of every solve.

R. Jonker and A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear
assignment problems, Computing 38 (1987) 325-340: each row that row reduction has left is matched
along a shortest path in reduced costs. The paths are searched in the lists; a whole row is looked
at only where its threshold is too weak to exclude a shorter way. Prices only rise, so thresholds
stay true.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.assignment.exact.augmentation import augment_along_path
from prunus.assignment.exact.lists.auction import N_WAITING, AuctionState
from prunus.assignment.exact.lists.candidate_lists import CandidateLists, best_two, rebuild_list
from prunus.assignment.exact.lists.path_search import (
    N_PATH_SCANS,
    N_SEARCHES,
    N_TREE_ROWS,
    PathSearch,
    open_column,
    pop_nearest,
    raise_prices,
)
from prunus.assignment.instance.benefits import Benefits, RowScratch, locate_row
from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import Number

ALL_MATCHED, MORE_TO_DO, ROW_UNMATCHABLE, PRICES_TOO_LARGE = range(4)
"""What `augment` says: no row waits; the budget is spent; a row has no path to a free column;
prices would outgrow int64."""


# From a row of the tree to columns: those in its list, or all of them.


@inner
def _relax(
    auction: AuctionState,
    paths: PathSearch,
    size: int,
    search: int,
    i: int,
    j: int,
    length: Number,
    cutoff: Number,
) -> tuple[int, Number]:
    """Note a way to column j over row i if it is the shortest; return heap size and cutoff.

    Nothing longer than the way to a free column matters: that is the cutoff.
    """
    state = paths.state[j]
    if state == search + 1 or (state == search and paths.distance[j] <= length):
        return size, cutoff
    size = open_column(paths, size, search, i, j, length)
    if auction.owner[j] < 0:
        cutoff = length
    return size, cutoff


@inner
def relax_listed(
    lists: CandidateLists,
    auction: AuctionState,
    paths: PathSearch,
    size: int,
    search: int,
    t: int,
    cutoff: Number,
) -> tuple[int, Number]:
    """Go from row t of the tree to the columns in its list; set how far all others are at least."""
    i, offset = paths.row[t], paths.offset[t]
    far = offset + paths.worth[i]
    start = lists.start[i]
    for q in range(start, start + lists.length[i]):
        j = np.int64(lists.columns[q])
        length = far - (lists.benefits[q] - auction.prices[j])
        length = offset if length < offset else length
        if length < cutoff:
            size, cutoff = _relax(auction, paths, size, search, i, j, length, cutoff)
    beyond = lists.threshold[i]
    if beyond == paths.lowest:
        paths.least[t] = paths.highest
    elif lists.length[i] == 0:
        paths.least[t] = offset
    else:
        paths.least[t] = far - beyond
    return size, cutoff


@inner
def relax_row(
    values: Benefits,
    work: RowScratch,
    auction: AuctionState,
    paths: PathSearch,
    size: int,
    search: int,
    t: int,
    cutoff: Number,
) -> tuple[int, Number]:
    """Go from row t of the tree to every column."""
    i, offset = paths.row[t], paths.offset[t]
    far = offset + paths.worth[i]
    at = locate_row(values, work, i)
    matrix = values.matrix if values.metric < 0 else work.row
    row = matrix[at]
    for j in range(auction.prices.shape[0]):
        x = values.sign * row[j] - auction.prices[j]
        # A forbidden pair is at an infinite length, or at one that overflows: sort it out first.
        if x > values.lowest and far - x < cutoff:
            length = far - x
            length = offset if length < offset else length
            size, cutoff = _relax(auction, paths, size, search, i, j, length, cutoff)
    paths.least[t] = paths.highest
    return size, cutoff


@inner
def _search(
    values: Benefits,
    lists: CandidateLists,
    work: RowScratch,
    auction: AuctionState,
    paths: PathSearch,
    root: int,
) -> int:
    """Find the shortest way from a row to a free column; return the column, or -1 if none is."""
    paths.counters[N_SEARCHES] += 1
    search = 2 * paths.counters[N_SEARCHES]
    first, _, _, _, looks = best_two(values, lists, work, auction.prices, root, np.bool_(True))
    paths.counters[N_PATH_SCANS] += looks
    paths.worth[root] = first
    paths.row[0] = root
    paths.offset[0] = first - first if first > values.lowest else 0
    paths.looks[0] = looks
    rows, closed, size = np.int64(1), np.int64(0), np.int64(0)
    size, cutoff = relax_listed(lists, auction, paths, size, search, rows - 1, paths.highest)
    floor = paths.least[0]
    found = -1
    while True:
        if size == 0 or paths.distance[paths.heap[0]] > floor:
            if floor >= cutoff and size == 0:
                break
            t: Any = np.int64(0)
            for k in range(1, rows):
                if paths.least[k] < paths.least[t]:
                    t = k
            paths.counters[N_PATH_SCANS] += 1
            if paths.looks[t] == 0:
                rebuild_list(values, lists, work, auction.prices, paths.row[t])
                size, cutoff = relax_listed(lists, auction, paths, size, search, t, cutoff)
            else:
                size, cutoff = relax_row(values, work, auction, paths, size, search, t, cutoff)
            paths.looks[t] += 1
            floor = paths.least[0]
            for k in range(1, rows):
                floor = min(floor, paths.least[k])
            continue
        j = paths.heap[0]
        if auction.owner[j] < 0:
            found = j
            break
        size = pop_nearest(paths, size)
        paths.state[j] = search + 1
        paths.done[closed] = j
        closed += 1
        paths.row[rows] = auction.owner[j]
        paths.offset[rows] = paths.distance[j]
        paths.looks[rows] = 0
        size, cutoff = relax_listed(lists, auction, paths, size, search, rows, cutoff)
        floor = min(floor, paths.least[rows])
        rows += 1
    paths.counters[N_TREE_ROWS] += rows
    if found >= 0:
        raise_prices(auction, paths, paths.distance[found], closed, rows)
    return found


@outer
def augment(
    values: Benefits,
    lists: CandidateLists,
    work: RowScratch,
    auction: AuctionState,
    paths: PathSearch,
    budget: int,
) -> int:
    """Match waiting rows along shortest paths until none waits or ``budget`` looks are spent.

    Returns one of the constants above.
    """
    end = paths.counters[N_PATH_SCANS] + paths.counters[N_TREE_ROWS] // 16 + budget
    left = auction.counters[N_WAITING]
    while left > 0:
        root = auction.waiting[left - 1]
        j = _search(values, lists, work, auction, paths, root)
        if j < 0:
            return ROW_UNMATCHABLE
        if paths.distance[j] > paths.highest // 4:
            return PRICES_TOO_LARGE
        left -= 1
        auction.counters[N_WAITING] = left
        augment_along_path(paths.parent, auction.owner, auction.column, root, j)
        if paths.counters[N_PATH_SCANS] + paths.counters[N_TREE_ROWS] // 16 > end:
            break
    return ALL_MATCHED if left == 0 else MORE_TO_DO
