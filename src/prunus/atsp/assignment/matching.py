"""An assignment of next cities on the arcs that are left, repaired by shortest augmenting paths.

An optimal assignment stays so when arcs are left out, but for the cities whose arc is gone: for
each of these one augmenting path, the shortest by reduced costs, makes it optimal again, and its
length is what the bound rises by. A path as long as the gap to the best tour is of no use, so the
search for it ends there, usually after a few cities.

References
----------
G. Carpaneto, M. Dell'Amico, P. Toth (1995), Exact solution of large-scale, asymmetric traveling
salesman problems, ACM Transactions on Mathematical Software 21, 394-409.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.atsp.graph import Graph
from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import Int8Array, Int64Array, Integer

UNREACHED = 2**62
"""The distance of a city to which no path is known."""


class Matching(NamedTuple):
    """The next city of each and the one before it, or -1, and prices for leaving and entering.

    No arc that is left costs less than its two prices; those of the assignment cost as much.
    """

    following: Int64Array
    before: Int64Array
    leaving: Int64Array
    entering: Int64Array


class PathSearch(NamedTuple):
    """Scratch memory of the search for a path."""

    away: Int64Array
    into: Int64Array
    final: Int8Array
    """Of each city that a path may leave: how far it is, the city it would enter, whether that is
    final."""
    seen: Int64Array
    """The cities that were reached."""
    key: Int64Array
    city: Int64Array
    """A heap of the cities to look at next, by distance."""
    forced_cities: Int8Array
    """Whether the arc out of a city is forced, beside those the graph says."""


def new_matching(cities: int) -> Matching:
    """Make the scratch memory."""
    return Matching(*(np.zeros(cities, np.int64) for _ in range(4)))


def new_path_search(cities: int, arcs: int) -> PathSearch:
    """Make the scratch memory."""
    return PathSearch(
        np.full(cities, UNREACHED, np.int64),
        np.zeros(cities, np.int64),
        np.zeros(cities, np.int8),
        np.zeros(cities, np.int64),
        np.zeros(arcs + 1, np.int64),
        np.zeros(arcs + 1, np.int64),
        np.zeros(cities, np.int8),
    )


@inner
def copy_matching(matching: Matching, other: Matching) -> None:
    """Make ``other`` the same."""
    for v in range(matching.before.size):
        other.following[v] = matching.following[v]
        other.before[v] = matching.before[v]
        other.leaving[v] = matching.leaving[v]
        other.entering[v] = matching.entering[v]


@inner
def augment(graph: Graph, matching: Matching, paths: PathSearch, start: int, gap: int) -> Integer:
    """Give the city ``start``, which none goes to, one before it, by a path shorter than ``gap``.

    Only arcs that are ``kept`` count, and no path leaves a city in ``forced_cities``. Returns the
    length of the path; ``gap`` if there is none, and nothing has changed.
    """
    following, before, leaving, entering = matching
    away, into, final, seen = paths.away, paths.into, paths.final, paths.seen
    key, city = paths.key, paths.city
    heap, touched = np.int64(0), np.int64(0)
    head, base = start, np.int64(0)
    end = -1
    while True:
        for p in range(graph.begin[head], graph.begin[head + 1]):
            tail = graph.tail[p]
            if final[tail] or paths.forced_cities[tail] or not graph.kept[p]:
                continue
            length = base + graph.cost[p] - leaving[tail] - entering[head]
            if length >= gap or length >= away[tail]:
                continue
            if away[tail] == UNREACHED:
                seen[touched] = tail
                touched += 1
            away[tail] = length
            into[tail] = head
            k = heap
            heap += 1
            while k > 0 and key[(k - 1) >> 1] > length:
                key[k] = key[(k - 1) >> 1]
                city[k] = city[(k - 1) >> 1]
                k = (k - 1) >> 1
            key[k] = length
            city[k] = tail
        tail = np.int64(-1)
        while heap > 0 and tail < 0:
            if not final[city[0]]:
                tail = city[0]
            heap -= 1
            last, at, k = key[heap], city[heap], np.int64(0)
            while True:
                child = 2 * k + 1
                if child >= heap:
                    break
                if child + 1 < heap and key[child + 1] < key[child]:
                    child += 1
                if key[child] >= last:
                    break
                key[k] = key[child]
                city[k] = city[child]
                k = child
            key[k] = last
            city[k] = at
        if tail < 0:
            break
        final[tail] = 1
        base = away[tail]
        head = following[tail]
        if head < 0:
            end = tail
            break
    if end >= 0:
        entering[start] += base
        for s in range(touched):
            tail = seen[s]
            if final[tail] and tail != end:
                entering[following[tail]] += base - away[tail]
                leaving[tail] -= base - away[tail]
        tail = end
        while True:
            head = into[tail]
            other = before[head]
            following[tail] = head
            before[head] = tail
            if head == start:
                break
            tail = other
    for s in range(touched):
        away[seen[s]] = UNREACHED
        final[seen[s]] = 0
    return base if end >= 0 else gap


@inner
def repair(graph: Graph, matching: Matching, paths: PathSearch, cutoff: int) -> Integer:
    """Make an assignment optimal again after arcs have been left out of the graph.

    Returns its value; ``cutoff`` if that is no less, and then the assignment is not whole.
    """
    n = graph.begin.size - 1
    following, before, leaving, entering = matching
    for v in range(n):
        before[v] = -1
    missing = n
    value: Integer = np.int64(0)
    for v in range(n):
        for p in range(graph.begin[v], graph.begin[v + 1]):
            graph.kept[p] = 1
            t = graph.tail[p]
            if following[t] == v:
                before[v] = t
                leaving[t] = graph.cost[p] - entering[v]
                value += graph.cost[p]
                missing -= 1
    if missing == 0:
        return min(value, cutoff)
    for t in range(n):
        if following[t] < 0 or before[following[t]] != t:
            following[t] = -1
            leaving[t] = UNREACHED
    for p in range(graph.begin[n]):
        t = graph.tail[p]
        if following[t] < 0:
            leaving[t] = min(leaving[t], graph.cost[p] - entering[graph.head[p]])
    value = np.int64(0)
    for v in range(n):
        if leaving[v] == UNREACHED:
            return cutoff
        value += leaving[v] + entering[v]
    for v in range(n):
        if before[v] < 0 and value < cutoff:
            value += augment(graph, matching, paths, v, cutoff - value)
    return min(value, cutoff)
