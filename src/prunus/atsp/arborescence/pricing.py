"""Prices of a large instance by an ascent on few of its arcs; the others are looked at afterwards.

The cheapest 1-arborescence of a few arcs comes with a dual solution: what is taken from the arcs
into each set of cities that was contracted. An arc that was not among them costs its length less
the price of its tail and what the sets that it enters take. Where that is negative the head of the
arc takes so much less, and the bound is one of all arcs. The arcs that cost less than nothing join
the few, and the ascent goes on: columns are generated as for a linear program.

References
----------
M. Held, R. M. Karp (1971), The traveling-salesman problem and minimum spanning trees: part II,
Mathematical Programming 1, 6-25.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from prunus._native.atsp import Ascent, ascent, least_columns
from prunus.atsp.arborescence.rounds import Rounds
from prunus.atsp.arborescence.units import in_units, least_bound, shift_for
from prunus.atsp.assignment.relaxation import AssignmentRelaxation
from prunus.atsp.neighbours import nearest_elsewhere
from prunus.atsp.problem import ATSP
from prunus.atsp.symmetry import NEARLY_SYMMETRIC, symmetry
from prunus.model.arrays import BoolArray, Int64Array
from prunus.runtime.polling import polled_call

NEAREST = 8
"""Arcs of each city to those nearest, and as many from those, to begin with."""

STEPS = 200
"""Of ascent in a round."""


class SparseAscent:
    """Prices that give a good bound of an instance with many arcs, and the arcs that are of use.

    ``relaxed`` is the assignment relaxation, ``tour`` a good tour. ``price`` is that of the cities
    in units, of which ``2**shift`` are a distance of 1.
    """

    def __init__(self, problem: ATSP, relaxed: AssignmentRelaxation, tour: Int64Array) -> None:
        distances = problem.distances
        longest = problem.whole_length(tour)
        self.shift = shift_for(longest)
        self.bound = relaxed.bound
        self._tour, self._longest = tour, longest
        self._arriving = np.ascontiguousarray(distances.T)
        # Of distances that are alike there and back the assignment's prices say little.
        self.price = np.zeros(problem.cities, np.int64)
        if symmetry(distances) < NEARLY_SYMMETRIC:
            self.price = in_units(np.clip(relaxed.leaving, -2 * longest, 2 * longest), self.shift)
        self._chosen = _candidate_arcs(distances, self._arriving, tour)
        self._chosen[relaxed.following, np.arange(problem.cities)] = True
        self._stop = np.zeros(1, np.int64)
        self._rounds = Rounds(STEPS)
        self._ascent: Ascent | None = None

    @property
    def done(self) -> bool:
        """Whether all rounds are over."""
        return self._rounds.done

    def ascend(self, should_stop: Callable[[], bool]) -> None:
        """Do one round; it ends after the step under way when ``should_stop`` returns True."""
        head, tail = np.nonzero(self._chosen)
        arcs = tail, head, self._arriving[head, tail]
        units = self.shift, least_bound(self._longest, self.shift)
        self._ascent = ascent(len(self.price), arcs, *units, self.price, self._tour)
        polled_call(
            self._ascent.ascend_sparse,
            *(*self._rounds.next(), self._stop),
            should_stop=should_stop,
            interrupt=partial(self._stop.fill, 2),
        )
        self._stop[0] = 0
        self.price = self._ascent.price
        value = self._ascent.price_all(self._arriving, self._chosen, self._stop)
        before, self.bound = self.bound, max(self.bound, value)
        self._rounds.note(before, self.bound, self._longest)

    def useful_arcs(self, cap: int) -> tuple[Int64Array, Int64Array]:
        """Return tails and heads, by head, of the arcs of tours shorter than ``cap``."""
        assert self._ascent is not None
        useful = np.zeros_like(self._chosen)
        self._ascent.useful(self._arriving, cap, useful, self._stop)
        head, tail = np.nonzero(useful)
        return tail, head


def _candidate_arcs(distances: Int64Array, arriving: Int64Array, tour: Int64Array) -> BoolArray:
    """Return the arcs to begin with, a row a head: short ones, some to and from other clusters, and
    those of a tour.
    """
    n = len(arriving)
    chosen = np.zeros((n, n), np.bool_)
    chosen[np.roll(tour, -1), tour] = True
    for values, marks in ((arriving, chosen), (distances, chosen.T)):
        near = least_columns(values, min(NEAREST, n - 1))
        np.put_along_axis(marks, near, True, axis=1)
        np.put_along_axis(marks, nearest_elsewhere(values, near), True, axis=1)
    return chosen
