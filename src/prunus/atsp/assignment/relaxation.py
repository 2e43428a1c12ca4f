"""The assignment relaxation of the whole instance: each city has one next city.

Its value is a lower bound, and its prices say which arcs a better tour can have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from prunus._native.assignment import match_in_order
from prunus.atsp.problem import ATSP
from prunus.model.arrays import BoolArray, Int64Array
from prunus.runtime.polling import polled_call

POLLED_CITIES = 500
"""From so many cities on it takes long enough to be stopped in its midst."""

ENTRIES_COUNTED = 500_000
"""Distances of which those of use are counted at once."""


@dataclass(frozen=True, slots=True)
class AssignmentRelaxation:
    """The assignment of next cities with the least sum of distances."""

    bound: int
    """That sum: no tour is shorter."""
    following: Int64Array
    """The next city of each."""
    leaving: Int64Array
    entering: Int64Array
    """Prices: ``distances[i, j] - leaving[i] - entering[j]`` is never negative, and 0 for what is
    assigned."""

    @property
    def complete(self) -> bool:
        """Whether each city has a next one."""
        return bool(self.following.min() >= 0)

    def reduced_costs(self, problem: ATSP) -> Int64Array:
        """Return what each arc costs beyond its prices."""
        reduced: Int64Array = problem.distances - self.leaving[:, None] - self.entering
        return reduced

    def useful_arcs(self, problem: ATSP, cap: int) -> tuple[Int64Array, Int64Array]:
        """Return tails and heads of the arcs that a tour shorter than ``cap`` can have, by head."""
        useful = self._useful(problem, cap, 0, problem.cities)
        head, tail = (np.ascontiguousarray(x) for x in np.nonzero(useful.T))
        return tail, head

    def has_useful_arcs(self, problem: ATSP, cap: int, many: int) -> bool:
        """Return whether there are so many of them, without a look at all where it shows soon."""
        n, found = problem.cities, 0
        rows = max(1, ENTRIES_COUNTED // n)
        for begin in range(0, n, rows):
            found += int(np.count_nonzero(self._useful(problem, cap, begin, begin + rows)))
            if found >= many:
                return True
        return False

    def _useful(self, problem: ATSP, cap: int, begin: int, end: int) -> BoolArray:
        """Tell which arcs out of some cities a tour shorter than ``cap`` can have."""
        away, leaving = problem.distances[begin:end], self.leaving[begin:end]
        useful: BoolArray = (away - leaving[:, None] - self.entering < cap - self.bound) & (
            away < cap
        )
        useful[np.arange(len(away)), np.arange(begin, begin + len(away))] = False
        return useful


def assignment_relaxation(
    problem: ATSP, should_stop: Callable[[], bool] | None = None
) -> AssignmentRelaxation:
    """Solve the assignment relaxation of at least two cities.

    ``should_stop`` is asked meanwhile, from ``POLLED_CITIES`` on; when it returns True what is
    found is not ``complete``, and its bound what the cities that had a next one by then have
    proven.
    """
    n = problem.cities
    matrix = np.array(problem.distances, np.int64)
    np.fill_diagonal(matrix, 2**62)  # that is: not allowed
    if should_stop is None or n < POLLED_CITIES:
        complete, following, prices = match_in_order(matrix, False)
    else:
        flag = np.zeros(1, np.int64)
        complete, following, prices = polled_call(
            match_in_order,
            *(matrix, False, flag),
            should_stop=should_stop,
            interrupt=lambda: flag.fill(1),
        )
    entering = -prices
    np.fill_diagonal(matrix, 2**62 - 1 + entering.min())
    leaving = (matrix - entering).min(1)
    if not complete:
        bound = int(leaving.sum() + entering.sum())
        return AssignmentRelaxation(bound, following, leaving, entering)
    bound = int(problem.distances[np.arange(n), following].sum())
    return AssignmentRelaxation(bound, following, leaving, entering)
