"""Karp's patching: the cycles of an assignment are joined to one tour.

The smallest cycle is joined first, with whichever other it is cheapest to exchange an arc with.

References
----------
R. M. Karp (1979), A patching algorithm for the nonsymmetric traveling-salesman problem, SIAM
Journal on Computing 8, 561-573.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from prunus._native.atsp import patch_cycles
from prunus.atsp.assignment.relaxation import AssignmentRelaxation
from prunus.atsp.problem import ATSP
from prunus.atsp.tours import tour_of
from prunus.model.arrays import Int64Array
from prunus.runtime.polling import polled_call

SOURCE = "patched assignment"
"""What a result's history calls it."""

POLLED_CITIES = 500
"""From so many cities on it may take long enough to be stopped in its midst."""


def patched_tour(
    problem: ATSP, relaxed: AssignmentRelaxation, should_stop: Callable[[], bool] = lambda: False
) -> Int64Array:
    """Make a tour of the cycles of the assignment; it begins with city 0.

    When ``should_stop`` returns True, the cycles that are left are joined in any way.
    """
    stop = np.zeros(1, np.int64)
    arguments = problem.distances, relaxed.following, stop
    if problem.cities < POLLED_CITIES:
        return tour_of(patch_cycles(*arguments))
    interrupt = partial(stop.fill, 1)
    return tour_of(
        polled_call(patch_cycles, *arguments, should_stop=should_stop, interrupt=interrupt)
    )


def cycles(following: Int64Array) -> Int64Array:
    """Return a number for each city, the same for those of one cycle."""
    cycle = np.full(len(following), -1)
    for start in range(len(following)):
        city = start
        while cycle[city] < 0:
            cycle[city] = start
            city = int(following[city])
    return cycle
