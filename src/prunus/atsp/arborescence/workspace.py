"""What the compiled functions know of an instance, and what each core needs to work on it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.atsp.arborescence.edmonds import IMPOSSIBLE, Forest, new_forest
from prunus.atsp.arborescence.held_karp import Climb, new_climb
from prunus.atsp.forced_arcs import Chains, new_chains
from prunus.atsp.graph import Graph, new_graph
from prunus.hardware.jit.compiled import inner

__all__ = ["CANDIDATES", "Instance", "Tools", "in_lengths", "in_units", "new_tools", "words_of"]

CANDIDATES = 60
"""Arcs that are tried at a node, at most."""


class Tools(NamedTuple):
    """Scratch memory of one core."""

    graph: Graph
    trial: Graph
    forest: Forest
    climb: Climb
    chains: Chains
    price: NDArray[np.int64]
    tried: NDArray[np.int64]
    candidate: NDArray[np.int64]
    score: NDArray[np.float64]
    leaving: NDArray[np.int64]


class Instance(NamedTuple):
    """What the compiled functions know of an instance, and the scratch memory of one core.

    Costs are in units of which ``2**shift`` are one of the problem's, rounded down.
    """

    whole: Graph
    distance: NDArray[np.int64]
    shift: np.int64
    aim: np.int64
    tools: Tools


def new_tools(cities: int, arcs: int) -> Tools:
    """Make the scratch memory of one core."""
    return Tools(
        new_graph(cities, arcs),
        new_graph(cities, arcs),
        new_forest(cities, arcs),
        new_climb(cities, arcs),
        new_chains(cities),
        np.zeros(cities, np.int64),
        np.zeros(cities, np.int64),
        np.zeros(CANDIDATES, np.int64),
        np.zeros(CANDIDATES, np.float64),
        np.zeros(cities, np.int64),
    )


def words_of(cities: int, arcs: int) -> int:
    """Return how many words a node has."""
    return -(-arcs // 64) + cities


@inner
def in_units(length: Any, shift: Any):  # type: ignore[no-untyped-def]
    """Return the least bound in units that means at least ``length``."""
    if length >= IMPOSSIBLE:
        return np.int64(IMPOSSIBLE)
    if shift >= 0:
        return ((length - 1) << shift) + 1
    return -((-length) >> -shift)


@inner
def in_lengths(bound: Any, shift: Any):  # type: ignore[no-untyped-def]
    """Return the least length that a bound in units allows."""
    if shift >= 0:
        return -((-bound) >> shift)
    return bound << -shift
