"""Prices of the cities that raise the bound: subgradient steps on the Lagrangean dual.

In a tour one arc leaves each city. A 1-arborescence need not heed that, but pays for it: with price
u[v] off every arc out of v, and the sum of all prices added, its cost bounds every tour from below
for any prices (Held and Karp 1971). A step raises the price of cities that no arc leaves and lowers
that of those that several leave, by Polyak's length toward the value that would prune. The best
prices give the bound of the subtour relaxation. Arcs whose reduced cost fills the gap are left out
as soon as they do, at whatever prices.

Where cities are in clusters, the prices of a whole cluster must rise by as much as it is far from
the next one, and a city whose price rises alone draws all arcs of its cluster. So a step moves the
neighbours of a city on a good tour along: the direction is a sum over segments of the tour of 1, 2,
4, 8 ... cities, each with the sum of its imbalances over the root of its size, a multilevel
preconditioner.

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

STEP_LENGTHS = (1.0, 0.7, 0.5, 0.3)
"""Of the steps in each round, in Polyak's; then from the first one on again."""

PATIENCE = (10, 10, 30)
"""Steps without a better bound after which they become shorter, in each round; then the last."""

LEAST_GAIN, IDLE_ROUNDS = 0.01, 2
"""There are no more rounds after so many in a row that have not filled such a part of the gap."""

MAX_PRICE = np.int64(2**46)
"""No price is farther from 0, so that sums stay whole numbers of 64 bits."""


TURN = 97
"""By so many cities segments begin later in each step, so that none is always cut."""


class AscentMemory(NamedTuple):
    """Scratch memory of an ascent, and a tour.

    ``frequency[a]`` is how often arc a was chosen lately. ``tour`` has the cities in the order of a
    good tour; it is empty where prices are to move one by one.
    """

    best: Int64Array
    imbalance: Int64Array
    spread: FloatArray
    direction: FloatArray
    frequency: FloatArray
    tour: Int64Array


class StepRule(NamedTuple):
    """How an ascent steps."""

    steps: int
    """How many, at most."""
    length: float
    """Of a step, in Polyak's."""
    patience: int
    """After so many steps without a better bound they become shorter."""


def new_ascent_memory(cities: int, arcs: int, tour: Int64Array | None = None) -> AscentMemory:
    """Make the scratch memory for a graph."""
    return AscentMemory(
        np.zeros(cities, np.int64),
        np.zeros(cities, np.int64),
        np.zeros(cities, np.float64),
        np.zeros(cities, np.float64),
        np.zeros(arcs, np.float64),
        np.zeros(0, np.int64) if tour is None else np.array(tour, np.int64),
    )


class Rounds:
    """The rounds of an ascent of so many steps each: four, and more as long as they pay."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._done = 0
        self._idle = 0

    @property
    def done(self) -> bool:
        """Whether all rounds are over."""
        return self._done >= len(STEP_LENGTHS) and self._idle >= IDLE_ROUNDS

    def next(self) -> StepRule:
        """Begin a round: return how it steps."""
        length = STEP_LENGTHS[self._done % len(STEP_LENGTHS)]
        patience = PATIENCE[min(self._done, len(PATIENCE) - 1)]
        self._done += 1
        return StepRule(self._steps, length, patience)

    def note(self, before: int, after: int, aim: int) -> None:
        """Note how a round has raised the bound, which shall come to ``aim``."""
        pays = before < aim and after - before >= max(1, LEAST_GAIN * (aim - before))
        self._idle = 0 if pays else self._idle + 1


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
            memory.imbalance[v] = 1
        if bound >= target:
            return bound, False
        for v in range(n):
            p = forest.into[v]
            memory.imbalance[graph.tail[p]] -= 1
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
        _spread(memory, TURN * step % n)
        norm = along = 0.0
        for v in range(n):
            norm += memory.imbalance[v] * memory.spread[v]
            memory.direction[v] = memory.spread[v] + MOMENTUM * memory.direction[v]
            along += memory.imbalance[v] * memory.direction[v]
        if norm == 0:
            # An arc into and out of each city, and all reached from the root.
            return bound, True
        _remove_expensive_arcs(graph, forest, target - bound)
        if step + 1 == steps or flag[0] != 0:
            break
        if along <= 0.1 * norm:
            along = norm
            for v in range(n):
                memory.direction[v] = memory.spread[v]
        stride = length * max(1.0, float(min(aim, target) - bound)) / along
        for v in range(n):
            moved = price[v] + np.int64(np.rint(stride * memory.direction[v]))
            price[v] = max(-MAX_PRICE, min(MAX_PRICE, moved))
    for v in range(n):
        price[v] = memory.best[v]
    return best, False


@inner
def _spread(memory: AscentMemory, begin: int) -> None:
    """Add to the imbalance of each city those of the segments around it, from a place on."""
    imbalance, spread, tour = memory.imbalance, memory.spread, memory.tour
    for v in range(imbalance.size):
        spread[v] = imbalance[v]
    n = tour.size
    size = 2
    while size < n:
        for first in range(0, n, size):
            last = min(n, first + size)
            total = 0
            for k in range(first, last):
                total += imbalance[tour[(begin + k) % n]]
            if total != 0:
                share = total / np.sqrt(size)
                for k in range(first, last):
                    spread[tour[(begin + k) % n]] += share
        size *= 2


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
