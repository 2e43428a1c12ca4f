"""Row reduction and shortest augmenting paths where lists hold all allowed pairs of every row.

R. Jonker and A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear
assignment problems, Computing 38 (1987) 325-340. Where a row of many pairs comes into a tree for
the first time, its best ones are put at the front of its list, and mostly no more of it is looked
at from then on: as prices only rise, no other pair ever has a larger net value than the row's
threshold. The row itself waits in the heap at the least distance that these can be at. A free
column that is no farther than the row that finds it ends a search, so that ties are not gone
through.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.assignment.exact.augmentation import augment_along_path
from prunus.assignment.exact.lists.auction import N_BIDS, N_WAITING, AuctionState
from prunus.assignment.exact.lists.augmenting_paths import ALL_MATCHED, MORE_TO_DO, ROW_UNMATCHABLE
from prunus.assignment.exact.lists.candidate_lists import CandidateLists
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
from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import AnyArray, Int64Array, Number

_WHOLE = 32
"""A list of so many pairs is looked at as a whole."""

_SAMPLED = 8
"""Of so many pairs of a longer one, one is looked at to tell the level."""

_REDUCTION_SCANS = 2
"""Bids a row in row reduction."""

_PRICED, _BIDS_LEFT, _PUT_OFF = range(3)
"""Places in what says where a solve stands: rows whose pairs the first prices are of; bids left in
row reduction; rows that it has put off."""


def new_progress(auction: AuctionState, lowest: Number) -> Int64Array:
    """Make ready to match all waiting rows, from prices of 0, which column reduction replaces.

    Free columns must not have a price: where there are more columns than rows, it is left out.
    """
    rows, columns = len(auction.column), len(auction.owner)
    if rows == columns:
        auction.prices[:] = lowest
    return np.array([0 if rows == columns else rows, _REDUCTION_SCANS * rows, 0])


def bids_left(progress: Int64Array) -> bool:
    """Tell whether row reduction still goes on."""
    return bool(progress[_BIDS_LEFT] > 0)


@inner
def _reduce_columns(
    lists: CandidateLists, prices: AnyArray, progress: Int64Array, budget: int
) -> int:
    """Let prices be the least at which no row would rather have another column; return what is
    left of the budget of pairs.
    """
    start, columns, benefits = lists.start, lists.columns, lists.benefits
    i = progress[_PRICED]
    while i < lists.length.shape[0] and budget > 0:
        first, last = start[i], start[i + 1]
        best = benefits[first] if first < last else prices[0]
        for q in range(np.uintp(first), np.uintp(last)):
            best = max(best, benefits[q])
        for q in range(np.uintp(first), np.uintp(last)):
            j = np.uintp(columns[q])
            prices[j] = max(prices[j], benefits[q] - best)
        budget -= last - first
        i += 1
    progress[_PRICED] = i
    return budget


@inner
def _front(lists: CandidateLists, prices: AnyArray, i: int, lowest: Number) -> None:
    """Put pairs of a row that are worth more than a level at the front of its list."""
    columns, benefits = lists.columns, lists.benefits
    first, last = lists.start[i], lists.start[i + 1]
    # Three in a sample are worth so much: some three times as many as one stands for, in all.
    best = second = level = lowest
    for q in range(first, last, _SAMPLED):
        x = benefits[q] - prices[np.int64(columns[q])]
        level = max(level, min(second, x))
        second = max(second, min(best, x))
        best = max(best, x)
    end = np.uintp(first)
    for q in range(np.uintp(first), np.uintp(last)):
        j, x = columns[q], benefits[q]
        columns[q], benefits[q] = columns[end], benefits[end]
        columns[end], benefits[end] = j, x
        end += np.uintp(x - prices[np.uintp(j)] > level)
    lists.length[i] = np.int64(end) - first
    lists.threshold[i] = level


@inner
def _reduce_rows(
    lists: CandidateLists,
    auction: AuctionState,
    paths: PathSearch,
    progress: Int64Array,
    budget: int,
) -> int:
    """Let waiting rows bid with ε = 0; return what is left of the budget of pairs.

    Of its best columns a row takes one that is free. Where there are several, none of them free,
    or there is no other at all, it is put off: it waits for the paths.
    """
    start, columns, benefits = lists.start, lists.columns, lists.benefits
    prices, owner, waiting = auction.prices, auction.owner, auction.waiting
    left, bids, put_off = auction.counters[N_WAITING], progress[_BIDS_LEFT], progress[_PUT_OFF]
    while left > 0 and bids > 0 and budget > 0:
        left -= 1
        bids -= 1
        i = waiting[left]
        first = second = free = paths.lowest
        at = other = np.int64(-1)
        for q in range(np.uintp(start[i]), np.uintp(start[i + 1])):
            j = np.uintp(columns[q])
            x = benefits[q] - prices[j]
            if x > second:
                second = min(x, first)
                at = np.int64(j) if x > first else at
                first = max(x, first)
            if x > free and owner[j] < 0:
                free, other = x, np.int64(j)
        budget -= start[i + 1] - start[i]
        at = other if free == first else at
        before = np.int64(-1) if at < 0 else owner[at]
        if at < 0 or (before >= 0 and (second == first or second == paths.lowest)):
            paths.row[put_off] = i
            put_off += 1
            continue
        if before >= 0:
            prices[at] += first - second
            first = second
            auction.column[before] = -1
            waiting[left] = before
            left += 1
        paths.worth[i] = first
        owner[at] = i
        auction.column[i] = at
    auction.counters[N_BIDS] += progress[_BIDS_LEFT] - bids
    if left == 0 or bids == 0:
        for q in range(put_off):
            waiting[left] = paths.row[q]
            left += 1
        put_off = bids = 0
    auction.counters[N_WAITING], progress[_BIDS_LEFT], progress[_PUT_OFF] = left, bids, put_off
    return budget


@inner
def _search(
    lists: CandidateLists, auction: AuctionState, paths: PathSearch, root: int
) -> tuple[int, int]:
    """Find the shortest way from a row to a free column, and raise prices.

    Returns the column, -1 if there is none, and the pairs that were looked at.
    """
    columns, benefits, prices, owner = lists.columns, lists.benefits, auction.prices, auction.owner
    distance, state, parent, worth = paths.distance, paths.state, paths.parent, paths.worth
    m = prices.shape[0]
    paths.counters[N_SEARCHES] += 1
    search = 2 * paths.counters[N_SEARCHES]
    # The root's best net value is not known: ways are counted from 0 instead.
    worth[root] = paths.offset[0] = far = prices[0] - prices[0]
    i, offset, cutoff = root, paths.lowest, paths.highest
    target: Any = np.int64(-1)
    rows, closed, size, seen = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    new: Any = True
    while True:
        begin, last = lists.start[i], lists.start[i + 1]
        end = last
        if not new:
            begin += lists.length[i]
        else:
            paths.row[rows] = i
            rows += 1
            if last - begin > _WHOLE:
                if lists.length[i] == last - begin:
                    _front(lists, prices, i, paths.lowest)
                end = begin + lists.length[i]
        for q in range(np.uintp(begin), np.uintp(end)):
            j = np.int64(columns[q])
            way = max(far - (benefits[q] - prices[np.uintp(j)]), offset)
            if not way < cutoff or state[j] == search + 1:
                continue
            if owner[j] < 0:
                cutoff, target = way, j
                parent[j] = i
                if way <= offset:
                    break
            elif state[j] != search or way < distance[j]:
                size = open_column(paths, size, search, i, j, way)
        seen += end - begin
        if end < last:
            way = max(far - lists.threshold[i], offset)
            if way < cutoff:
                distance[m + i] = way
                sift_up(paths, size, m + i)
                size += 1
        if size == 0 or not paths.keys[0] < cutoff:
            break
        top = paths.heap[0]
        size = pop_nearest(paths, size)
        new = top < m
        if new:
            state[top] = search + 1
            paths.done[closed] = top
            closed += 1
            i, offset = owner[top], distance[top]
            paths.offset[rows] = offset
            far = offset + worth[i]
        else:
            i = top - m
            offset = paths.lowest if i == root else distance[auction.column[i]]
            far = worth[i] if i == root else offset + worth[i]
            paths.counters[N_PATH_SCANS] += 1
    paths.counters[N_TREE_ROWS] += rows
    if target >= 0:
        raise_prices(auction, paths, cutoff, closed, rows)
    return target, seen


@outer
def match_rows(
    lists: CandidateLists,
    auction: AuctionState,
    paths: PathSearch,
    progress: Int64Array,
    budget: int,
) -> int:
    """Match waiting rows until none waits, or about so many pairs were looked at.

    Returns ``ALL_MATCHED``, ``MORE_TO_DO`` or ``ROW_UNMATCHABLE``.
    """
    budget = _reduce_columns(lists, auction.prices, progress, budget)
    budget = _reduce_rows(lists, auction, paths, progress, budget)
    while auction.counters[N_WAITING] > 0:
        if budget <= 0:
            return MORE_TO_DO
        root = auction.waiting[auction.counters[N_WAITING] - 1]
        j, seen = _search(lists, auction, paths, root)
        if j < 0:
            return ROW_UNMATCHABLE
        budget -= seen
        auction.counters[N_WAITING] -= 1
        augment_along_path(paths.parent, auction.owner, auction.column, root, j)
    return ALL_MATCHED
