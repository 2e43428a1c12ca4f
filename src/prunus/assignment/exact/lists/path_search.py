"""What a search for shortest paths works with: a tree of rows, and a heap of open columns."""

from __future__ import annotations

from typing import NamedTuple

from prunus.assignment.exact.lists.auction import AuctionState
from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import AnyArray, Int64Array, Number

N_SEARCHES, N_PATH_SCANS, N_TREE_ROWS = range(3)
"""Places in `PathSearch.counters`."""


class PathSearch(NamedTuple):
    """Working memory of the search for paths."""

    worth: AnyArray
    """The best net value of each row that has a column: that of this column."""
    distance: AnyArray
    parent: Int64Array
    state: Int64Array
    """Of the columns: the length of the shortest way found, the row it came from, and in which
    search: twice the number of the search, plus one once the length is final."""
    heap: Int64Array
    keys: AnyArray
    place: Int64Array
    """The open columns as a heap by length, four below each; their lengths once more, in its
    order; and where in it each is."""
    row: Int64Array
    offset: AnyArray
    least: AnyArray
    looks: Int64Array
    """The rows of the tree, how long the way to each is, how long at least a way over any of its
    columns is that is not in its list, and how often its list was made anew."""
    done: Int64Array
    """The columns whose length is final."""
    counters: Int64Array
    """Searches so far; rows scanned as a whole; rows in all trees."""
    lowest: Number
    highest: Number
    """Below every net value; above every length."""


@inner
def sift_up(paths: PathSearch, at: int, j: int) -> None:
    """Put column j into the heap at ``at`` or above."""
    heap, keys, place = paths.heap, paths.keys, paths.place
    key = paths.distance[j]
    while at > 0:
        up = (at - 1) >> 2
        above = keys[up]
        if above <= key:
            break
        heap[at], keys[at] = heap[up], above
        place[heap[at]] = at
        at = up
    heap[at], keys[at], place[j] = j, key, at


@inner
def open_column(paths: PathSearch, size: int, search: int, i: int, j: int, length: Number) -> int:
    """Note the shortest way to column j so far, over row i; return the size of the heap."""
    paths.distance[j], paths.parent[j] = length, i
    at = paths.place[j]
    if paths.state[j] != search:
        paths.state[j] = search
        at = size
        size += 1
    sift_up(paths, at, j)
    return size


@inner
def pop_nearest(paths: PathSearch, size: int) -> int:
    """Take the first column away, which the caller has read; return the new size."""
    heap, keys, place = paths.heap, paths.keys, paths.place
    size -= 1
    last, key = heap[size], keys[size]
    at = 0
    while True:
        first = 4 * at + 1
        if first >= size:
            break
        down, least = first, keys[first]
        for k in range(first + 1, min(first + 4, size)):
            down = k if keys[k] < least else down
            least = min(least, keys[k])
        if least >= key:
            break
        heap[at], keys[at] = heap[down], least
        place[heap[at]] = at
        at = down
    heap[at], keys[at], place[last] = last, key, at
    return size


@inner
def raise_prices(
    auction: AuctionState, paths: PathSearch, length: Number, closed: int, rows: int
) -> None:
    """Make all ways in the tree tight that are shorter than the shortest one to a free column."""
    for q in range(closed):
        auction.prices[paths.done[q]] += length - paths.distance[paths.done[q]]
    for t in range(rows):
        paths.worth[paths.row[t]] -= length - paths.offset[t]
