"""Graphs of networkx, taken apart: names of nodes, and the weights of their arcs.

A graph is what has nodes and an adjacency; networkx is not imported.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from prunus.errors import InputError
from prunus.model.labels import meaningful, one_name

_WEIGHT = "weight"
"""The attribute that networkx, too, takes for the weight of an arc."""


class Pairs(NamedTuple):
    """The arcs between the two sides of a graph."""

    agents: tuple[str, ...]
    jobs: tuple[str, ...]
    tails: list[int]
    heads: list[int]
    values: list[Any]


def is_graph(source: object) -> bool:
    """Tell a graph from other things."""
    return all(hasattr(source, name) for name in ("nodes", "adjacency", "is_multigraph"))


def distances_of(graph: Any) -> tuple[list[list[Any]], tuple[str, ...] | None]:
    """Return the weights of all arcs as a matrix, and the nodes' names if they have any.

    Where there is no arc the distance is infinite, of several the least one counts, and an edge of
    an undirected graph leads both ways.

    Raises ``InputError`` if an arc has no weight.
    """
    places = {node: place for place, node in enumerate(graph)}
    matrix = [[math.inf] * len(places) for _ in places]
    for tail, head, weight in _arcs(graph):
        row, column = places[tail], places[head]
        matrix[row][column] = min(matrix[row][column], weight)
    return matrix, meaningful(_names(places))


def bipartite_pairs(graph: Any) -> Pairs:
    """Return the arcs from agents, nodes whose attribute ``bipartite`` is 0, to jobs.

    Raises ``InputError`` if a node is on no side, or an arc within one, or without a weight.
    """
    sides: tuple[dict[Any, int], dict[Any, int]] = {}, {}
    for node, facts in graph.nodes(data=True):
        if facts.get("bipartite") not in (0, 1):
            raise InputError(
                f"node {node!r} of the graph belongs to neither side; mark agents with the "
                "attribute "
                "bipartite=0 and jobs with bipartite=1, as networkx does"
            )
        side = sides[facts["bipartite"]]
        side[node] = len(side)
    agents, jobs = sides
    found: dict[tuple[int, int], Any] = {}
    for tail, head, weight in _arcs(graph):
        if (tail in agents) == (head in agents):
            raise InputError(
                f"the arc from {tail!r} to {head!r} connects two nodes on the same side"
            )
        pair = (agents[tail], jobs[head]) if tail in agents else (agents[head], jobs[tail])
        if found.setdefault(pair, weight) != weight:
            raise InputError(f"there are arcs with different weights between {tail!r} and {head!r}")
    tails, heads = (list(each) for each in zip(*found, strict=True)) if found else ([], [])
    return Pairs(_names(agents), _names(jobs), tails, heads, list(found.values()))


def _arcs(graph: Any) -> Iterator[tuple[Any, Any, Any]]:
    several = graph.is_multigraph()
    for tail, neighbours in graph.adjacency():
        for head, facts in neighbours.items():
            for each in facts.values() if several else (facts,):
                if _WEIGHT not in each:
                    raise InputError(f"the arc from {tail!r} to {head!r} has no {_WEIGHT}")
                yield tail, head, each[_WEIGHT]


def _names(nodes: Iterable[object]) -> tuple[str, ...]:
    return tuple(one_name(node, "name of a node") for node in nodes)
