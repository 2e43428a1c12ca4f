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

from prunus.assignment.exact.listing import refill
from prunus.assignment.exact.lists import best_two
from prunus.assignment.exact.paths import match_back, pop, shift
from prunus.assignment.exact.reach import reach_all, reach_listed
from prunus.hardware.jit.compiled import inner, outer

__all__ = ["augment"]


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
    size, cutoff = reach_listed(
        lists, market, paths, size, search, rows - 1, highest, lowest, highest
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
                refill(values, lists, work, market.prices, paths.row[t], lowest)
                size, cutoff = reach_listed(
                    lists, market, paths, size, search, t, cutoff, lowest, highest
                )
            else:
                size, cutoff = reach_all(
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
        size = pop(paths, size)
        paths.state[j] = search + 1
        paths.done[closed] = j
        closed += 1
        paths.row[rows] = market.owner[j]
        paths.offset[rows] = paths.distance[j]
        paths.looks[rows] = 0
        size, cutoff = reach_listed(
            lists, market, paths, size, search, rows, cutoff, lowest, highest
        )
        floor = min(floor, paths.least[rows])
        rows += 1
    paths.figures[2] += rows
    if found >= 0:
        shift(market, paths, paths.distance[found], closed, rows)
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
        match_back(market, paths, root, j)
        if paths.figures[1] + paths.figures[2] // 16 > end:
            break
    return 1 if left == 0 else 0
