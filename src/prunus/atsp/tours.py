"""Tours that are given by each city's next one, as lists of cities."""

from __future__ import annotations

import numpy as np

from prunus.model.arrays import Int64Array


def tour_of(following: Int64Array) -> Int64Array:
    """Return the cities in order from city 0 on, where ``following`` has each one's next city."""
    tour = np.zeros(len(following), np.int64)
    for k in range(1, len(tour)):
        tour[k] = following[tour[k - 1]]
    return tour
