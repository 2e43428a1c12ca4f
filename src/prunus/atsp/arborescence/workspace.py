"""What the compiled functions know of an instance, and what each core needs to work on it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.atsp.arborescence.edmonds import IMPOSSIBLE, Forest, new_forest
from prunus.atsp.arborescence.held_karp import AscentMemory, new_ascent_memory
from prunus.atsp.forced_arcs import Chains, new_chains
from prunus.atsp.graph import Graph, new_graph
from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import FloatArray, Int64Array

MAX_CANDIDATES = 60
"""Arcs that are tried at a node, at most."""

LENGTH_BITS = 40
"""Binary digits of a tour's length in units."""

MAX_FRACTION_BITS = 20
"""Binary digits behind the point, at most."""


class Workspace(NamedTuple):
    """Scratch memory of one core.

    The node is ``graph``, its arcs that are left, and ``price``; a child that is tried ``trial``
    and ``tried_price``. ``candidate`` and ``score`` are the arcs on which the node may be divided,
    best one first; ``leaving`` holds the arcs out of each city, and the cities of a tour.
    """

    graph: Graph
    trial: Graph
    forest: Forest
    memory: AscentMemory
    chains: Chains
    price: Int64Array
    tried_price: Int64Array
    candidate: Int64Array
    score: FloatArray
    leaving: Int64Array


class Instance(NamedTuple):
    """What the compiled functions know of an instance, and the scratch memory of one core.

    ``whole`` has the arcs of the root, with costs in units of which ``2**shift`` are one of the
    problem's, rounded down; ``distance`` their lengths in the problem; ``aim`` is that of Polyak's
    steps, in units.
    """

    whole: Graph
    distance: Int64Array
    shift: np.int64
    aim: np.int64
    workspace: Workspace


def new_workspace(cities: int, arcs: int) -> Workspace:
    """Make the scratch memory of one core."""
    return Workspace(
        new_graph(cities, arcs),
        new_graph(cities, arcs),
        new_forest(cities, arcs),
        new_ascent_memory(cities, arcs),
        new_chains(cities),
        np.zeros(cities, np.int64),
        np.zeros(cities, np.int64),
        np.zeros(MAX_CANDIDATES, np.int64),
        np.zeros(MAX_CANDIDATES, np.float64),
        np.zeros(cities, np.int64),
    )


def shift_for(longest: int) -> int:
    """Return how fine units are where tours are at most so long: ``2**shift`` of them make 1."""
    return min(MAX_FRACTION_BITS, LENGTH_BITS - max(1, longest).bit_length())


def in_units(distances: Int64Array, shift: int) -> Int64Array:
    """Return distances in units, rounded down."""
    return distances << shift if shift >= 0 else distances >> -shift


@inner
def to_units(length: int, shift: int) -> int:
    """Return the least bound in units that means at least ``length``; no more than all bounds.

    A given tour may be longer, by far, than those that the units were made for.
    """
    if length >= (IMPOSSIBLE >> max(shift, 0)):
        return IMPOSSIBLE
    if shift >= 0:
        return ((length - 1) << shift) + 1
    return -((-length) >> -shift)


@inner
def to_length(bound: int, shift: int) -> int:
    """Return the least length that a bound in units allows."""
    if shift >= 0:
        return -((-bound) >> shift)
    return bound << -shift
