"""Prices of the cities that raise the bound: subgradient steps on the Lagrangean dual.

In a tour one arc leaves each city. A 1-arborescence need not heed that, but pays for it: with price
u[v] off every arc out of v, and the sum of all prices added, its cost bounds every tour from below
for any prices (Held and Karp 1971). A step raises the price of cities that no arc leaves and lowers
that of those that several leave, by Polyak's length toward the value that would prune. The best
prices give the bound of the subtour relaxation. Arcs whose reduced cost fills the gap are left out
as soon as they do, at whatever prices.

References
----------
M. Held, R. M. Karp (1971), The traveling-salesman problem and minimum spanning trees: part II,
Mathematical Programming 1, 6-25.
P. M. Camerini, L. Fratta, F. Maffioli (1975), On improving relaxation methods by modified gradient
techniques, Mathematical Programming Study 3, 26-34.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.atsp.arborescence.edmonds import IMPOSSIBLE, Forest, cheapest_arborescence
from prunus.atsp.graph import Graph, compact
from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import FloatArray, Int64Array

MOMENTUM = 0.4
"""The part of the last direction that goes into the next one (Camerini, Fratta, Maffioli)."""

DECAY = 0.9
"""The weight of the past in the average of 1-arborescences."""

SHORTENING = 0.7
"""Steps become so much shorter when the bound does not rise any more."""

MAX_PRICE = np.int64(2**46)
"""No price is farther from 0, so that sums stay whole numbers of 64 bits."""


class AscentMemory(NamedTuple):
    """Scratch memory of an ascent; ``frequency[a]`` is how often arc a was chosen lately."""

    best: Int64Array
    degree: Int64Array
    direction: FloatArray
    frequency: FloatArray


class StepRule(NamedTuple):
    """How an ascent steps."""

    steps: int
    """How many, at most."""
    length: float
    """Of a step, in Polyak's."""
    patience: int
    """After so many steps without a better bound they become shorter."""


def new_ascent_memory(cities: int, arcs: int) -> AscentMemory:
    """Make the scratch memory for a graph."""
    return AscentMemory(
        np.zeros(cities, np.int64),
        np.zeros(cities, np.int64),
        np.zeros(cities, np.float64),
        np.zeros(arcs, np.float64),
    )


@inner
def ascend(
    graph: Graph,
    forest: Forest,
    memory: AscentMemory,
    price: Int64Array,
    target: int,
    aim: int,
    rule: StepRule,
    flag: Int64Array,
) -> tuple[np.int64, bool]:
    """Raise the bound of a graph step by step; prices and graph are changed in place.

    Ends early when the bound reaches ``target``, when a 1-arborescence is a tour, or when
    ``flag[0]`` is set. Polyak's steps are those toward the value ``aim``. Returns the bound,
    ``IMPOSSIBLE`` if no tour is left, and whether the last 1-arborescence, in ``forest.into``, is a
    tour, of which the bound is then the cost.
    """
    n = graph.begin.size - 1
    steps, length = rule.steps, rule.length
    best = np.int64(-IMPOSSIBLE)
    waited = 0
    weight = 1.0
    for v in range(n):
        memory.direction[v] = 0.0
        memory.best[v] = price[v]
    for p in range(graph.begin[n]):
        memory.frequency[graph.arc[p]] = 0.0
    for step in range(steps):
        bound = cheapest_arborescence(graph, forest, price)
        if bound == IMPOSSIBLE:
            return np.int64(IMPOSSIBLE), False
        for v in range(n):
            bound += price[v]
            memory.degree[v] = 0
        if bound >= target:
            return bound, False
        for v in range(n):
            p = forest.into[v]
            memory.degree[graph.tail[p]] += 1
            memory.frequency[graph.arc[p]] += weight
        weight /= DECAY
        if bound > best:
            best = bound
            waited = 0
            for v in range(n):
                memory.best[v] = price[v]
        else:
            waited += 1
            if waited >= rule.patience:
                length *= SHORTENING
                waited = 0
        norm = 0
        along = 0.0
        for v in range(n):
            imbalance = 1 - memory.degree[v]
            norm += imbalance * imbalance
            memory.direction[v] = imbalance + MOMENTUM * memory.direction[v]
            along += imbalance * memory.direction[v]
        if norm == 0:
            # An arc into and out of each city, and all reached from the root.
            return bound, True
        _remove_expensive_arcs(graph, forest, target - bound)
        if step + 1 == steps or flag[0] != 0:
            break
        if along <= 0.1 * norm:
            along = 1.0 * norm
            for v in range(n):
                memory.direction[v] = 1.0 - memory.degree[v]
        stride = length * max(1.0, float(min(aim, target) - bound)) / along
        for v in range(n):
            moved = price[v] + np.int64(np.rint(stride * memory.direction[v]))
            price[v] = max(-MAX_PRICE, min(MAX_PRICE, moved))
    for v in range(n):
        price[v] = memory.best[v]
    return best, False


@inner
def _remove_expensive_arcs(graph: Graph, forest: Forest, gap: int) -> None:
    """Leave out the arcs whose reduced cost fills the gap."""
    m = graph.begin[graph.begin.size - 1]
    expensive = 0
    for p in range(m):
        kept = forest.reduced[p] < gap
        graph.kept[p] = kept
        expensive += not kept
    if expensive:
        compact(graph)
