"""Tours that are given by each city's next one, as lists of cities."""

from __future__ import annotations

import numpy as np

from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import Int64Array


def tour_of(following: Int64Array) -> Int64Array:
    """Return the cities in order from city 0 on, where ``following`` has each one's next city."""
    tour = np.zeros(len(following), np.int64)
    for k in range(1, len(tour)):
        tour[k] = following[tour[k - 1]]
    return tour


@inner
def record_tour(following: Int64Array, length: int, found: Int64Array) -> None:
    """Write a tour's length and its cities to ``found``, as the best-first search reads it."""
    found[0] = length
    city = np.int64(0)
    for k in range(following.size):
        found[1 + k] = city
        city = following[city]
