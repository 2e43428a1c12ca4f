"""What the items left can still add to a state, if as many are added as dropped, or one more, or …

A linear relaxation fills what is left of the capacity with a fraction of an item. Where all items
left weigh about the same, that is worth much more than anything that fits. So a price is paid not
only for weight but also for items: at prices ``lam`` an item and ``mu`` a unit of weight, whatever
the items left add to a state with ``rho`` of the capacity left is at most

    loose + lam * d + mu * rho

if they make ``d`` items more; ``loose`` is what those items add that are worth more than both
prices, and those drop that are worth less. That is so for any prices, so the least over a few
pairs of them counts; and ``d`` is a whole number, so the greatest over all ``d`` is the bound: a
sawtooth. The least of linear functions is concave in ``d``: the greatest is found by walking.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from prunus.knapsack.outside_in.best_prices import PricedItems, best_prices, looseness
from prunus.knapsack.outside_in.prices import Prices, most_added_once
from prunus.model.arrays import Int64Array

_PAIRS = 16
"""Pairs of prices, at most."""

_CUTS = 3
"""New pairs for a state, at most."""

_ROUNDS = 25
"""Prices of weight that are tried for a pair, at most."""

_LOOKED = 10_000_000
"""Items that are looked at for a pair, if that allows for a few rounds."""

_WORTH = 0.5
"""By how much a new pair must lower a bound, in units of profit."""


class CountedBound:
    """Pairs of prices, good ones for the states at hand.

    Weights and profits are by falling efficiency, those before ``middle`` in the break solution;
    ``efficiency`` and ``weight`` are those of the break item.
    """

    def __init__(
        self, w: Int64Array, p: Int64Array, middle: int, efficiency: float, weight: int
    ) -> None:
        self._items = PricedItems(w, p, 0, 0, middle)
        self._efficiency = efficiency
        self._scratch = np.empty(len(w))
        self._reach = 0.0
        columns = np.zeros(_PAIRS), np.zeros(_PAIRS), np.zeros(_PAIRS)
        self.prices = Prices(*columns, 0, 0.0, float(weight))

    def start(self, lo: int, hi: int, reach: int) -> None:
        """Begin anew, with the price of the relaxation.

        Items ``lo`` to ``hi`` are left; a state leaves at most ``reach`` of the capacity, or
        exceeds it by that.
        """
        self._items = self._items._replace(low=lo, high=hi)
        self._reach = float(reach)
        self.prices = self.prices._replace(pairs=0, reach=float(hi - lo))
        self._add(self._efficiency, 0.0)

    def sharpen(self, rho: int, enough: float, look: Callable[[], bool] = bool) -> None:
        """Add pairs that lower the bound of a state.

        ``rho`` is what the state leaves of the capacity. A bound below ``enough`` is low enough.
        ``look`` is called before each pair and says whether to stop.
        """
        items = self._items
        for _ in range(_CUTS):
            bound, d = self.bound(rho)
            if bound < enough or self.prices.pairs == _PAIRS or look():
                return
            rounds = max(5, min(_ROUNDS, _LOOKED // max(1, items.high - items.low)))
            mu, lam, found = best_prices(
                items, int(d), float(rho), self._efficiency, rounds, self._scratch
            )
            if found >= bound - _WORTH or not math.isfinite(found):
                return
            self._add(mu, lam)

    def bound(self, rho: int) -> tuple[float, float]:
        """Return the most that items can add to a state, and how many more items that takes."""
        guess = float(rho // max(1, int(self.prices.weight)))
        found: tuple[float, float] = most_added_once(self.prices, float(rho), guess)
        return found

    def _add(self, mu: float, lam: float) -> None:
        """Add a pair of prices."""
        items, prices = self._items, self.prices
        loose, size = looseness(items, lam, mu)
        k = prices.pairs
        prices.mu[k], prices.lam[k] = mu, lam
        # Rounding takes nothing from the bound, nor does what is taken from it item by item.
        size += mu * self._reach
        left = items.high - items.low
        prices.loose[k] = loose + 1e-6 + 1e-15 * size + 4e-16 * left * loose
        self.prices = prices._replace(pairs=k + 1)
