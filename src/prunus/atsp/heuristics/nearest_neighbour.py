"""Nearest neighbour: go to the nearest city not yet visited, again and again."""

from __future__ import annotations

from prunus._native import atsp as _native
from prunus.atsp.problem import ATSP
from prunus.model.arrays import Int64Array

SOURCE = "nearest neighbour"
"""What a result's history calls it."""

MAX_DISTANCES_READ = 10_000_000
"""It is tried from so many cities that about this many distances are read: milliseconds."""


def nearest_neighbour(problem: ATSP, start: int = 0) -> tuple[Int64Array, int]:
    """Make the tour from one city; ties go to the first city."""
    return _native.nearest_neighbour(problem.distances, start)


def best_nearest_neighbour(problem: ATSP) -> tuple[Int64Array, int]:
    """Return the shortest of the tours from every city, or from some of them if there are many."""
    n = problem.cities
    starts = range(0, n, -(-n // max(1, min(n, MAX_DISTANCES_READ // n**2))))
    return min((nearest_neighbour(problem, start) for start in starts), key=lambda t: t[1])
