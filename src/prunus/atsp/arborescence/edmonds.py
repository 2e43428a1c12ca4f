"""The cheapest 1-arborescence: one arc into every city, all reached from the root.

Cheapest arcs into every city are chosen; a cycle of them is contracted to one city, whose arcs are
looked at again, until the root reaches everything (Edmonds; Gabow, Galil, Spencer and Tarjan 1986).
The arcs into a city stay where they are in memory, so that a contraction reads only those into the
cities it joins. What is taken from the arcs into each set is a dual solution, and what is left of
each arc its reduced cost: a solution with that arc costs at least so much more.

References
----------
J. Edmonds (1967), Optimum branchings, Journal of Research of the National Bureau of Standards 71B,
233-240.
H. N. Gabow, Z. Galil, T. Spencer, R. E. Tarjan (1986), Efficient algorithms for finding minimum
spanning trees in undirected and directed graphs, Combinatorica 6, 109-122.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.atsp.graph import Graph
from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import Int64Array

IMPOSSIBLE = 2**62
"""The value of what does not exist."""


class Forest(NamedTuple):
    """What is found, and scratch memory; a set is a city or cities that were contracted."""

    into: Int64Array
    """The place of the arc into each city (into each set, while it is sought)."""
    reduced: Int64Array
    """The reduced cost of the arc at each place."""
    slot: Int64Array
    stop: Int64Array
    """The places of the arcs into each city in an order of their own: those from outside its set
    first, up to ``stop``."""
    shift: Int64Array
    """What was taken from the arcs into each city when its set was last contracted."""
    component: Int64Array
    """The set that each city is in."""
    least: Int64Array
    """The cost of the arc into each set."""
    first: Int64Array
    last: Int64Array
    following: Int64Array
    """The cities of each set, as a list."""
    up: Int64Array
    """The set that each set became a part of, or -1."""
    state: Int64Array
    """0 while a set is not looked at, 1 on the path, 2 when the root reaches it."""
    path: Int64Array
    """The sets on the path that is followed backwards."""


def new_forest(cities: int, arcs: int) -> Forest:
    """Make room for a search in a graph."""
    sets, city = 2 * cities, cities
    sizes = (sets, arcs, arcs, city, city, city, sets, sets, sets, city, sets, sets, sets)
    return Forest(*(np.zeros(size, np.int64) for size in sizes))


@inner
def cheapest_arborescence(graph: Graph, forest: Forest, price: Int64Array) -> np.int64:
    """Find the cheapest 1-arborescence with root 0 where arcs out of v cost ``price[v]`` less.

    Returns its cost, or ``IMPOSSIBLE``.
    """
    begin, tail = graph.begin, graph.tail
    into, reduced, slot, component = forest.into, forest.reduced, forest.slot, forest.component
    n = begin.size - 1
    value = np.int64(0)
    for v in range(n):
        best, at = np.int64(IMPOSSIBLE), np.int64(-1)
        for p in range(begin[v], begin[v + 1]):
            x = graph.cost[p] - price[tail[p]]
            reduced[p] = x
            slot[p] = p
            if x < best:
                best, at = x, np.int64(p)
        if at < 0:
            return np.int64(IMPOSSIBLE)
        value += best
        forest.least[v], into[v] = best, at
        forest.stop[v] = begin[v + 1]
        component[v] = forest.first[v] = forest.last[v] = v
        forest.following[v] = forest.up[v] = -1
        forest.state[v] = 0
    forest.state[0] = 2
    sets = np.int64(n)
    for city in range(n):
        depth = np.int64(0)
        c = component[city]
        while forest.state[c] != 2:
            if forest.state[c] == 0:
                forest.state[c] = 1
                forest.path[depth] = c
                depth += 1
                c = component[tail[into[c]]]
                continue
            depth = _contract(forest, c, depth, sets)
            best, at = _cheapest_into(graph, forest, sets)
            if at < 0:
                return np.int64(IMPOSSIBLE)
            value += best
            forest.least[sets], into[sets] = best, at
            c = sets
            sets += 1
        for d in range(depth):
            forest.state[forest.path[d]] = 2
    for v in range(n):
        least = forest.least[component[v]]
        for k in range(begin[v], forest.stop[v]):
            reduced[slot[k]] -= least
    for s in range(sets - 1, n - 1, -1):
        c = graph.head[into[s]]
        while forest.up[c] != s:
            c = forest.up[c]
        into[c] = into[s]
    return value


@inner
def _contract(forest: Forest, cycle: int, depth: int, new: int) -> int:
    """Make one set of those of the path from ``cycle`` on; return the depth of what remains."""
    first, last = np.int64(-1), np.int64(-1)
    while True:
        depth -= 1
        member = forest.path[depth]
        forest.up[member] = new
        v = forest.first[member]
        while v >= 0:
            forest.component[v] = new
            forest.shift[v] = forest.least[member]
            v = forest.following[v]
        if first < 0:
            first = forest.first[member]
        else:
            forest.following[last] = forest.first[member]
        last = forest.last[member]
        if member == cycle:
            break
    forest.first[new], forest.last[new] = first, last
    forest.up[new] = -1
    forest.state[new] = 0
    return depth


@inner
def _cheapest_into(graph: Graph, forest: Forest, new: int) -> tuple[np.int64, np.int64]:
    """Return the least reduced cost of an arc into a new set, and where it is.

    What its members took is taken off; arcs inside the set go out of sight.
    """
    reduced, slot = forest.reduced, forest.slot
    best, at = np.int64(IMPOSSIBLE), np.int64(-1)
    v = forest.first[new]
    while v >= 0:
        shift = forest.shift[v]
        k, stop = graph.begin[v], forest.stop[v]
        while k < stop:
            p = slot[k]
            x = reduced[p] - shift
            reduced[p] = x
            if forest.component[graph.tail[p]] == new:
                stop -= 1
                slot[k] = slot[stop]
                slot[stop] = p
                continue
            if x < best:
                best, at = x, p
            k += 1
        forest.stop[v] = stop
        v = forest.following[v]
    return best, at
