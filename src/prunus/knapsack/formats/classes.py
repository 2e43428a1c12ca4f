"""Random knapsack instances of the classes of the literature, reproducible everywhere.

Classical and hard classes: D. Pisinger, Where are the hard knapsack problems?, Computers &
Operations Research 32 (2005) 2271-2284. The *paper* class: V. Boyer, D. El Baz, M. Elkihel, Dense
dynamic programming on multi GPU, PDP 2011. The instances are not theirs bit by bit: raw words of
PCG64 and integer arithmetic alone go into them, so that a name is the same instance everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from prunus.errors import InputError
from prunus.knapsack.problem import Knapsack

MAX_ITEMS = 10**7
Array: TypeAlias = NDArray[np.int64]


class Draw:
    """Uniform integers from the raw words of PCG64."""

    def __init__(self, seed: int) -> None:
        self._words = np.random.PCG64(seed)

    def uniform(self, least: int | Array, largest: int | Array, count: int) -> Array:
        """Draw `count` integers of [least, largest], which span fewer than 2**31."""
        low = np.broadcast_to(np.asarray(least, dtype=np.int64), count)
        span = (np.asarray(largest, dtype=np.int64) - low + 1).astype(np.uint64)
        words = self._words.random_raw(count) >> np.uint64(32)
        return low + ((words * span) >> np.uint64(32)).astype(np.int64)


Maker: TypeAlias = Callable[[Draw, int, int], tuple[Array, Array]]


def _uncorrelated(draw: Draw, n: int, r: int) -> tuple[Array, Array]:
    return draw.uniform(1, r, n), draw.uniform(1, r, n)


def _weakly(draw: Draw, n: int, r: int) -> tuple[Array, Array]:
    w = draw.uniform(1, r, n)
    return draw.uniform(np.maximum(1, w - r // 10), w + r // 10, n), w


def _strongly(draw: Draw, n: int, r: int) -> tuple[Array, Array]:
    w = draw.uniform(1, r, n)
    return w + r // 10, w


def _inverse_strongly(draw: Draw, n: int, r: int) -> tuple[Array, Array]:
    p = draw.uniform(1, r, n)
    return p, p + r // 10


def _almost_strongly(draw: Draw, n: int, r: int) -> tuple[Array, Array]:
    w = draw.uniform(1, r, n)
    near = w + r // 10
    return draw.uniform(np.maximum(1, near - r // 500), near + r // 500, n), w


def _subset_sum(draw: Draw, n: int, r: int) -> tuple[Array, Array]:
    w = draw.uniform(1, r, n)
    return w, w


def _even_odd(draw: Draw, n: int, r: int) -> tuple[Array, Array]:
    w = 2 * draw.uniform(1, max(1, r // 2), n)
    return w + r // 10, w


def _similar_weights(draw: Draw, n: int, r: int) -> tuple[Array, Array]:
    return draw.uniform(1, r, n), draw.uniform(100 * r, 100 * r + max(1, r // 10), n)


def _spanner(base: Maker) -> Maker:
    """Two items span all others, which are multiples by 1 to 10 of one of them."""

    def make(draw: Draw, n: int, r: int) -> tuple[Array, Array]:
        p, w = base(draw, 2, r)
        p, w = np.maximum(1, -(-2 * p // 10)), np.maximum(1, -(-2 * w // 10))
        which, factor = draw.uniform(0, 1, n), draw.uniform(1, 10, n)
        return factor * p[which], factor * w[which]

    return make


def _multiple_strongly(draw: Draw, n: int, r: int) -> tuple[Array, Array]:
    w = draw.uniform(1, r, n)
    return w + np.where(w % 6 == 0, 3 * r // 10, 2 * r // 10), w


def _profit_ceiling(draw: Draw, n: int, r: int) -> tuple[Array, Array]:
    w = draw.uniform(1, r, n)
    return 3 * ((w + 2) // 3), w


def _circle(draw: Draw, n: int, r: int) -> tuple[Array, Array]:
    w = draw.uniform(1, r, n)
    # floor(2/3 sqrt(4 r^2 - (w - 2 r)^2)), the root of an integer and so the same everywhere
    squares = (4 * (4 * r * r - (w - 2 * r) ** 2)).tolist()
    return np.array([math.isqrt(square) // 3 for square in squares], dtype=np.int64), w


def _paper(draw: Draw, n: int, r: int) -> tuple[Array, Array]:
    w = draw.uniform(1, r, n)
    return w + 50, w


CLASSES: dict[str, Maker] = {
    "paper": _paper,
    "uncorrelated": _uncorrelated,
    "weakly": _weakly,
    "strongly": _strongly,
    "inverse-strongly": _inverse_strongly,
    "almost-strongly": _almost_strongly,
    "subset-sum": _subset_sum,
    "even-odd": _even_odd,
    "similar-weights": _similar_weights,
    "spanner-uncorrelated": _spanner(_uncorrelated),
    "spanner-weakly": _spanner(_weakly),
    "spanner-strongly": _spanner(_strongly),
    "multiple-strongly": _multiple_strongly,
    "profit-ceiling": _profit_ceiling,
    "circle": _circle,
}
"""What a class is called, and how its profits and weights are drawn from [1, R]."""


def generate(kind: str, items: int, largest: int, seed: int, name: str | None = None) -> Knapsack:
    """Draw an instance.

    There are 1 to 10**7 items; ``largest`` is R, the range of the coefficients, 1 to 10**9; seeds
    are from 0. The capacity is half the sum of the weights for the paper's class. For the others it
    is h / 101 of it, h = seed mod 101, or half of it when that is 0: the 100 capacities of
    Pisinger's series. Raises ``InputError`` if a parameter is out of range.
    """
    if kind not in CLASSES:
        raise InputError(f"{kind!r} is not a class of knapsacks; those are {', '.join(CLASSES)}")
    if not 1 <= items <= MAX_ITEMS:
        raise InputError(f"a generated knapsack has 1 to {MAX_ITEMS} items, got {items}")
    if not 1 <= largest <= 10**9:
        raise InputError(f"the range of a generated knapsack is 1 to 10**9, got {largest}")
    if seed < 0:
        raise InputError(f"the seed of a generated knapsack is from 0, got {seed}")
    profits, weights = CLASSES[kind](Draw(seed), items, largest)
    total, part = int(weights.sum()), seed % 101
    half = kind == "paper" or part == 0
    capacity = total // 2 if half else max(int(weights.max()), part * total // 101)
    return Knapsack(profits, weights, capacity, name=name)
