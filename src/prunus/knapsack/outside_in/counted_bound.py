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
from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import inlined, outer
from prunus.model.arrays import FloatArray, Int64Array

_PAIRS = 16
"""Pairs of prices, at most."""

_WALK_STEPS = 32
"""Steps of a walk to the best number of items more; after these the concave bound is extended."""

_CUTS = 3
"""New pairs for a state, at most."""

_ROUNDS = 25
"""Prices of weight that are tried for a pair, at most."""

_LOOKED = 10_000_000
"""Items that are looked at for a pair, if that allows for a few rounds."""

_DEAREST = 1024.0
"""Greatest price of weight, relative to the break item's efficiency."""

_NEAR = 0.3
"""How close to the best prices to come, in units of profit."""

_WORTH = 0.5
"""By how much a new pair must lower a bound, in units of profit."""


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


class PricedItems(NamedTuple):
    """The items left, ``low`` to ``high - 1``, those before ``middle`` in the break solution."""

    w: Int64Array
    p: Int64Array
    low: int
    high: int
    middle: int


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
def _most_added(prices: Prices, rho: float, d: float) -> tuple[float, float]:
    found: tuple[float, float] = most_added(prices, rho, d)
    return found


@inlined
def _nth(x: FloatArray, n: int, k: int) -> float:
    """Return the k-th greatest of the first n numbers, which are put into some other order."""
    low, high = 0, n - 1
    k -= 1
    while low < high:
        pivot = x[(low + high) >> 1]
        i, j = low, high
        while i <= j:
            while x[i] > pivot:
                i += 1
            while x[j] < pivot:
                j -= 1
            if i <= j:
                x[i], x[j] = x[j], x[i]
                i += 1
                j -= 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            break
    found: float = x[k]
    return found


@inlined
def _at(
    items: PricedItems, d: int, rho: float, mu: float, scratch: FloatArray
) -> tuple[float, float, float, float]:
    """Return the bound at a price of weight, its slope, the best price of items, and its loose."""
    w, p, lo, hi, middle = items
    n = hi - lo
    for j in range(n):
        scratch[j] = np.float64(p[lo + j]) - mu * np.float64(w[lo + j])
    inside = max(0, min(middle, hi) - lo)
    wanted = inside + d
    if wanted <= 0:
        lam = -np.inf
        for j in range(n):
            lam = max(lam, scratch[j])
        lam += 1.0
    elif wanted > n:
        lam = np.inf
        for j in range(n):
            lam = min(lam, scratch[j])
        lam -= 1.0
    else:
        lam = _nth(scratch, n, wanted)
    loose = weight = 0.0
    above = np.int64(0)
    for j in range(lo, hi):
        q = np.float64(p[j]) - mu * np.float64(w[j]) - lam
        if q > 0.0:
            above += 1
            if j >= middle:
                loose += q
                weight += np.float64(w[j])
        elif j < middle:
            loose -= q
            weight -= np.float64(w[j])
    # Those on the line are taken until there are as many as wanted.
    for j in range(lo, hi):
        if above >= wanted:
            break
        if np.float64(p[j]) - mu * np.float64(w[j]) - lam == 0.0:
            above += 1
            weight += np.float64(w[j])
    return loose + lam * d + mu * rho, rho - weight, lam, loose


@outer
def _best_prices(
    items: PricedItems, d: int, rho: float, start: float, rounds: int, scratch: FloatArray
) -> tuple[float, float, float]:
    """Return prices with about the least bound: of weight, of items, and the bound.

    The bound is convex in the price of weight: two tangents meet where to look next.
    """
    low, high = 0.0, _DEAREST * start
    low_v, low_s, lam, _ = _at(items, d, rho, low, scratch)
    best_mu, best_lam, best = low, lam, low_v
    if low_s >= 0.0:
        return best_mu, best_lam, best
    high_v, high_s, lam, _ = _at(items, d, rho, high, scratch)
    if high_v < best or high_s <= 0.0:
        best_mu, best_lam, best = high, lam, high_v
    if high_s <= 0.0:
        return best_mu, best_lam, best
    mu = start
    for _ in range(rounds):
        value, slope, lam, _ = _at(items, d, rho, mu, scratch)
        if value < best:
            best_mu, best_lam, best = mu, lam, value
        if slope < 0.0:
            low, low_v, low_s = mu, value, slope
        elif slope > 0.0:
            high, high_v, high_s = mu, value, slope
        else:
            break
        mu = (low_v - high_v + high_s * high - low_s * low) / (high_s - low_s)
        if best - (low_v + low_s * (mu - low)) < _NEAR or not low < mu < high:
            break
    return best_mu, best_lam, best


@outer
def _looseness(items: PricedItems, lam: float, mu: float) -> tuple[float, float]:
    """Return the loose of a pair of prices, and the sum of all that was rounded for it."""
    w, p, lo, hi, middle = items
    loose = size = 0.0
    for j in range(lo, hi):
        paid = mu * np.float64(w[j])
        q = np.float64(p[j]) - paid - lam
        loose += max(0.0, -q if j < middle else q)
        size += np.float64(p[j]) + paid + abs(lam)
    return loose, size


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
            mu, lam, found = _best_prices(
                items, int(d), float(rho), self._efficiency, rounds, self._scratch
            )
            if found >= bound - _WORTH or not math.isfinite(found):
                return
            self._add(mu, lam)

    def bound(self, rho: int) -> tuple[float, float]:
        """Return the most that items can add to a state, and how many more items that takes."""
        guess = float(rho // max(1, int(self.prices.weight)))
        found: tuple[float, float] = _most_added(self.prices, float(rho), guess)
        return found

    def _add(self, mu: float, lam: float) -> None:
        """Add a pair of prices."""
        items, prices = self._items, self.prices
        loose, size = _looseness(items, lam, mu)
        k = prices.pairs
        prices.mu[k], prices.lam[k] = mu, lam
        # Rounding takes nothing from the bound, nor does what is taken from it item by item.
        size += mu * self._reach
        left = items.high - items.low
        prices.loose[k] = loose + 1e-6 + 1e-15 * size + 4e-16 * left * loose
        self.prices = prices._replace(pairs=k + 1)
