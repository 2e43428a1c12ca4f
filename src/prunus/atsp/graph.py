"""The arcs that are left of an instance, sorted by the city they enter, in compiled code."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import Int8Array, Int64Array


class Graph(NamedTuple):
    """Arcs of a subproblem; those into city v are ``begin[v]`` to ``begin[v + 1] - 1``.

    ``arc`` is the number an arc has in the instance, ``kept`` scratch: whether it stays.
    """

    begin: Int64Array
    tail: Int64Array
    head: Int64Array
    cost: Int64Array
    arc: Int64Array
    kept: Int8Array


def new_graph(cities: int, arcs: int) -> Graph:
    """Make room for a graph."""
    tail, head, cost, arc = (np.zeros(arcs, np.int64) for _ in range(4))
    return Graph(np.zeros(cities + 1, np.int64), tail, head, cost, arc, np.zeros(arcs, np.int8))


def graph_of(cities: int, tail: Int64Array, head: Int64Array, cost: Int64Array) -> Graph:
    """Make the graph of some arcs, which are sorted by their head."""
    begin = np.searchsorted(head, np.arange(cities + 1)).astype(np.int64)
    arcs = len(head)
    return Graph(begin, tail, head, cost, np.arange(arcs), np.zeros(arcs, np.int8))


def all_arcs(arcs: int) -> Int64Array:
    """Return the words that say of so many arcs that all are left."""
    bits = np.zeros(-(-arcs // 64) * 64, np.uint8)
    bits[:arcs] = 1
    return np.packbits(bits, bitorder="little").view(np.int64)


@inner
def load(whole: Graph, words: Int64Array, graph: Graph) -> None:
    """Read the arcs of ``whole`` whose bits are set."""
    n = whole.begin.size - 1
    q = np.int64(0)
    for v in range(n):
        graph.begin[v] = q
        for p in range(whole.begin[v], whole.begin[v + 1]):
            if (words[p >> 6] >> (p & 63)) & 1:
                graph.tail[q] = whole.tail[p]
                graph.head[q] = v
                graph.cost[q] = whole.cost[p]
                graph.arc[q] = p
                q += 1
    graph.begin[n] = q


@inner
def store(graph: Graph, words: Int64Array, size: int) -> None:
    """Set the bits of a graph's arcs in ``size`` words."""
    for w in range(size):
        words[w] = 0
    for p in range(graph.begin[graph.begin.size - 1]):
        a = graph.arc[p]
        words[a >> 6] |= np.int64(1) << (a & 63)


@inner
def copy_graph(graph: Graph, other: Graph) -> None:
    """Make ``other`` the same graph."""
    n = graph.begin.size - 1
    for v in range(n + 1):
        other.begin[v] = graph.begin[v]
    for p in range(graph.begin[n]):
        other.tail[p] = graph.tail[p]
        other.head[p] = graph.head[p]
        other.cost[p] = graph.cost[p]
        other.arc[p] = graph.arc[p]


@inner
def decide_arc(graph: Graph, arc: int, included: bool) -> None:
    """Leave an arc out; or include it: leave out those that no tour has beside it."""
    n = graph.begin.size - 1
    m = graph.begin[n]
    at = np.int64(0)
    while at < m and graph.arc[at] != arc:
        at += 1
    if at == m:
        return
    i, j = graph.tail[at], graph.head[at]
    for p in range(m):
        if included:
            t, h = graph.tail[p], graph.head[p]
            graph.kept[p] = p == at or (t != i and h != j and not (t == j and h == i and n > 2))
        else:
            graph.kept[p] = p != at
    compact(graph)


@inner
def compact(graph: Graph) -> None:
    """Remove the arcs that are not kept."""
    n = graph.begin.size - 1
    q = np.int64(0)
    start = graph.begin[0]
    for v in range(n):
        end = graph.begin[v + 1]
        graph.begin[v] = q
        for p in range(start, end):
            if graph.kept[p]:
                graph.tail[q] = graph.tail[p]
                graph.head[q] = v
                graph.cost[q] = graph.cost[p]
                graph.arc[q] = graph.arc[p]
                q += 1
        start = end
    graph.begin[n] = q
