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
from numpy.typing import NDArray

__all__ = ["Lattice", "lattice_of"]

Array = NDArray[np.int64]

_SAMPLE = 32
_LARGEST = 1 << 31  # step, so that products fit
_FAR = 1 << 17  # how far below the capacity weights are looked at one by one
_CHUNK = 1 << 10


@dataclass(frozen=True, slots=True)
class Lattice:
    """What total profits are, given total weights.

    Attributes
    ----------
    slope, step
        A choice of weight W is worth ``slope * W`` and a multiple of ``step``.
    """

    slope: int
    step: int

    def floor(self, bound: float, price: float, capacity: int, value: int) -> int:
        """Round a bound down.

        Parameters
        ----------
        bound
            No choice is worth more.
        price
            A choice that weighs t less than the capacity is worth at most ``bound - t * price``.
        capacity
            What a choice may weigh.
        value
            Only what is worth more is of interest.

        Returns
        -------
        int
            No choice is worth more, unless ``value`` is more.
        """
        best, start = value, 0
        while start <= min(_FAR, capacity):
            if math.floor(bound - start * price) <= best:
                return best
            t = np.arange(start, min(start + _CHUNK, capacity + 1))
            top = np.floor(bound - t * price).astype(np.int64)
            beyond = self.slope * capacity % self.step
            best = max(best, int((top - (top - beyond + self.slope * t) % self.step).max()))
            start += _CHUNK
        return max(best, math.floor(bound - start * price)) if start <= capacity else best


def lattice_of(w: Array, p: Array) -> Lattice | None:
    """Return the lattice that items span; None if it says nothing.

    Parameters
    ----------
    w, p
        Weights, without a common divisor, and profits; all positive.
    """
    if len(w) < 2 or int(w.max()) * int(p.max()) >= 1 << 62:
        return None
    # Any step divides these; a few items mostly show that there is none.
    for part in (slice(_SAMPLE), slice(None)):
        step = int(np.gcd.reduce(p[0] * w[part] - p[part] * w[0]))
        if step == 1:
            return None
    if not 1 < step < _LARGEST:
        return None
    weight, profit = int(w[0]), int(p[0])
    for other, more in zip(w.tolist(), p.tolist(), strict=True):
        if weight == 1:
            break
        weight, a, b = _bezout(weight, other)
        profit = (a * profit + b * more) % step
    slope = profit % step
    step = math.gcd(step, int(np.gcd.reduce((p - slope * (w % step)) % step)))
    return Lattice(slope % step, step) if weight == 1 and step > 1 else None


def _bezout(x: int, y: int) -> tuple[int, int, int]:
    """Return the greatest common divisor, and what it is the sum of: multiples of both."""
    a, b, c, d = 1, 0, 0, 1
    while y:
        quotient = x // y
        x, y = y, x - quotient * y
        a, c = c, a - quotient * c
        b, d = d, b - quotient * d
    return x, a, b
