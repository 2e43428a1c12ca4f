"""From a user's instance to one that the searches know: whole numbers, closed, with all arcs.

- A path with a start is a closed tour in which the way back to the start costs nothing, and one
  with an end a tour in which the way out of that end costs nothing; a path with neither is a tour
  through one more city, from and to which all ways cost nothing.
- An arc that does not exist becomes one longer than any tour of those that do: a tour of that
  length or more is none.
- Fractions of few decimals are counted in their last decimal, exactly. Others are rounded to whole
  multiples of a power of two, some 2**36 of which are the length of a tour: no tour's length is
  then wrong by more than ``error``, and so much the bounds are lowered.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from prunus.atsp.problem import ATSP
from prunus.errors import InputError
from prunus.model.arrays import BoolArray, FloatArray, Int64Array, Number
from prunus.runtime.incumbent import NO_INCUMBENT, Incumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.translated import TranslatedMonitor

MAX_DECIMALS = 9
"""Of distances that are counted exactly."""

MAX_EXACT = 2.0**50
"""Of the cities times the longest distance that is counted exactly."""

SAMPLE = 1000
"""So many distances are looked at before all."""

TOUR_BITS = 36
"""Binary digits of the length of a tour whose distances are rounded."""


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
    """By how much the length of a tour in ``integer`` and the user's may differ, in units of the
    first."""
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

    def cutoff(self, upper_bound: int) -> int:
        """Return a length that all tours better than the user's upper bound are below."""
        return min(NO_INCUMBENT, math.ceil(upper_bound * self.scale + self.error))

    def in_objectives(self, outcome: Outcome) -> Outcome:
        """Return what a search found in terms of the user's tours."""
        statistics: Mapping[str, Any] = outcome.statistics
        bound = None if outcome.bound is None else self.bound(int(outcome.bound))
        if not self.whole.integral:
            statistics = {**statistics, "length_error": float(self.error / self.scale)}
            if outcome.complete:
                bound = None  # the best tour's length, but for the error
        return replace(outcome, bound=bound, statistics=statistics)


class _IntegerIncumbent(Incumbent):
    """The incumbent as a search of the integer instance sees it; tours go to the user's."""

    def __init__(self, whole: Incumbent, instance: IntegerInstance) -> None:
        super().__init__()
        self.improvements = whole.improvements
        self._whole, self._instance = whole, instance
        cutoff = instance.forbidden
        if whole.cutoff < NO_INCUMBENT:
            cutoff = min(cutoff, instance.cutoff(whole.cutoff))
        if whole.best is not None:
            cutoff = min(cutoff, instance.length(whole.best.solution))
        self.shared_cutoff[0] = cutoff

    def offer(self, objective: Number, solution: Int64Array, source: str) -> bool:
        """Take a tour if it is better than the best one; return whether it was."""
        length = int(objective)
        if length >= self._instance.forbidden:
            return False
        tour = self._instance.tour(solution)
        taken = self._whole.offer(self._instance.whole.evaluate(tour), tour, source)
        with self._lock:
            self.shared_cutoff[0] = min(length, self.cutoff)
        if taken:
            self._tell()
        return taken


class IntegerMonitor(TranslatedMonitor):
    """The monitor as a search of the integer instance sees it."""

    def __init__(self, monitor: Monitor, instance: IntegerInstance) -> None:
        super().__init__(monitor, _IntegerIncumbent(monitor.incumbent, instance), instance.bound)


def transformed(problem: ATSP) -> IntegerInstance | None:
    """Return the instance that is searched; None if that is the user's.

    Raises ``InputError`` if distances are too large to be told from what does not exist.
    """
    if problem.distances.dtype.kind == "i" and problem.closed and not problem.start:
        return None
    distances = np.array(problem.distances)
    missing = np.isinf(distances) if distances.dtype.kind == "f" else np.zeros_like(distances, bool)
    distances[missing] = 0
    scale, error = Fraction(1), Fraction(0)
    if problem.integral:
        values = distances.astype(np.int64)
    else:
        scale, values, wrong = _scaled(distances, missing)
        # Each distance is rounded, and so is the sum that the user is told.
        error = len(values) * (wrong + Fraction(2 * int(values.max()), 2**53))
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
    nearest = np.where(missing | np.eye(len(distances), dtype=bool), np.inf, distances).min(1)
    tour = max(largest, float(nearest[np.isfinite(nearest)].sum()))
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
