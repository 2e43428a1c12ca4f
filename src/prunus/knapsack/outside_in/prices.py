"""Pairs of prices, for an item and for a unit of weight, and the bound that they give.

See `prunus.knapsack.outside_in.counted_bound`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import inlined, outer
from prunus.model.arrays import FloatArray

_WALK_STEPS = 32
"""Steps of a walk to the best number of items more; after these the concave bound is extended."""


class Prices(NamedTuple):
    """Pairs of prices."""

    loose: FloatArray
    lam: FloatArray
    mu: FloatArray
    pairs: int
    """For each pair what items add that are worth more than both prices, and those drop that are
    worth less; the price of an item, the price of a unit of weight; and how many pairs."""
    reach: float
    """How many items more, or fewer, there can be at most."""
    weight: float
    """Of the break item: about what an item more weighs."""


@inlined
def _least(prices: Prices, d: float, rho: float) -> float:
    loose, lam, mu, pairs = prices.loose, prices.lam, prices.mu, prices.pairs
    value = np.inf
    for k in range(pairs):
        value = min(value, loose[k] + lam[k] * d + mu[k] * rho)
    return value


@inlined
def most_added(prices: Prices, rho: float, d: float) -> tuple[float, float]:
    """Return the most that items can add, and how many more items that takes.

    ``rho`` is what is left of the capacity, below 0 if that must be made up for; ``d`` is how many
    items more to look at first, if there can be so many.
    """
    reach = prices.reach
    d = min(max(d, -reach), reach)
    best = _least(prices, d, rho)
    step = 1.0
    value = _least(prices, d + step, rho)
    if not value > best:
        step = -1.0
        value = _least(prices, d + step, rho)
    steps = 0
    while value > best:
        gain = value - best
        best = value
        d += step
        steps += 1
        if steps == _WALK_STEPS:
            # No further step gains more than this one did, as far as there can be more, or fewer.
            best += gain * (reach + abs(d))
            break
        value = _least(prices, d + step, rho)
    return best, d


@outer
def most_added_once(prices: Prices, rho: float, d: float) -> tuple[float, float]:
    found: tuple[float, float] = most_added(prices, rho, d)
    return found
