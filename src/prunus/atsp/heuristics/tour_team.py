"""All cores improve tours: one tour in parts where it is long, a tour each where it is short.

A part begins and ends with cities that stay; between two rounds the tour is turned, so that these
are others. Who finds nothing better for a long time goes back to the best tour of all, shaken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from prunus._native.atsp import Tour, TourSearch, least_columns
from prunus.atsp.neighbours import nearest_elsewhere
from prunus.atsp.problem import ATSP
from prunus.atsp.symmetry import symmetry
from prunus.hardware.threads import run_together
from prunus.model.arrays import Int32Array, Int64Array, IntArray
from prunus.model.seeds import generator_seed
from prunus.runtime.heuristic_times import HeuristicTimes

SOURCE = "iterated local search"
"""What a result's history calls it."""

FEW_KICKS = 100
"""Of the one core that descends after a start, or a shake, while the others wait."""


@dataclass(frozen=True, slots=True)
class LocalSearchTuning:
    """How wide and how long the local search is; measured by ``benchmarks.tours``."""

    neighbours: int = 8
    neighbours_one_way: int = 12
    """Cities nearest to each that new arcs may lead to, where distances are the same there and
    back, and where they are not."""
    alike: float = 0.5
    """From this symmetry of the distances there and back on, parts of the tour are reversed."""
    longest_reversal: int = 100
    """Cities of a part that is reversed where distances are not symmetric."""
    kicks_per_city: int = 50
    fewest_kicks: int = 1500
    most_kicks: int = 50_000
    """Kicks before an exact search: so many a city, within these bounds."""
    round_per_city: int = 5
    longest_round: int = 2000
    """Kicks of a core between two turns of the tour: so many a city, at most so many."""
    patience_per_city: int = 20
    saturation_per_city: int = 300
    """Kicks a city without a better tour after which a core shakes the best one, and after which
    the local search has probably found what it finds."""
    cities_per_shake: int = 10
    """The best tour is shaken by one kick for so many cities."""
    parted_cities: int = 250
    """From so many cities a core on all cores improve one tour."""
    journal: int = 10_000
    """Reversals of a descent that can be undone."""

    def kicks_for(self, cities: int) -> int:
        """Return how many kicks are sensible before an exact search."""
        return max(self.fewest_kicks, min(self.kicks_per_city * cities, self.most_kicks))


DEFAULT_TUNING = LocalSearchTuning()
"""What holds where nothing else is said."""


def from_zero(tour: IntArray) -> Int64Array:
    """Turn a tour so that it begins with city 0."""
    return np.roll(tour, -int(np.flatnonzero(tour == 0)[0])).astype(np.int64)


