"""Shortest augmenting paths from ranked lists: the exact end of a solve whose lists a GPU makes.

As in ``augment``, but a row of the tree looks only at as much of its list as it has to: beside the
columns that it has reached, the heap holds the row itself, at the least distance that the rest of
its list can be at. A search that comes to the end of a list waits until there are more candidates.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from prunus.assignment.exact.path_search import PathSearch, augment_along_path, pop, rise, shift
from prunus.assignment.exact.ranked_lists import HEAD, KEY, PORTION, WIDTH, best_two_ranked
from prunus.hardware.jit.compiled import inner, outer

__all__ = ["augment_from_ranked_lists", "new_ranked_search"]


def new_ranked_search(rows: int, columns: int, price: DTypeLike) -> PathSearch:
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
    )


@inner
def _relax(  # type: ignore[no-untyped-def]
    ranked: Any, auction: Any, paths: Any, size: Any, search: Any, t: Any, cutoff: Any, target: Any
):
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
    portion = paths.looks[t]
    # One portion, later as many as there were before: who comes back often is far from the end.
    last = portion + max(1, portion)
    at = begin + np.uint64(HEAD) + np.uint64(portion) * np.uint64(ranked.step)
    left = length - portion * PORTION
    while True:
        columns = (at + np.uint64(KEY)) >> np.uint64(2)
        benefits = (at + np.uint64(KEY + WIDTH)) // item
        for e in range(np.uint64(max(0, min(left, PORTION)))):
            j = np.int64(words[columns + e])
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
                rise(paths, size, j)
                size += 1
            elif way < distance[j]:
                distance[j] = way
                paths.parent[j] = i
                rise(paths, paths.place[j], j)
        portion += 1
        left -= PORTION
        at += np.uint64(ranked.step)
        if left <= 0 or portion >= last:
            break
    if left > 0:
        paths.looks[t] = portion
        way = far - money[at >> np.uint64(3)]
    else:
        paths.looks[t] = -1
        way = far - money[begin >> np.uint64(3)]
    way = offset if way < offset else way
    if way < cutoff:
        place = prices.shape[0] + t
        distance[place] = way
        rise(paths, size, place)
        size += 1
    return size, cutoff, target


@inner
def _search(  # type: ignore[no-untyped-def]
    ranked: Any, auction: Any, paths: Any, course: Any, lowest: Any, highest: Any
):
    """Find the shortest way from a row to a free column; return the column.

    -1 if a list has come to its end: ``course`` says where, and the search goes on from there.
    """
    m = auction.prices.shape[0]
    root, rows, closed, size, target = course[0], course[1], course[2], course[3], course[4]
    if rows == 0:
        paths.figures[0] += 1
        first, _, j, _ = best_two_ranked(ranked, auction.prices, root, lowest)
        if j < 0:
            return j
        paths.worth[root] = first
        paths.row[0] = root
        paths.offset[0] = first - first
        paths.looks[0] = 0
        rows, target, cutoff, t = np.int64(1), np.int64(-1), highest, course[5]
    else:
        cutoff, t = paths.least[0], course[5]
    search = 2 * paths.figures[0]
    size, cutoff, target = _relax(ranked, auction, paths, size, search, t, cutoff, target)
    while size > 0:
        top = paths.heap[0]
        if not paths.distance[top] < cutoff:
            break
        size = pop(paths, size)
        if top >= m:
            t = top - m
            if paths.looks[t] < 0:
                paths.figures[1] += 1
                course[1], course[2], course[3], course[4], course[5] = (
                    rows,
                    closed,
                    size,
                    target,
                    t,
                )
                paths.least[0] = cutoff
                return np.int64(-1)
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
    paths.figures[2] += rows
    shift(auction, paths, cutoff, closed, rows)
    return target


@outer
def augment_from_ranked_lists(  # type: ignore[no-untyped-def]
    ranked: Any, auction: Any, paths: Any, course: Any, lowest: Any, highest: Any, budget: Any
):
    """Match waiting rows along shortest paths; return why it ended.

    0: nobody waits. 1: ``budget`` rows were in trees. 2: a list has come to its end; the row at
    place ``course[5]`` of the tree, or the root if there is no tree (``course[1]`` is its size),
    needs more candidates. 3: a search for which lists were given more candidates has ended.
    ``course[0]`` is the root that is searched for, -1 for none; ``course[6]`` says whether lists
    are not those of the best candidates any more.
    """
    end = paths.figures[2] + budget
    figures = auction.figures
    while figures[0] > 0 or course[0] >= 0:
        if paths.figures[2] >= end:
            return 1
        if course[0] < 0:
            figures[0] -= 1
            course[0] = auction.waiting[figures[0]]
            course[1:6] = 0
        root = course[0]
        j = _search(ranked, auction, paths, course, lowest, highest)
        if j < 0:
            return 2
        augment_along_path(auction, paths, root, j)
        course[0] = -1
        if course[6]:
            return 3
    return 0
