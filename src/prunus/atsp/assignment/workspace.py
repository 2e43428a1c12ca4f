"""What the compiled functions know of an instance, how a node is written, and each core's scratch.

A node is the set of arcs that are left, the price for entering each city, and the assignment: a bit
for an arc, a word for a price, half a word for a city's next one. The prices for leaving follow.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.atsp.assignment.matching import Matching, PathSearch, new_matching, new_path_search
from prunus.atsp.forced_arcs import Chains, new_chains
from prunus.atsp.graph import Graph, new_graph
from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import Int64Array


class Workspace(NamedTuple):
    """Scratch memory of one core."""

    graph: Graph
    chains: Chains
    matching: Matching
    """The node: its arcs that are left, the forced ones, its assignment."""
    trial: Matching
    paths: PathSearch
    """The assignment of a child that is tried, and the search for an augmenting path."""
    cycle: Int64Array
    size: Int64Array
    """The cycle that each city is in; the cities of each cycle."""
    tour: Int64Array
    back: Int64Array
    """Each city's next and previous one in the tour that patching makes."""
    order: Int64Array
    """Free arcs of each cycle; then the cities that the arcs of the chosen cycle leave."""
    rise: Int64Array
    """By how much the bound rises without the arc out of each city."""


class Instance(NamedTuple):
    """The arcs that can be in a tour shorter than ``cap``, and the scratch memory of one core."""

    whole: Graph
    cap: np.int64
    workspace: Workspace


def new_workspace(cities: int, arcs: int) -> Workspace:
    """Make the scratch memory of one core."""
    return Workspace(
        new_graph(cities, arcs),
        new_chains(cities),
        new_matching(cities),
        new_matching(cities),
        new_path_search(cities, arcs),
        *(np.zeros(cities, np.int64) for _ in range(6)),
    )


@inner
def load_matching(node: Int64Array, masks: int, matching: Matching) -> None:
    """Read the prices for entering and the next cities."""
    n = matching.entering.size
    for v in range(n):
        matching.entering[v] = node[masks + v]
        matching.following[v] = (node[masks + n + (v >> 1)] >> ((v & 1) << 5)) & 0xFFFFFFFF


@inner
def store_matching(matching: Matching, node: Int64Array, masks: int) -> None:
    """Write the prices for entering and the next cities."""
    n = matching.entering.size
    for v in range(n):
        node[masks + v] = matching.entering[v]
        w = masks + n + (v >> 1)
        if v & 1 == 0:
            node[w] = 0
        node[w] |= matching.following[v] << ((v & 1) << 5)
