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

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.atsp.arborescence.edmonds import IMPOSSIBLE, cheapest
from prunus.atsp.graph import settle
from prunus.hardware.jit.compiled import inner

__all__ = ["Climb", "ascend", "new_climb"]

MEMORY = 0.4
"""The part of the last direction that goes into the next one."""

RECENT = 0.9
"""The weight of the past in the average of 1-arborescences."""


FARTHEST = np.int64(2**46)
"""No price is farther from 0, so that sums stay whole numbers of 64 bits."""


class Climb(NamedTuple):
    """Scratch memory of an ascent; ``usual[a]`` is how often arc a was chosen lately."""

    best: NDArray[np.int64]
    degree: NDArray[np.int64]
    direction: NDArray[np.float64]
    usual: NDArray[np.float64]


def new_climb(cities: int, arcs: int) -> Climb:
    """Make room."""
    whole, real = np.int64, np.float64
    return Climb(
        np.zeros(cities, whole),
        np.zeros(cities, whole),
        np.zeros(cities, real),
        np.zeros(arcs, real),
    )


@inner
def ascend(  # type: ignore[no-untyped-def]
    graph: Any,
    forest: Any,
    climb: Any,
    price: Any,
    target: Any,
    aim: Any,
    steps: Any,
    length: Any,
    patience: Any,
    flag: Any,
):
    """Raise the bound of a graph by up to ``steps`` steps; prices and graph are changed in place.

    Ends early when the bound reaches ``target``, when a 1-arborescence is a tour, or when
    ``flag[0]`` is set. The steps are ``length`` times Polyak's toward ``aim``; after ``patience``
    steps without a better bound they become shorter.

    Returns
    -------
    bound : int64
        ``IMPOSSIBLE`` if no tour is left.
    tour : bool
        The last 1-arborescence, in ``forest.into``, is a tour; the bound is its cost.
    """
    n = graph.begin.size - 1
    best = np.int64(-IMPOSSIBLE)
    waited = 0
    weight = 1.0
    for v in range(n):
        climb.direction[v] = 0.0
        climb.best[v] = price[v]
    for p in range(graph.begin[n]):
        climb.usual[graph.arc[p]] = 0.0
    for step in range(steps):
        bound = cheapest(graph, forest, price)
        if bound == IMPOSSIBLE:
            return np.int64(IMPOSSIBLE), False
        for v in range(n):
            bound += price[v]
            climb.degree[v] = 0
        if bound >= target:
            return bound, False
        for v in range(n):
            p = forest.into[v]
            climb.degree[graph.tail[p]] += 1
            climb.usual[graph.arc[p]] += weight
        weight /= RECENT
        if bound > best:
            best = bound
            waited = 0
            for v in range(n):
                climb.best[v] = price[v]
        else:
            waited += 1
            if waited >= patience:
                length *= 0.7
                waited = 0
        even = 0
        along = 0.0
        for v in range(n):
            wrong = 1 - climb.degree[v]
            even += wrong * wrong
            climb.direction[v] = wrong + MEMORY * climb.direction[v]
            along += wrong * climb.direction[v]
        if even == 0:
            # An arc into and out of each city, and all reached from the root.
            return bound, True
        _forget_dear(graph, forest, target - bound)
        if step + 1 == steps or flag[0] != 0:
            break
        if along <= 0.1 * even:
            along = 1.0 * even
            for v in range(n):
                climb.direction[v] = 1.0 - climb.degree[v]
        stride = length * max(1.0, float(min(aim, target) - bound)) / along
        for v in range(n):
            moved = price[v] + np.int64(np.rint(stride * climb.direction[v]))
            price[v] = max(-FARTHEST, min(FARTHEST, moved))
    for v in range(n):
        price[v] = climb.best[v]
    return best, False


@inner
def _forget_dear(graph: Any, forest: Any, gap: Any):  # type: ignore[no-untyped-def]
    """Leave out the arcs that cost as much as the gap."""
    m = graph.begin[graph.begin.size - 1]
    dear = 0
    for p in range(m):
        kept = forest.reduced[p] < gap
        graph.kept[p] = kept
        dear += not kept
    if dear:
        settle(graph)
