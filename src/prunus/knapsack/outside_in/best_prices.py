"""The pair of prices that makes the bound of a state least, in compiled code."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import inlined, outer
from prunus.model.arrays import FloatArray, Int64Array

_DEAREST = 1024.0
"""Greatest price of weight, relative to the break item's efficiency."""

_NEAR = 0.3
"""How close to the best prices to come, in units of profit."""


class PricedItems(NamedTuple):
    """The items left, ``low`` to ``high - 1``, those before ``middle`` in the break solution."""

    w: Int64Array
    p: Int64Array
    low: int
    high: int
    middle: int


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
def best_prices(
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
def looseness(items: PricedItems, lam: float, mu: float) -> tuple[float, float]:
    """Return the loose of a pair of prices, and the sum of all that was rounded for it."""
    w, p, lo, hi, middle = items
    loose = size = 0.0
    for j in range(lo, hi):
        paid = mu * np.float64(w[j])
        q = np.float64(p[j]) - paid - lam
        loose += max(0.0, -q if j < middle else q)
        size += np.float64(p[j]) + paid + abs(lam)
    return loose, size
