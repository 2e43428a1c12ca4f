"""Karp's patching: the cycles of an assignment are joined to one tour.

The smallest cycle is joined first, with whichever other it is cheapest to exchange an arc with.

References
----------
R. M. Karp (1979), A patching algorithm for the nonsymmetric traveling-salesman problem, SIAM
Journal on Computing 8, 561-573.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from prunus.atsp.assignment.relaxation import AssignmentRelaxation
from prunus.atsp.problem import ATSP
from prunus.atsp.tours import tour_of
from prunus.model.arrays import Int64Array

SOURCE = "patched assignment"
"""What a result's history calls it."""

JOINED_BETWEEN_POLLS = 16
"""So many cycles are joined between two questions whether to stop: milliseconds."""


def patched_tour(
    problem: ATSP, relaxed: AssignmentRelaxation, should_stop: Callable[[], bool] = lambda: False
) -> Int64Array:
    """Make a tour of the cycles of the assignment; it begins with city 0.

    When ``should_stop`` returns True, the cycles that are left are joined in any way.
    """
    following = relaxed.following.copy()
    _patch(problem.distances, following, should_stop)
    return tour_of(following)


def cycles(following: Int64Array) -> Int64Array:
    """Return a number for each city, the same for those of one cycle."""
    cycle = np.full(len(following), -1)
    for start in range(len(following)):
        city = start
        while cycle[city] < 0:
            cycle[city] = start
            city = int(following[city])
    return cycle


def _patch(distances: Int64Array, following: Int64Array, should_stop: Callable[[], bool]) -> None:
    """Join cycles until one is left."""
    cycle = cycles(following)
    for joined in itertools.count(1):
        if joined % JOINED_BETWEEN_POLLS == 0 and should_stop():
            # One city of each cycle goes on to where that of the next one went.
            heads = np.unique(cycle, return_index=True)[1]
            following[heads] = np.roll(following[heads], 1)
            return
        sizes = np.bincount(cycle)
        names = np.flatnonzero(sizes)
        if len(names) == 1:
            return
        inside = cycle == names[sizes[names].argmin()]
        here, there = np.flatnonzero(inside), np.flatnonzero(~inside)
        after, then = following[here], following[there]
        change = distances[here[:, None], then] - distances[here, after][:, None]
        change += distances[there[:, None], after].T - distances[there, then]
        a, b = np.unravel_index(change.argmin(), change.shape)
        following[here[a]], following[there[b]] = then[b], after[a]
        cycle[here] = cycle[there[b]]
