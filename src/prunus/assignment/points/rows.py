"""What rows at points do: list the cheapest columns around them, bid, and look for better ones.

A row's list holds some columns and a threshold: no other column has a larger net value, as long as
prices only rise. The list is made anew, by a search in the tree, where it no longer says which two
columns are best.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.assignment.exact.lists.auction import N_BIDS, N_ROW_SCANS, N_WAITING, AuctionState
from prunus.assignment.exact.lists.candidate_lists import CandidateLists, best_two_in_list
from prunus.assignment.points.tree import PointTree, TreeSearch, distance, nearest
from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import AnyArray, FloatArray, Int64Array


class PointRows(NamedTuple):
    """The rows of an instance."""

    points: FloatArray
    """Shape (n, d)."""
    age: Int64Array
    """How often each has bid from its list."""


def new_nearest_lists(rows: int, columns: int, wanted: int) -> CandidateLists:
    """Make lists that hold nothing yet; of what they will hold, nothing is ever added to them."""
    held = min(wanted, columns)
    return CandidateLists(
        np.zeros(rows * held, np.int32),
        np.zeros(rows * held),
        np.arange(rows + 1, dtype=np.int64) * held,
        np.zeros(rows, np.int64),
        np.full(rows, np.inf),
        0,
        0,
    )


@inner
def _list_row(
    tree: PointTree,
    x: FloatArray,
    prices: AnyArray,
    search: TreeSearch,
    lists: CandidateLists,
    i: int,
    own: int,
) -> None:
    """List the cheapest columns of a row; its own one is among them."""
    start = lists.start[i]
    held = lists.start[1]
    found = nearest(tree, x, prices, search, held, np.inf)
    lists.threshold[i] = -search.costs[found - 1] if found == held else -np.inf
    missing = own >= 0
    for q in range(found):
        j = search.columns[q]
        missing = missing and j != own
        lists.columns[start + q] = j
        lists.benefits[start + q] = -distance(tree, x, j)
    lists.length[i] = found
    if missing:
        lists.columns[start + found - 1] = own
        lists.benefits[start + found - 1] = -distance(tree, x, own)


@outer
def list_nearest(
    tree: PointTree,
    rows: PointRows,
    auction: AuctionState,
    search: TreeSearch,
    lists: CandidateLists,
    which: Int64Array,
) -> None:
    """Make the lists of some rows anew; several threads may do so at once."""
    for k in range(which.shape[0]):
        i = which[k]
        _list_row(tree, rows.points[i], auction.prices, search, lists, i, auction.column[i])


@outer
def bid_from_points(
    tree: PointTree,
    rows: PointRows,
    auction: AuctionState,
    search: TreeSearch,
    lists: CandidateLists,
    epsilon: float,
    patience: int,
    budget: int,
) -> bool:
    """Let waiting rows bid, as often as ``budget`` says at most; return whether none waits.

    A list that may lack the best column is made anew after ``patience`` bids from it: prices around
    a row rise together, and mostly the best one is listed all the same. A new list counts as
    sixteen bids of the budget.
    """
    prices, waiting, counters = auction.prices, auction.waiting, auction.counters
    owner, column = auction.owner, auction.column
    left_over = counters[N_WAITING]
    while left_over > 0 and budget > 0:
        left_over -= 1
        i = waiting[left_over]
        start = lists.start[i]
        first, second, j, _ = best_two_in_list(
            lists, prices, start, start + lists.length[i], -np.inf
        )
        rows.age[i] += 1
        if first < lists.threshold[i] and rows.age[i] > patience:
            rows.age[i] = 0
            _list_row(tree, rows.points[i], prices, search, lists, i, -1)
            counters[N_ROW_SCANS] += 1
            budget -= 15
            first, second, j, _ = best_two_in_list(
                lists, prices, start, start + lists.length[i], -np.inf
            )
        # What is not in the list is worth no more than the threshold, which stands for the second
        # best where that is less.
        second = max(second, min(first, lists.threshold[i]))
        budget -= 1
        counters[N_BIDS] += 1
        prices[j] += (first - second if second > -np.inf else 0.0) + epsilon
        before = owner[j]
        owner[j] = i
        column[i] = j
        if before >= 0:
            column[before] = -1
            waiting[left_over] = before
            left_over += 1
    counters[N_WAITING] = left_over
    return bool(left_over == 0)


@outer
def find_better_columns(
    tree: PointTree,
    rows: PointRows,
    auction: AuctionState,
    search: TreeSearch,
    begin: int,
    best: FloatArray,
    more: FloatArray,
    known: FloatArray,
) -> None:
    """Find the best net values of rows from ``begin`` on, and how much more that is than they have.

    ``best``, ``more`` and ``known`` are the parts of these rows. The last is what their columns
    cost them then: where that is the same nothing has changed, as prices only rise.
    """
    prices, column = auction.prices, auction.column
    for k in range(best.shape[0]):
        i = begin + k
        own = np.inf
        if column[i] >= 0:
            own = distance(tree, rows.points[i], column[i]) + prices[column[i]]
        if own == known[k]:
            more[k] = 0.0
            continue
        found = nearest(tree, rows.points[i], prices, search, 1, own)
        best[k] = -search.costs[0] if found > 0 else -own
        more[k] = best[k] + own
        known[k] = own
