"""Shortest augmenting paths from ranked lists: the exact end of a solve whose lists a GPU makes.

A search that comes to the end of a list waits until there are more candidates.

Where there are more columns than rows, those that stay free must end with the least price of all.
Think of one more row for each of them, to which all columns are worth nothing: it is content with
the cheapest. `level_free_columns` matches these rows, all from one root that reaches every column
at its price.
"""

from __future__ import annotations

import numpy as np

from prunus.assignment.exact.augmentation import augment_along_path
from prunus.assignment.exact.lists.auction import N_WAITING, AuctionState
from prunus.assignment.exact.lists.path_search import (
    N_TREE_ROWS,
    PathSearch,
)
from prunus.assignment.exact.ranked.lists import RankedLists
from prunus.assignment.exact.ranked.search import (
    EXTENDED,
    LEFT_FREE,
    PLACE,
    ROOT,
    TARGET,
    TREE_ROWS,
    WHOLE,
    find_path,
    reach,
)
from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import AnyArray, Int64Array, Number

ALL_MATCHED, OUT_OF_BUDGET, LIST_EXHAUSTED, EXTENDED_SEARCH_DONE, NO_PATH = range(5)
"""Why a search came back: no row waits; the budget is spent; the row at ``progress[PLACE]`` of the
tree, or the root if there is no tree yet, needs more candidates; a search for which lists were
given more candidates has ended; there is no way from the root to a free column."""


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
        j = find_path(ranked, auction, paths, progress)
        if j < 0:
            return LIST_EXHAUSTED if j == -1 else NO_PATH
        augment_along_path(paths.parent, auction.owner, auction.column, root, j)
        progress[ROOT] = -1
        if progress[EXTENDED]:
            return EXTENDED_SEARCH_DONE
    return ALL_MATCHED


@inner
def _leave_free(auction: AuctionState, floor: Number) -> None:
    """Leave columns that wait free where they are as cheap as any."""
    left = np.int64(0)
    for k in range(auction.counters[N_WAITING]):
        j = auction.waiting[k]
        if auction.owner[j] < 0 and auction.prices[j] <= floor:
            auction.owner[j] = LEFT_FREE
        if auction.owner[j] == -1:
            auction.waiting[left] = j
            left += 1
    auction.counters[N_WAITING] = left


@outer
def level_free_columns(
    ranked: RankedLists, auction: AuctionState, paths: PathSearch, progress: Int64Array, budget: int
) -> int:
    """Let all columns that stay free have the least price; return why it ended.

    Every row has a column; free columns that are dearer than the least price wait, and ``offset``
    of the root, beyond the rows, is that price. Afterwards the owner of columns without a row is
    ``LEFT_FREE``, and their price is that of the root.
    """
    end = paths.counters[N_TREE_ROWS] + budget
    owner, root = auction.owner, auction.column.shape[0]
    while auction.counters[N_WAITING] > 0:
        if paths.counters[N_TREE_ROWS] >= end:
            return OUT_OF_BUDGET
        if progress[ROOT] < 0:
            progress[ROOT] = root
            progress[TREE_ROWS:EXTENDED] = 0
        floor = paths.offset[root]
        j = find_path(ranked, auction, paths, progress)
        if j < 0:
            return LIST_EXHAUSTED
        i = paths.parent[j]
        while i != root:
            before = auction.column[i]
            owner[j] = i
            auction.column[i] = j
            j = before
            i = paths.parent[j]
        owner[j] = LEFT_FREE
        floor = max(floor, auction.prices[j])
        paths.offset[root] = floor
        _leave_free(auction, floor)
        progress[ROOT] = -1
        if progress[EXTENDED]:
            return EXTENDED_SEARCH_DONE
    return ALL_MATCHED


@outer
def reach_from_whole_row(
    benefits: AnyArray, auction: AuctionState, paths: PathSearch, progress: Int64Array
) -> None:
    """Go from the row of the tree that needs more candidates to every column."""
    t = progress[PLACE]
    i, offset = paths.row[t], paths.offset[t]
    far = offset + paths.worth[i]
    cutoff, target = paths.least[0], progress[TARGET]
    for j in range(auction.prices.shape[0]):
        x = benefits[j] - auction.prices[j]
        if x > paths.lowest:
            way = far - x
            way = offset if way < offset else way
            cutoff, target = reach(auction, paths, i, j, offset, way, cutoff, target)
    progress[TARGET] = target
    paths.least[0] = cutoff
    paths.looks[t] = WHOLE
