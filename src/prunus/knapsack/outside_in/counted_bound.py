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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.jit.compiled import inlined, outer

__all__ = ["CountedBound", "most"]

Array = NDArray[np.int64]
Reals = NDArray[np.float64]

_PAIRS = 16
_STEPS = 32  # of a walk
_CUTS = 3  # new pairs for a state
_ROUNDS = 25
_LOOKED = 10_000_000  # items looked at for a pair, if that allows for a few rounds
_DEAREST = 1024.0  # price of weight, relative to the break item's efficiency
_NEAR = 0.3  # how close to the best prices to come
_WORTH = 0.5  # by how much a new pair must lower a bound


@inlined
def _least(loose, lam, mu, pairs, d, rho):  # type: ignore[no-untyped-def]
    value = np.inf
    for k in range(pairs):
        value = min(value, loose[k] + lam[k] * d + mu[k] * rho)
    return value


@inlined
def most(loose, lam, mu, pairs, reach, rho, d):  # type: ignore[no-untyped-def]
    """Return the most that items can add, and how many more items that takes.

    Parameters
    ----------
    loose, lam, mu, pairs
        The pairs of prices, and how many.
    reach
        How many items more, or fewer, there can be at most.
    rho
        What is left of the capacity; below 0 if that must be made up for.
    d
        How many items more to look at first, if there can be so many.
    """
    d = min(max(d, -reach), reach)
    best = _least(loose, lam, mu, pairs, d, rho)
    step = 1.0
    value = _least(loose, lam, mu, pairs, d + step, rho)
    if not value > best:
        step = -1.0
        value = _least(loose, lam, mu, pairs, d + step, rho)
    steps = 0
    while value > best:
        gain = value - best
        best = value
        d += step
        steps += 1
        if steps == _STEPS:
            # No further step gains more than this one did, as far as there can be more, or fewer.
            best += gain * (reach + abs(d))
            break
        value = _least(loose, lam, mu, pairs, d + step, rho)
    return best, d


@outer
def _most(loose, lam, mu, pairs, reach, rho, d):  # type: ignore[no-untyped-def]
    return most(loose, lam, mu, pairs, reach, rho, d)


@inlined
def _nth(x, n, k):  # type: ignore[no-untyped-def]
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
    return x[k]


@inlined
def _at(w, p, lo, hi, middle, d, rho, mu, scratch):  # type: ignore[no-untyped-def]
    """Return the bound at a price of weight, its slope, the best price of items, and its loose."""
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
def _best_prices(w, p, lo, hi, middle, d, rho, start, dearest, near, rounds, scratch):  # type: ignore[no-untyped-def]
    """Return prices with about the least bound: of weight, of items, loose, and the bound.

    The bound is convex in the price of weight: two tangents meet where to look next.
    """
    low, high = 0.0, dearest
    low_v, low_s, lam, loose = _at(w, p, lo, hi, middle, d, rho, low, scratch)
    best_mu, best_lam, best_loose, best = low, lam, loose, low_v
    if low_s >= 0.0:
        return best_mu, best_lam, best_loose, best
    high_v, high_s, lam, loose = _at(w, p, lo, hi, middle, d, rho, high, scratch)
    if high_v < best or high_s <= 0.0:
        best_mu, best_lam, best_loose, best = high, lam, loose, high_v
    if high_s <= 0.0:
        return best_mu, best_lam, best_loose, best
    mu = start
    for _ in range(rounds):
        value, slope, lam, loose = _at(w, p, lo, hi, middle, d, rho, mu, scratch)
        if value < best:
            best_mu, best_lam, best_loose, best = mu, lam, loose, value
        if slope < 0.0:
            low, low_v, low_s = mu, value, slope
        elif slope > 0.0:
            high, high_v, high_s = mu, value, slope
        else:
            break
        mu = (low_v - high_v + high_s * high - low_s * low) / (high_s - low_s)
        if best - (low_v + low_s * (mu - low)) < near or not low < mu < high:
            break
    return best_mu, best_lam, best_loose, best


@outer
def _looseness(w, p, lo, hi, middle, lam, mu):  # type: ignore[no-untyped-def]
    """Return the loose of a pair of prices, and the sum of all that was rounded for it."""
    loose = size = 0.0
    for j in range(lo, hi):
        paid = mu * np.float64(w[j])
        q = np.float64(p[j]) - paid - lam
        loose += max(0.0, -q if j < middle else q)
        size += np.float64(p[j]) + paid + abs(lam)
    return loose, size


class CountedBound:
    """Pairs of prices, good ones for the states at hand.

    Parameters
    ----------
    w, p
        Weights and profits by falling efficiency.
    middle
        The items before it are in the break solution.
    efficiency, weight
        Of the break item.

    Attributes
    ----------
    loose, lam, mu, pairs
        The pairs, and how many.
    """

    def __init__(self, w: Array, p: Array, middle: int, efficiency: float, weight: int) -> None:
        self._w, self._p, self._middle = w, p, middle
        self._efficiency, self._weight = efficiency, float(weight)
        self._scratch = np.empty(len(w))
        self._reach = self._left = 0.0
        self.loose, self.lam, self.mu = np.zeros(_PAIRS), np.zeros(_PAIRS), np.zeros(_PAIRS)
        self.pairs = 0

    def start(self, lo: int, hi: int, reach: int) -> None:
        """Begin anew, with the price of the relaxation.

        Parameters
        ----------
        lo, hi
            The items left.
        reach
            The most that a state leaves of the capacity, or exceeds it by.
        """
        self.pairs, self._reach, self._left = 0, float(reach), float(hi - lo)
        self._add(lo, hi, self._efficiency, 0.0)

    def sharpen(
        self, lo: int, hi: int, rho: int, enough: float, look: Callable[[], bool] = bool
    ) -> None:
        """Add pairs that lower the bound of a state.

        Parameters
        ----------
        lo, hi
            The items left.
        rho
            What the state leaves of the capacity.
        enough
            A bound below this is low enough.
        look
            Called before each pair; says whether to stop.
        """
        for _ in range(_CUTS):
            bound, d = self.bound(rho)
            if bound < enough or self.pairs == _PAIRS or look():
                return
            rounds = max(5, min(_ROUNDS, _LOOKED // max(1, hi - lo)))
            mu, lam, _, found = _best_prices(
                self._w, self._p, lo, hi, self._middle, int(d), float(rho), self._efficiency,
                _DEAREST * self._efficiency, _NEAR, rounds, self._scratch,
            )  # fmt: skip
            if found >= bound - _WORTH or not math.isfinite(found):
                return
            self._add(lo, hi, mu, lam)

    def bound(self, rho: int) -> tuple[float, float]:
        """Return the most that items can add to a state, and how many more items that takes."""
        guess = float(rho // max(1, int(self._weight)))
        prices = self.loose, self.lam, self.mu, self.pairs, self._left
        return _most(*prices, float(rho), guess)  # type: ignore[no-any-return]

    @property
    def given(self) -> tuple[Any, ...]:
        """What compiled code takes: loose, lam, mu, pairs, items left, the weight of one."""
        return self.loose, self.lam, self.mu, self.pairs, self._left, self._weight

    def _add(self, lo: int, hi: int, mu: float, lam: float) -> None:
        loose, size = _looseness(self._w, self._p, lo, hi, self._middle, lam, mu)
        k = self.pairs
        self.mu[k], self.lam[k] = mu, lam
        # Rounding takes nothing from the bound, nor does what is taken from it item by item.
        size += mu * self._reach
        self.loose[k] = loose + 1e-6 + 1e-15 * size + 4e-16 * (hi - lo) * loose
        self.pairs = k + 1
