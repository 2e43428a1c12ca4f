"""Random asymmetric instances of two classes, *tsmat* and *crane*, reproducible everywhere.

The classes are those of J. Cirasella, D. S. Johnson, L. A. McGeoch and W. Zhang, The asymmetric
traveling salesman problem: algorithms, instance generators, and tests, ALENEX 2001; the instances
are not theirs bit by bit. The name tells the seed: ``tsmat:15:1`` is the same matrix on every
machine and with every NumPy, because only the raw words of PCG64, integers and correctly rounded
square roots go into it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from prunus.errors import InputError

SIDE = 10**6
MAX_CITIES = 2000


def tsmat(cities: int, seed: int) -> NDArray[np.int64]:
    """Uniform random distances in 0..10**6, closed under shortest paths.

    The triangle inequality holds, and little else does: there and back are unrelated.

    There are 1 to 2000 cities, and seeds from 0. Raises ``InputError`` if the number of cities or
    the seed is out of range.
    """
    _check(cities, seed)
    distances = _uniform(seed, cities * cities, SIDE).reshape(cities, cities)
    np.fill_diagonal(distances, 0)
    for via in range(cities):  # Floyd and Warshall
        np.minimum(distances, distances[:, via, None] + distances[via], out=distances)
    return distances


def crane(cities: int, seed: int) -> NDArray[np.int64]:
    """Loads that a crane moves from a source to a destination not far from it.

    Sources are uniform in a square of side 10**6. A destination lies off its source by two offsets,
    each uniform in ±10**6 / u with u = 10 sqrt(cities / 100). The distance from load i to load j is
    the Euclidean one from the destination of i to the source of j, rounded.

    There are 1 to 2000 cities, and seeds from 0. Raises ``InputError`` if the number of cities or
    the seed is out of range.
    """
    _check(cities, seed)
    reach = math.isqrt(SIDE**2 // cities)  # 10**6 / (10 sqrt(cities / 100)), rounded down
    draws = _uniform(seed, 4 * cities, np.repeat([SIDE, 2 * reach], 2 * cities))
    sources = draws[: 2 * cities].reshape(cities, 2)
    destinations = sources + draws[2 * cities :].reshape(cities, 2) - reach
    offsets = destinations[:, None] - sources[None]
    distances: NDArray[np.int64] = np.rint(np.sqrt((offsets**2).sum(axis=2))).astype(np.int64)
    np.fill_diagonal(distances, 0)
    return distances


def _check(cities: int, seed: int) -> None:
    if not 1 <= cities <= MAX_CITIES:
        raise InputError(f"a generated ATSP has 1 to {MAX_CITIES} cities, got {cities}")
    if seed < 0:
        raise InputError(f"the seed of a generated ATSP is from 0, got {seed}")


def _uniform(seed: int, count: int, largest: int | NDArray[np.int64]) -> NDArray[np.int64]:
    """Draw integers uniform in 0..largest (below 2**31) from the raw words of PCG64.

    NumPy keeps those the same for ever, but not the methods of its `Generator`. The upper 32 bits
    of a word are scaled; the bias is below one in a thousand even for the largest range here.
    """
    words = np.random.PCG64(seed).random_raw(count) >> np.uint64(32)
    return ((words * np.asarray(largest + 1, dtype=np.uint64)) >> np.uint64(32)).astype(np.int64)
