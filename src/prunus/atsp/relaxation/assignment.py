"""The assignment relaxation of the whole instance: its bound, its prices, and its cycles patched.

Each city has one next city; cycles that are no tour are joined, the smallest first with whichever
other it is cheapest to exchange an arc with (Karp 1979).

References
----------
R. M. Karp (1979), A patching algorithm for the nonsymmetric traveling-salesman problem, SIAM
Journal on Computing 8, 561-573.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.exact.dense import solve_stack
from prunus.assignment.threads import Threads
from prunus.problems.atsp import ATSP
from prunus.treesearch.compiled import outer

__all__ = ["Relaxed", "patch", "relax"]


@dataclass(frozen=True, slots=True)
class Relaxed:
    """The assignment of next cities with the least sum of distances.

    Attributes
    ----------
    bound
        That sum: no tour is shorter.
    following
        The next city of each.
    leaving, entering
        Prices: ``distances[i, j] - leaving[i] - entering[j]`` is never negative, and 0 for what is
        assigned.
    """

    bound: int
    following: NDArray[np.int64]
    leaving: NDArray[np.int64]
    entering: NDArray[np.int64]


def relax(problem: ATSP) -> Relaxed:
    """Solve the assignment relaxation of at least two cities."""
    n = problem.cities
    matrix = np.array(problem.distances, np.int64)
    np.fill_diagonal(matrix, 2**62)  # that is: not allowed
    columns, prices = solve_stack(matrix[None], False, Threads(1))
    following, entering = columns[0], -prices[0]
    np.fill_diagonal(matrix, 2**62 - 1 + entering.min())
    leaving = (matrix - entering).min(1)
    bound = int(problem.distances[np.arange(n), following].sum())
    return Relaxed(bound, following, leaving, entering)


@outer
def _patch(distances: Any, following: Any, cycle: Any):  # type: ignore[no-untyped-def]
    """Join cycles until one is left."""
    n = following.size
    while True:
        cycle[:] = -1
        count, smallest, least = 0, 0, n + 1
        for city in range(n):
            if cycle[city] < 0:
                size, v = 0, city
                while cycle[v] < 0:
                    cycle[v] = count
                    size += 1
                    v = following[v]
                if size < least:
                    smallest, least = count, size
                count += 1
        if count == 1:
            return
        best = np.int64(2**62)
        a = b = 0
        for i in range(n):
            if cycle[i] != smallest:
                continue
            after = following[i]
            for j in range(n):
                if cycle[j] == smallest:
                    continue
                then = following[j]
                change = distances[i, then] - distances[i, after]
                change += distances[j, after] - distances[j, then]
                if change < best:
                    best, a, b = change, i, j
        following[a], following[b] = following[b], following[a]


def patch(problem: ATSP, relaxed: Relaxed) -> NDArray[np.int64]:
    """Make a tour of the cycles of the assignment; it begins with city 0."""
    following = relaxed.following.copy()
    _patch(problem.distances, following, np.zeros(problem.cities, np.int64))
    tour = np.zeros(problem.cities, np.int64)
    for k in range(1, problem.cities):
        tour[k] = following[tour[k - 1]]
    return tour
