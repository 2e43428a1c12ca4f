"""A tree over points that have prices: where can a column be that is cheap for a row?

The points are ordered such that each node of the tree is a range of them, and its children are the
halves of that range (a k-d tree, Bentley 1975). A node knows the box around its points and the
least of their prices. No column in it costs a row less than the distance to the box and that
price, and so most of the tree is never looked at. Prices only rise: a least price that is old is
still a bound.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import AnyArray, FloatArray, Int64Array

_LEAF = 8
"""Points of a leaf, up to twice as many."""

_STACK = 64
"""More than a search has to come back to: one node a level."""


class TreeSearch(NamedTuple):
    """What one thread needs to search a tree."""

    node: Int64Array
    bound: FloatArray
    """The nodes that are left, and what their columns cost at least."""
    columns: Int64Array
    costs: FloatArray
    """The columns that were found, and what they cost, the cheapest first."""


def new_tree_search(most: int) -> TreeSearch:
    """Make the arrays to find so many columns at once."""
    return TreeSearch(
        np.zeros(_STACK, np.int64), np.zeros(_STACK), np.zeros(most, np.int64), np.zeros(most)
    )


class PointTree(NamedTuple):
    """A tree over points in its own order; node q has the children 2 q + 1 and 2 q + 2."""

    points: FloatArray
    """Shape (count, d), in the tree's order."""
    low: FloatArray
    high: FloatArray
    """Shapes (nodes, d): the box around the points of a node."""
    least: FloatArray
    """No price in the node is lower."""
    begin: Int64Array
    """Where the points of each leaf begin, and the end of the last."""
    leaves: int
    """Their number, a power of two; all at one depth, the last nodes."""
    metric: int
    """The number of the metric, see `prunus.assignment.distances.METRICS`."""


def tree_orders(
    sets: tuple[FloatArray, ...], go_on: Callable[[], bool] = lambda: True
) -> tuple[list[Int64Array], bool]:
    """Return the orders in which the points of sets of one size are to stand in trees.

    All sets are halved along the same coordinates, so that points that have the same place are near
    each other, the more so the longer this goes on. Also tells whether it went on to the end.
    """
    count = len(sets[0])
    orders, ends = [np.arange(count) for _ in sets], np.array([0, count])
    for _ in range(_leaves(count).bit_length() - 1):
        if not go_on():
            return orders, False
        along = np.full(len(ends) - 1, -1)
        for points, order in zip(sets, orders, strict=True):
            _halve_nodes(points, order, ends, along)
        ends = _halved(ends)
    return orders, True


def _halved(ends: Int64Array) -> Int64Array:
    """Return where the halves of ranges begin, and the end of the last."""
    between = ends[:-1] + (ends[1:] - ends[:-1]) // 2
    return np.append(np.stack([ends[:-1], between], axis=1).reshape(-1), ends[-1])


@inner
def _halve(points: FloatArray, order: Int64Array, begin: int, end: int, d: int) -> None:
    """Put those with the smaller coordinates into the first half (C. A. R. Hoare, Algorithm 65:
    Find, Communications of the ACM 4 (1961) 321-322).
    """
    low, high, middle = begin, end - 1, begin + (end - begin) // 2
    while low < high:
        pivot = points[order[(low + high) >> 1], d]
        up, down = low, high
        while up <= down:
            while points[order[up], d] < pivot:
                up += 1
            while points[order[down], d] > pivot:
                down -= 1
            if up <= down:
                order[up], order[down] = order[down], order[up]
                up += 1
                down -= 1
        if middle <= down:
            high = down
        elif middle >= up:
            low = up
        else:
            break


@outer
def _halve_nodes(
    points: FloatArray, order: Int64Array, ends: Int64Array, along: Int64Array
) -> None:
    """Halve nodes along these coordinates; where that is -1, the one in which they are widest."""
    for node in range(ends.shape[0] - 1):
        begin, end = ends[node], ends[node + 1]
        most = -1.0
        for d in range(points.shape[1] if along[node] < 0 else 0):
            low = high = points[order[begin], d]
            for q in range(begin, end):
                x = points[order[q], d]
                low, high = min(low, x), max(high, x)
            if high - low > most:
                along[node], most = d, high - low
        _halve(points, order, begin, end, along[node])


