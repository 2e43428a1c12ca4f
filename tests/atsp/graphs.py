"""Graphs of a few arcs, and what must hold of an assignment and its prices on one."""

from __future__ import annotations

import numpy as np

from prunus.atsp.graph import Graph, new_graph


def graph_of(arcs: dict[tuple[int, int], int], n: int) -> Graph:
    """Make a graph of the costs of arcs."""
    graph = new_graph(n, max(1, len(arcs)))
    ordered = sorted(arcs, key=lambda arc: (arc[1], arc[0]))
    for p, (i, j) in enumerate(ordered):
        graph.tail[p], graph.head[p], graph.cost[p], graph.arc[p] = i, j, arcs[i, j], p
    heads = [j for _, j in ordered]
    graph.begin[:] = np.searchsorted(heads, np.arange(n + 1))
    return graph


def check_prices(graph, matching, n):
    """No arc that is left costs less than its prices; those of the assignment cost as much."""
    for p in range(graph.begin[n]):
        i, j = graph.tail[p], graph.head[p]
        reduced = graph.cost[p] - matching.leaving[i] - matching.entering[j]
        assert reduced >= 0
        if matching.following[i] == j:
            assert matching.before[j] == i
            assert reduced == 0
    assert sorted(matching.following) == list(range(n))
