"""The arcs that are left of an instance, sorted by the city they enter, in compiled code."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.jit.compiled import inner

__all__ = ["Graph", "copy", "drop", "load", "new_graph", "settle", "store"]


class Graph(NamedTuple):
    """Arcs of a subproblem; those into city v are ``begin[v]`` to ``begin[v + 1] - 1``.

    ``arc`` is the number an arc has in the instance, ``kept`` scratch: whether it stays.
    """

    begin: NDArray[np.int64]
    tail: NDArray[np.int64]
    head: NDArray[np.int64]
    cost: NDArray[np.int64]
    arc: NDArray[np.int64]
    kept: NDArray[np.int8]


def new_graph(cities: int, arcs: int) -> Graph:
    """Make room for a graph."""
    tail, head, cost, arc = (np.zeros(arcs, np.int64) for _ in range(4))
    return Graph(np.zeros(cities + 1, np.int64), tail, head, cost, arc, np.zeros(arcs, np.int8))


@inner
def load(whole: Any, words: Any, graph: Any):  # type: ignore[no-untyped-def]
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
def store(graph: Any, words: Any, size: Any):  # type: ignore[no-untyped-def]
    """Set the bits of a graph's arcs in ``size`` words."""
    for w in range(size):
        words[w] = 0
    for p in range(graph.begin[graph.begin.size - 1]):
        a = graph.arc[p]
        words[a >> 6] |= np.int64(1) << (a & 63)


@inner
def copy(graph: Any, other: Any):  # type: ignore[no-untyped-def]
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
def drop(graph: Any, arc: Any, included: Any):  # type: ignore[no-untyped-def]
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
    settle(graph)


@inner
def settle(graph: Any):  # type: ignore[no-untyped-def]
    """Forget the arcs that are not kept."""
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
