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

from prunus.assignment.exact.candidate_lists import best_two, rebuild_list
from prunus.assignment.exact.path_search import augment_along_path, pop, rise, shift
from prunus.assignment.instance.benefits import locate_row
from prunus.hardware.jit.compiled import inner, outer

__all__ = ["augment", "relax_listed", "relax_row"]


# From a row of the tree to columns: those in its list, or all of them.


@inner
def _relax(  # type: ignore[no-untyped-def]
    auction: Any, paths: Any, size: Any, search: Any, i: Any, j: Any, length: Any, cutoff: Any
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
    if auction.owner[j] < 0:
        cutoff = length
    return size, cutoff


@inner
def relax_listed(  # type: ignore[no-untyped-def]
    lists: Any,
    auction: Any,
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
        length = far - (lists.benefits[q] - auction.prices[j])
        length = offset if length < offset else length
        if length < cutoff:
            size, cutoff = _relax(auction, paths, size, search, i, j, length, cutoff)
    beyond = lists.threshold[i]
    if lists.capacity == 0 or beyond == lowest:
        paths.least[t] = highest
    elif lists.length[i] == 0:
        paths.least[t] = offset
    else:
        paths.least[t] = far - beyond
    return size, cutoff


@inner
def relax_row(  # type: ignore[no-untyped-def]
    values: Any,
    work: Any,
    auction: Any,
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
    at = locate_row(values, work, i)
    matrix = values.matrix if values.metric < 0 else work.row
    row = matrix[at]
    for j in range(auction.prices.shape[0]):
        x = values.sign * row[j] - auction.prices[j]
        # A forbidden pair is at an infinite length, or at one that overflows: sort it out first.
        if x > lowest and far - x < cutoff:
            length = far - x
            length = offset if length < offset else length
            size, cutoff = _relax(auction, paths, size, search, i, j, length, cutoff)
    paths.least[t] = highest
    return size, cutoff


@inner
def _search(  # type: ignore[no-untyped-def]
    values: Any,
    lists: Any,
    work: Any,
    auction: Any,
    paths: Any,
    root: Any,
    lowest: Any,
    highest: Any,
):
    """Find the shortest way from a row to a free column; return the column, or -1 if none is."""
    paths.figures[0] += 1
    search = 2 * paths.figures[0]
    first, _, _, _, looks = best_two(
        values, lists, work, auction.prices, root, lowest, np.bool_(True)
    )
    paths.figures[1] += looks
    paths.worth[root] = first
    paths.row[0] = root
    paths.offset[0] = first - first if first > lowest else 0
    paths.looks[0] = looks
    rows, closed, size = np.int64(1), np.int64(0), np.int64(0)
    size, cutoff = relax_listed(
        lists, auction, paths, size, search, rows - 1, highest, lowest, highest
    )
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
            paths.figures[1] += 1
            if paths.looks[t] == 0:
                rebuild_list(values, lists, work, auction.prices, paths.row[t], lowest)
                size, cutoff = relax_listed(
                    lists, auction, paths, size, search, t, cutoff, lowest, highest
                )
            else:
                size, cutoff = relax_row(
                    values, work, auction, paths, size, search, t, cutoff, lowest, highest
                )
            paths.looks[t] += 1
            floor = paths.least[0]
            for k in range(1, rows):
                floor = min(floor, paths.least[k])
            continue
        j = paths.heap[0]
        if auction.owner[j] < 0:
            found = j
            break
        size = pop(paths, size)
        paths.state[j] = search + 1
        paths.done[closed] = j
        closed += 1
        paths.row[rows] = auction.owner[j]
        paths.offset[rows] = paths.distance[j]
        paths.looks[rows] = 0
        size, cutoff = relax_listed(
            lists, auction, paths, size, search, rows, cutoff, lowest, highest
        )
        floor = min(floor, paths.least[rows])
        rows += 1
    paths.figures[2] += rows
    if found >= 0:
        shift(auction, paths, paths.distance[found], closed, rows)
    return found


@outer
def augment(  # type: ignore[no-untyped-def]
    values: Any,
    lists: Any,
    work: Any,
    auction: Any,
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
    left = auction.figures[0]
    while left > 0:
        root = auction.waiting[left - 1]
        j = _search(values, lists, work, auction, paths, root, lowest, highest)
        if j < 0:
            return -1
        if paths.distance[j] > highest // 4:
            return -2
        left -= 1
        auction.figures[0] = left
        augment_along_path(auction, paths, root, j)
        if paths.figures[1] + paths.figures[2] // 16 > end:
            break
    return 1 if left == 0 else 0