class TourTeam:
    """Cores that look for shorter tours.

    There are at least two cities; the team begins with the tour ``start``. On one core a seed
    always gives the same tours. ``nearness``, shape (cities, cities), says which cities are near:
    by default distances less the least ones from and to each city, or the distances where they are
    symmetric. ``on_improvement`` is called with each better tour, which begins with city 0, and its
    length; ``times`` is told what all cores take. ``length`` is that of the best tour; ``kicks``
    were made.
    """

    def __init__(
        self,
        problem: ATSP,
        start: Int64Array,
        cores: int = 1,
        seed: int = 0,
        *,
        nearness: Int64Array | None = None,
        on_improvement: Callable[[Int64Array, int], object] = lambda tour, length: None,
        times: HeuristicTimes | None = None,
        tuning: LocalSearchTuning = DEFAULT_TUNING,
    ) -> None:
        self._problem, self._tuning, self._tell = problem, tuning, on_improvement
        self._times = times or HeuristicTimes()
        self._best = np.array(start, np.int64)
        self.length = problem.whole_length(self._best)
        self.kicks = 0
        self._better_at = 0
        n = problem.cities
        distances = problem.distances
        symmetric = bool((distances == distances.T).all())
        if symmetric:
            reversal, count = n, tuning.neighbours
        else:
            alike = symmetry(distances) >= tuning.alike
            reversal, count = (tuning.longest_reversal if alike else 0), tuning.neighbours_one_way
            nearness = _relative(distances) if nearness is None else nearness
        near = _nearest(distances if symmetric or nearness is None else nearness, distances, count)
        self._stop = np.zeros(1, np.int64)
        self._parted = cores > 1 and n >= tuning.parted_cities * cores
        tours = 1 if self._parted else cores
        self._tours = [Tour(self._best) for _ in range(tours)]
        self._searches = [
            TourSearch(
                distances,
                near,
                self._tours[0 if self._parted else core],
                generator_seed(seed, core),
                longest_reversal=reversal,
                symmetric=symmetric,
                journal=tuning.journal,
            )
            for core in range(cores)
        ]
        self._lengths = [self.length] * tours
        self._still = [0] * tours
        self._shaken = [0] * tours
        self._turns = np.random.default_rng([abs(seed), int(seed < 0)])
        self._first = [np.arange(n)] * tours

    @property
    def saturated(self) -> bool:
        """Whether no better tour has been found for long."""
        since = self.kicks - self._better_at
        return since >= self._tuning.saturation_per_city * self._problem.cities

    @property
    def best(self) -> Int64Array:
        """The best tour, from city 0 on."""
        return from_zero(self._best)

    def interrupt(self) -> None:
        """Have the round under way end soon; safe in any thread."""
        self._stop[0] = 1

    def round(self, kicks: int | None = None, cores: int | None = None) -> None:
        """Make some kicks on each core, or on so many of them."""
        n, tuning = self._problem.cities, self._tuning
        most = min(tuning.longest_round, max(1, tuning.round_per_city * n))
        size = most if kicks is None else min(kicks, most)
        used = len(self._searches) if cores is None else max(1, min(cores, len(self._searches)))
        if self._parted and (len(self._first[0]) == n or self._shaken[0]):
            # What is better across the parts is found only while there is one.
            used, size = 1, min(size, FEW_KICKS)
        ends = [n * k // used for k in range(used + 1)]

        def improve(core: int) -> tuple[int, int]:
            tour, shares = (0, used) if self._parted else (core, 1)
            lo, hi = (ends[core], ends[core + 1] - 1) if self._parted else (0, n - 1)
            shaken, first = self._shaken[tour] // shares, self._first[tour]
            with self._times.timing(SOURCE):
                return self._searches[core].improve(lo, hi, size, shaken, first, self._stop)

        done = run_together(improve, range(used))
        self.kicks += sum(kicked for _, kicked in done)
        gains = [gain for gain, _ in done]
        if self._parted:
            fixed = [place for end in ends for place in (end, end - 1)]
            self._note(0, sum(gains), size * used, fixed)
        else:
            for tour, gain in enumerate(gains):
                self._note(tour, gain, size, [0, n - 1])

    def _note(self, number: int, gain: int, kicks: int, fixed: list[int]) -> None:
        """Take note of what a round has done to a tour, and turn it; some places were fixed."""
        n, tuning, tour = self._problem.cities, self._tuning, self._tours[number]
        order = tour.order
        self._lengths[number] -= gain
        self._still[number] = 0 if gain > 0 else self._still[number] + kicks
        if self._lengths[number] < self.length:
            self._best, self.length = order, self._lengths[number]
            self._better_at = self.kicks
            self._tell(self.best, self.length)
        self._shaken[number] = 0
        if self._still[number] >= tuning.patience_per_city * n:
            order, self._lengths[number], self._still[number] = self._best, self.length, 0
            self._shaken[number] = 1 + n // tuning.cities_per_shake
        turn = int(self._turns.integers(n))
        tour.order = np.roll(order, turn)
        self._first[number] = (np.array(fixed) + turn) % n


def _relative(distances: Int64Array) -> Int64Array:
    """Return distances less the least from and to each city."""
    away = distances.copy()
    np.fill_diagonal(away, np.iinfo(np.int64).max)
    away -= away.min(1)[:, None]
    away -= away.min(0)
    return away


def _nearest(nearness: Int64Array, distances: Int64Array, count: int) -> Int32Array:
    """Return the cities to go to from each, by distance: nearest ones, also of other clusters."""
    n = len(distances)
    count = min(count, n - 1)
    some = least_columns(nearness, count)
    some = np.concatenate([some, nearest_elsewhere(nearness, some)], axis=1)
    order = np.argsort(np.take_along_axis(distances, some, axis=1), axis=1, kind="stable")
    return np.take_along_axis(some, order, axis=1).astype(np.int32)
