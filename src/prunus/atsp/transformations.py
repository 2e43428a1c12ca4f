"""From a user's instance to one that the searches know: whole numbers, closed, with all arcs.

- A path with a start is a closed tour in which the way back to the start costs nothing, and one
  with an end a tour in which the way out of that end costs nothing; a path with neither is a tour
  through one more city, from and to which all ways cost nothing.
- An arc that does not exist becomes one longer than any tour of those that do: a tour of that
  length or more is none.
- Fractions of few decimals are counted in their last decimal, exactly. Others are rounded to whole
  multiples of a power of two, some 2**36 of which are the length of a tour: no tour's length is
  then wrong by more than ``error``, and so much the bounds are lowered.
- Where some distances are longer by far than others, a tour is made first, and those longer than
  twice that tour count as that much: a tour with one of them is not the shortest. Otherwise
  the shorter ones would all be rounded to the same multiples.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from prunus.atsp.assignment.relaxation import assignment_relaxation
from prunus.atsp.heuristics.karp_patching import patched_tour
from prunus.atsp.heuristics.local_search import iterated_local_search
from prunus.atsp.heuristics.nearest_neighbour import nearest_neighbour
from prunus.atsp.problem import ATSP
from prunus.errors import InputError
from prunus.model.arrays import BoolArray, FloatArray, Int64Array, Number
from prunus.runtime.incumbent import NO_INCUMBENT, Incumbent, IncumbentView
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.translated_monitor import TranslatedMonitor

MAX_DECIMALS = 9
"""Of distances that are counted exactly."""

MAX_EXACT = 2.0**50
"""Of the cities times the longest distance that is counted exactly."""

SAMPLE = 1000
"""So many distances are looked at before all."""

TOUR_BITS = 36
"""Binary digits of the length of a tour whose distances are rounded."""

LARGEST_ERROR = 1e-6
"""Of the length of a tour that is still said to be optimal, as a part of it."""

SMALL_ERROR = 1e-7
"""Of the nearest cities' distances together that needs no tour to see how it could be less."""

FAR_LONGER = 8.0
"""A distance is longer by far than a tour if it is so many times as long."""

MANY_CITIES = 1000
"""With more cities the tour that says so is the nearest neighbour's."""


@dataclass(frozen=True, eq=False)
class IntegerInstance:
    """An instance as the searches see it."""

    whole: ATSP
    """The user's."""
    integer: ATSP
    """What is searched."""
    scale: Fraction
    """A distance of 1 becomes so much."""
    error: Fraction
    """By how much the length of a tour in ``integer`` may exceed the user's, in units of the first;
    and fall short of it, but for tours that are too long to be the shortest."""
    forbidden: int
    """A tour of this length or more uses an arc that does not exist; ``NO_INCUMBENT`` if all do."""

    @property
    def has_missing_arcs(self) -> bool:
        """Whether some arcs do not exist."""
        return self.forbidden < NO_INCUMBENT

    @property
    def exists(self) -> BoolArray:
        """Which arcs do."""
        return self.integer.distances < self.forbidden

    def tour(self, order: Int64Array) -> Int64Array:
        """Turn a tour of ``integer`` into one of the user's."""
        problem, order = self.whole, np.asarray(order, np.int64)
        if self.integer.cities > problem.cities:
            extra = int(np.flatnonzero(order == problem.cities)[0])
            return np.roll(order, -extra)[1:]
        if problem.start is None and problem.end is not None:
            return np.roll(order, -1 - int(np.flatnonzero(order == problem.end)[0]))
        return np.roll(order, -int(np.flatnonzero(order == (problem.start or 0))[0]))

    def length(self, tour: Int64Array) -> int:
        """Return how long one of the user's tours is in ``integer``."""
        extra = range(self.whole.cities, self.integer.cities)
        return self.integer.whole_length([*tour, *extra])

    def bound(self, length: int) -> Number | None:
        """Return what a bound means for the user's tours; None if it says that there is none."""
        if length >= self.forbidden:
            return None
        if self.whole.integral:
            return length
        least = max(Fraction(0), (length - self.error) / self.scale)
        rounded = float(least)
        return rounded if Fraction(rounded) <= least else math.nextafter(rounded, -math.inf)

    def least_length(self, bound: Number) -> int:
        """Return what no tour is shorter than, given a bound on the user's."""
        return math.ceil(Fraction(bound) * self.scale - self.error)

    def cutoff(self, upper_bound: int) -> int:
        """Return a length that all tours better than the user's upper bound are below."""
        return min(NO_INCUMBENT, math.ceil(upper_bound * self.scale + self.error))

    def in_objectives(
        self, outcome: Outcome, best: Number | None, upper_bound: int | None
    ) -> Outcome:
        """Return what a search found in terms of the user's tours, of which ``best`` is the length.

        No tour is shorter than that, or than the ``upper_bound``, by more than the error, which
        mostly is beyond the digits that are shown. Where it is not, as nearly all distances were
        rounded to the same multiples, the search proves no more than its bound.
        """
        bound = None if outcome.bound is None else self.bound(int(outcome.bound))
        if self.whole.integral:
            return replace(outcome, bound=bound)
        statistics = {**outcome.statistics, "length_error": float(self.error / self.scale)}
        complete = outcome.complete
        reached = [length for length in (best, upper_bound) if length is not None]
        if complete and bound is not None and reached:
            complete = min(reached) - bound <= LARGEST_ERROR * min(reached)
            bound = None if complete else bound
        return replace(outcome, complete=complete, bound=bound, statistics=statistics)


