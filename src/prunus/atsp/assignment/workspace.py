"""What the compiled functions know of an instance, how a node is written, and each core's scratch.

A node is the set of arcs that are left, the price for entering each city, and the assignment: a bit
for an arc, a word for a price, half a word for a city's next one. The prices for leaving follow.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.atsp.assignment.matching import Matching, Paths, new_matching, new_paths
from prunus.atsp.forced_arcs import Chains, new_chains
from prunus.atsp.graph import Graph, new_graph
from prunus.hardware.jit.compiled import inner

__all__ = ["Instance", "Tools", "load_matching", "new_tools", "store_matching", "words_of"]


class Tools(NamedTuple):
    """Scratch memory of one core; ``rise`` is what leaving out the arc from a city adds."""

    graph: Graph
    chains: Chains
    matching: Matching
    trial: Matching
    paths: Paths
    cycle: NDArray[np.int64]
    size: NDArray[np.int64]
    tour: NDArray[np.int64]
    back: NDArray[np.int64]
    order: NDArray[np.int64]
    rise: NDArray[np.int64]


class Instance(NamedTuple):
    """The arcs that can be in a tour shorter than ``cap``, and the scratch memory of one core."""

    whole: Graph
    cap: np.int64
    tools: Tools


def new_tools(cities: int, arcs: int) -> Tools:
    """Make the scratch memory of one core."""
    return Tools(
        new_graph(cities, arcs),
        new_chains(cities),
        new_matching(cities),
        new_matching(cities),
        new_paths(cities, arcs),
        *(np.zeros(cities, np.int64) for _ in range(6)),
    )


def words_of(cities: int, arcs: int) -> int:
    """Return how many words a node has."""
    return -(-arcs // 64) + cities + -(-cities // 2)


@inner
def load_matching(node: Any, masks: Any, matching: Any):  # type: ignore[no-untyped-def]
    """Read the prices for entering and the next cities."""
    n = matching.entering.size
    for v in range(n):
        matching.entering[v] = node[masks + v]
        matching.following[v] = (node[masks + n + (v >> 1)] >> ((v & 1) << 5)) & 0xFFFFFFFF


@inner
def store_matching(matching: Any, node: Any, masks: Any):  # type: ignore[no-untyped-def]
    """Write them."""
    n = matching.entering.size
    for v in range(n):
        node[masks + v] = matching.entering[v]
        w = masks + n + (v >> 1)
        if v & 1 == 0:
            node[w] = 0
        node[w] |= matching.following[v] << ((v & 1) << 5)
