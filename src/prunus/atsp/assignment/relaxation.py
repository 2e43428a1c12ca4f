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

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.exact.dense_paths import solve_stack
from prunus.assignment.threads import Threads
from prunus.atsp.problem import ATSP

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


def _cycles(following: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number for each city, the same for those of one cycle."""
    cycle = np.full(len(following), -1)
    for start in range(len(following)):
        city = start
        while cycle[city] < 0:
            cycle[city] = start
            city = int(following[city])
    return cycle


def _patch(distances: NDArray[np.int64], following: NDArray[np.int64]) -> None:
    """Join cycles until one is left."""
    cycle = _cycles(following)
    while True:
        names, sizes = np.unique(cycle, return_counts=True)
        if len(names) == 1:
            return
        inside = cycle == names[sizes.argmin()]
        here, there = np.flatnonzero(inside), np.flatnonzero(~inside)
        after, then = following[here], following[there]
        change = distances[np.ix_(here, then)] - distances[here, after][:, None]
        change += distances[np.ix_(there, after)].T - distances[there, then]
        a, b = np.unravel_index(change.argmin(), change.shape)
        following[here[a]], following[there[b]] = then[b], after[a]
        cycle[here] = cycle[there[b]]


def patch(problem: ATSP, relaxed: Relaxed) -> NDArray[np.int64]:
    """Make a tour of the cycles of the assignment; it begins with city 0."""
    following = relaxed.following.copy()
    _patch(problem.distances, following)
    tour = np.zeros(problem.cities, np.int64)
    for k in range(1, problem.cities):
        tour[k] = following[tour[k - 1]]
    return tour