class _IntegerIncumbent(IncumbentView):
    """The incumbent as a search of the integer instance sees it."""

    def __init__(self, whole: Incumbent, instance: IntegerInstance) -> None:
        self._instance = instance
        cutoff = instance.forbidden
        if whole.cutoff < NO_INCUMBENT:
            cutoff = min(cutoff, instance.cutoff(whole.cutoff))
        if whole.best is not None:
            cutoff = min(cutoff, instance.length(whole.best.solution))
        super().__init__(whole, cutoff)

    def offer(self, objective: Number, solution: Int64Array, source: str) -> bool:
        """Take a tour if it is better than the best one; return whether it was."""
        length = int(objective)
        if length >= self._instance.forbidden:
            return False
        tour = self._instance.tour(solution)
        taken = self._whole.offer(self._instance.whole.evaluate(tour), tour, source)
        return self._follow(taken, length)


class IntegerMonitor(TranslatedMonitor):
    """The monitor as a search of the integer instance sees it."""

    def __init__(self, monitor: Monitor, instance: IntegerInstance) -> None:
        incumbent = _IntegerIncumbent(monitor.incumbent, instance)
        super().__init__(monitor, incumbent, instance.bound, instance.least_length)


def transformed(problem: ATSP) -> IntegerInstance | None:
    """Return the instance that is searched; None if that is the user's.

    Raises ``InputError`` if distances are too large to be told from what does not exist.
    """
    if problem.distances.dtype.kind == "i" and problem.closed and not problem.start:
        return None
    distances = np.array(problem.distances)
    missing = np.isinf(distances) if distances.dtype.kind == "f" else np.zeros_like(distances, bool)
    distances[missing] = 0
    if problem.integral:
        return _instance(problem, distances.astype(np.int64), missing)
    while True:
        scale, values, wrong = _scaled(distances, missing)
        # Each distance is rounded, and so is the sum that the user is told.
        error = len(values) * (wrong + Fraction(2 * int(values.max()), 2**53))
        instance = _instance(problem, values, missing, scale, error)
        longest = _too_long(instance, distances, missing)
        if longest * FAR_LONGER > distances.max():
            return instance
        distances = np.minimum(distances, longest)


def _too_long(instance: IntegerInstance, distances: FloatArray, missing: BoolArray) -> float:
    """Return a distance that the shortest tour has none of; infinity if none is known."""
    near = _nearest(distances, missing)
    # A path has an end, from where it goes nowhere.
    least = Fraction(SMALL_ERROR * float(near.sum() - near.max(initial=0)))
    if instance.error <= least * instance.scale:
        return math.inf
    problem = instance.integer
    if problem.cities > MANY_CITIES:
        tour = nearest_neighbour(problem, int(problem.distances.sum(1).argmax()))[0]
    else:
        patched = patched_tour(problem, assignment_relaxation(problem))
        tour = iterated_local_search(problem, start=patched)[0]
    if problem.whole_length(tour) >= instance.forbidden:
        return math.inf
    length = max(instance.whole.evaluate(instance.tour(tour)), distances[distances > 0].min())
    # A round number, so that decimals are still counted exactly.
    return 10.0 ** math.ceil(math.log10(2 * length))


def _nearest(distances: FloatArray, missing: BoolArray) -> FloatArray:
    """Return how far the nearest city of each is that has one."""
    near = np.where(missing | np.eye(len(distances), dtype=bool), np.inf, distances).min(1)
    found: FloatArray = near[np.isfinite(near)]
    return found


def _instance(
    problem: ATSP,
    values: Int64Array,
    missing: BoolArray,
    scale: Fraction = Fraction(1),
    error: Fraction = Fraction(0),
) -> IntegerInstance:
    """Return an instance of whole distances, closed, with an arc for each that does not exist."""
    values, missing = _closed(problem, values, missing)
    forbidden = NO_INCUMBENT
    if missing.any():
        forbidden = 1 + sum(map(int, values.max(1).tolist()))
        if 4 * len(values) * forbidden >= NO_INCUMBENT:
            raise InputError(
                "distances are too large for an instance with arcs that do not exist; scale them "
                "down"
            )
        values[missing] = forbidden
    return IntegerInstance(problem, ATSP._of(values), scale, error, forbidden)


def _scaled(distances: FloatArray, missing: BoolArray) -> tuple[Fraction, Int64Array, Fraction]:
    """Return a scale, whole distances, and by how much one may be wrong before it was rounded."""
    largest = float(distances.max())
    some = distances.ravel()[:SAMPLE]
    for decimals in range(MAX_DECIMALS + 1):
        ten = 10.0**decimals
        if len(distances) * largest * ten >= MAX_EXACT:
            break
        if all((np.rint(part * ten) / ten == part).all() for part in (some, distances)):
            return Fraction(10**decimals), np.rint(distances * ten).astype(np.int64), Fraction(0)
    tour = max(largest, float(_nearest(distances, missing).sum()))
    power = TOUR_BITS - math.frexp(tour)[1]
    values = np.rint(np.ldexp(distances, power)).astype(np.int64)
    return Fraction(2) ** power, values, Fraction(1, 2)


def _closed(problem: ATSP, values: Int64Array, missing: BoolArray) -> tuple[Int64Array, BoolArray]:
    """Close a path: return distances, and which arcs do not exist."""
    start, end = problem.start, problem.end
    if problem.closed:
        return values, missing
    if start is None and end is None:
        return np.pad(values, (0, 1)), np.pad(missing, (0, 1))
    if start is not None:
        values[:, start] = 0
        missing[:, start] = end is not None
    if end is not None:
        values[end] = 0
        missing[end] = start is not None
        missing[end, start if start is not None else end] = False
    np.fill_diagonal(missing, False)
    return values, missing
