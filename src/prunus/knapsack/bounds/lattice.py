"""Profits that follow from weights but for a multiple of something.

The pairs (weight, profit) of all items span a lattice of the plane. Where it is coarse, the total
profit of a choice is known from its weight up to multiples of a step: the profits of strongly
correlated items exceed their weights by multiples of R/10, so any choice of weight W is worth W and
a multiple of R/10. A relaxation's bound can be rounded down to that. The known tests for
divisibility and for the number of items (S. Martello, D. Pisinger, P. Toth 1999, Dynamic
programming and strong bounds for the 0-1 knapsack problem) are special cases.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.model.arrays import Int64Array, Integer

_LARGEST_STEP = 1 << 31
"""A step is smaller, so that products fit."""

_FAR = 1 << 17
"""How far below the capacity weights are looked at one by one."""

_FIRST_CHUNK, _CHUNK = 1 << 6, 1 << 10
"""Weights that are looked at together: the first ones mostly tell."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """What total profits are, given total weights."""

    slope: int
    step: int
    """A choice of weight W is worth ``slope * W`` and a multiple of ``step``."""

    def floor(self, bound: float, price: float, capacity: int, value: int) -> int:
        """Round a bound down: no choice is worth more than what is returned.

        A choice that weighs t less than the capacity is worth at most ``bound - t * price``. No
        less than ``value`` is returned.
        """
        best, start = value, 0
        while start <= min(_FAR, capacity):
            if math.floor(bound - start * price) <= best:
                return best
            end = (start // _CHUNK + 1) * _CHUNK if start else _FIRST_CHUNK
            t = np.arange(start, min(end, capacity + 1))
            top = np.floor(bound - t * price).astype(np.int64)
            beyond = self.slope * capacity % self.step
            best = max(best, int((top - (top - beyond + self.slope * t) % self.step).max()))
            start = end
        return max(best, math.floor(bound - start * price)) if start <= capacity else best


def lattice_of(w: Int64Array, p: Int64Array) -> Lattice | None:
    """Return the lattice that items span; None if it says nothing.

    Weights have no common divisor; weights and profits are positive.
    """
    if len(w) < 2 or int(w.max()) * int(p.max()) >= 1 << 62:
        return None
    slope, step = _span(w, p)
    return Lattice(slope, step) if step > 1 else None


@outer
def _span(w: Int64Array, p: Int64Array) -> tuple[Integer, Integer]:
    """Return slope and step; a step of 0 or 1 says nothing."""
    # Any step divides these; a few items mostly show that there is none.
    step: Integer = np.int64(0)
    for j in range(w.shape[0]):
        step = math.gcd(step, abs(p[0] * w[j] - p[j] * w[0]))
        if step == 1:
            return np.int64(0), step
    if step == 0 or step >= _LARGEST_STEP:
        return np.int64(0), np.int64(0)
    # A vector of the lattice with weight 1, put together from a few items.
    weight, slope = w[0], p[0] % step
    for j in range(1, w.shape[0]):
        if weight == 1:
            break
        # weight = a * (the weight so far) + b * w[j]
        x, y, a, b, c, d = weight, w[j], np.int64(1), np.int64(0), np.int64(0), np.int64(1)
        while y:
            quotient = x // y
            x, y = y, x - quotient * y
            a, c = c, a - quotient * c
            b, d = d, b - quotient * d
        weight = x
        slope = ((a % step) * slope + (b % step) * (p[j] % step) % step) % step
    if weight != 1:
        return np.int64(0), np.int64(0)
    for j in range(w.shape[0]):
        step = math.gcd(step, abs(p[j] % step - slope * (w[j] % step) % step))
    return slope % step, step