def _leaves(count: int) -> int:
    return int(2 ** max(0, (count // _LEAF).bit_length() - 1))


def new_point_tree(points: FloatArray, metric: int) -> PointTree:
    """Make a tree over points in the order of `tree_orders`, all prices being 0."""
    leaves = _leaves(len(points))
    ends = np.array([0, len(points)])
    while len(ends) <= leaves:
        ends = _halved(ends)
    low = np.empty((2 * leaves - 1, points.shape[1]))
    high = np.empty_like(low)
    low[leaves - 1 :] = np.minimum.reduceat(points, ends[:-1])
    high[leaves - 1 :] = np.maximum.reduceat(points, ends[:-1])
    _up(low, leaves, np.minimum)
    _up(high, leaves, np.maximum)
    return PointTree(
        np.ascontiguousarray(points), low, high, np.zeros(2 * leaves - 1), ends, leaves, metric
    )


def lower_bounds(tree: PointTree, prices: AnyArray) -> None:
    """Let every node know the least price in it."""
    tree.least[tree.leaves - 1 :] = np.minimum.reduceat(prices, tree.begin[:-1])
    _up(tree.least, tree.leaves, np.minimum)


def _up(values: FloatArray, leaves: int, least: np.ufunc) -> None:
    """Let every node have the least of its children's values."""
    while leaves > 1:
        children = values[leaves - 1 : 2 * leaves - 1]
        leaves //= 2
        values[leaves - 1 : 2 * leaves - 1] = least(children[::2], children[1::2])


@inner
def _size(metric: int, x: FloatArray, y: FloatArray) -> float:
    """Return the distance of two points, the square of a Euclidean one."""
    total = 0.0
    if metric <= 1:
        for d in range(x.shape[0]):
            total += (x[d] - y[d]) * (x[d] - y[d])
    elif metric == 2:
        for d in range(x.shape[0]):
            total += abs(x[d] - y[d])
    else:
        for d in range(x.shape[0]):
            total = max(total, abs(x[d] - y[d]))
    return total


@inner
def distance(tree: PointTree, x: FloatArray, j: int) -> float:
    """Return the distance of column j from a row at x."""
    total: float = _size(tree.metric, x, tree.points[j])
    return np.sqrt(total) if tree.metric == 0 else total


@inner
def _cost_in(tree: PointTree, x: FloatArray, q: int) -> float:
    """Return what no column in a node is cheaper than for a row at x."""
    low, high = tree.low[q], tree.high[q]
    total = 0.0
    for d in range(x.shape[0]):
        apart = max(low[d] - x[d], x[d] - high[d], 0.0)
        if tree.metric <= 1:
            total += apart * apart
        elif tree.metric == 2:
            total += apart
        else:
            total = max(total, apart)
    cost: float = (np.sqrt(total) if tree.metric == 0 else total) + tree.least[q]
    return cost


@inner
def nearest(
    tree: PointTree, x: FloatArray, prices: AnyArray, search: TreeSearch, wanted: int, limit: float
) -> int:
    """Find the columns with the least cost, distance and price, for a row at x.

    Only columns that cost less than ``limit`` are looked for.

    Returns how many there are, ``wanted`` at most.
    """
    stack, bound, columns, costs = search.node, search.bound, search.columns, search.costs
    stack[0], bound[0] = 0, _cost_in(tree, x, 0)
    depth, found = 1, 0
    first_leaf = tree.leaves - 1
    while depth > 0:
        depth -= 1
        q = stack[depth]
        if bound[depth] >= limit:
            continue
        if q < first_leaf:
            near, far = 2 * q + 1, 2 * q + 2
            cost, other = _cost_in(tree, x, near), _cost_in(tree, x, far)
            if other < cost:
                near, far, cost, other = far, near, other, cost
            if other < limit:
                stack[depth], bound[depth] = far, other
                depth += 1
            if cost < limit:
                stack[depth], bound[depth] = near, cost
                depth += 1
            continue
        for j in range(tree.begin[q - first_leaf], tree.begin[q - first_leaf + 1]):
            room = limit - prices[j]
            if room <= 0.0:
                continue
            cost = _size(tree.metric, x, tree.points[j])
            if tree.metric == 0:
                # Most are too far away: that is seen without the root.
                if cost >= room * room:
                    continue
                cost = np.sqrt(cost)
            cost += prices[j]
            if cost >= limit:
                continue
            at = found if found < wanted else wanted - 1
            while at > 0 and costs[at - 1] > cost:
                costs[at], columns[at] = costs[at - 1], columns[at - 1]
                at -= 1
            costs[at], columns[at] = cost, j
            if found < wanted:
                found += 1
            if found == wanted:
                limit = costs[wanted - 1]
    return found
