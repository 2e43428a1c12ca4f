"""The tours of one solve: first ones, and local search, before the tree or beside everything."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from prunus.atsp.assignment.relaxation import AssignmentRelaxation
from prunus.atsp.duplicate_cities import MergedCities
from prunus.atsp.heuristics.anytime_tours import AnytimeTours
from prunus.atsp.heuristics.karp_patching import SOURCE as PATCHED
from prunus.atsp.heuristics.karp_patching import cycles, patched_tour
from prunus.atsp.heuristics.local_search import FEW_CITIES, iterated_local_search
from prunus.atsp.heuristics.nearest_neighbour import SOURCE as NEAREST
from prunus.atsp.heuristics.nearest_neighbour import nearest_neighbour
from prunus.atsp.heuristics.tour_team import DEFAULT_TUNING, TourTeam
from prunus.atsp.heuristics.tour_team import SOURCE as LOCAL_SEARCH
from prunus.model.arrays import Int64Array, IntArray
from prunus.runtime.translated_monitor import AnyMonitor

LARGE_CITIES, MANY_CYCLES = 150, 0.05
"""Under a limit, local search goes on beside the bounds for so many cities if the assignment has
more cycles than this part of them: with distances of places it has, with unrelated ones few."""

MAX_PATCHED_CITIES = 1000
"""Then from so many cities on local search begins without patching, which would take seconds."""

MOST_EFFORT = 16.0
"""Before a large tree local search goes on for so many times as long as at first."""


class FirstTours:
    """The tours of one solve, of which better ones are offered to its incumbent.

    Without ``wanted`` none is looked for, but for one that bounds the others. ``poll`` tells the
    monitor what is done and says whether to stop; ``relaxed`` gives the assignment relaxation when
    it is needed. ``beside`` is local search on all cores once that goes on beside everything else.
    """

    def __init__(
        self,
        merged: MergedCities,
        relaxed: Callable[[], AssignmentRelaxation],
        monitor: AnyMonitor,
        poll: Callable[[str], bool],
        *,
        wanted: bool,
        cores: int,
        seed: int,
    ) -> None:
        self.beside: AnytimeTours | None = None
        self._merged, self._problem = merged, merged.problem
        self._relaxed, self._monitor, self._poll = relaxed, monitor, poll
        self._wanted, self._cores, self._seed = wanted, cores, seed
        self._searched = False
        self._improved: Int64Array | None = None

    @cached_property
    def is_scattered(self) -> bool:
        """Whether local search comes before the tree: a limit, and an assignment of many cycles."""
        if not self._is_hurried:
            return False
        many = self._problem.cities * MANY_CYCLES
        return len(np.unique(cycles(self._relaxed().following))) > many

    @property
    def best(self) -> Int64Array:
        """The best tour of the heuristics so far."""
        if self.beside is not None:
            return self.beside.team.best
        return self._some if self._improved is None else self._improved

    @cached_property
    def longest(self) -> int:
        """The length of some tour."""
        return self._problem.whole_length(self._some)

    @property
    def _is_hurried(self) -> bool:
        large = self._problem.cities >= LARGE_CITIES
        return self._wanted and self._monitor.limited and large

    @cached_property
    def _nearest(self) -> Int64Array:
        """The nearest neighbour's tour.

        It begins where arcs are dearest, lest those that do not exist be all that is left for the
        end: at the end of a path.
        """
        with self._monitor.heuristics.timing(NEAREST):
            dearest = int(self._problem.distances.sum(1).argmax())
            return nearest_neighbour(self._problem, dearest)[0]

    @cached_property
    def _some(self) -> Int64Array:
        """The patched assignment; the nearest neighbour's tour where patching takes too long."""
        if self.is_scattered and self._problem.cities >= MAX_PATCHED_CITIES:
            return self._nearest
        relaxed = self._relaxed()
        with self._monitor.heuristics.timing(PATCHED):
            return patched_tour(self._problem, relaxed, lambda: self._poll("bounding"))

    def offer(self, tour: IntArray, source: str) -> None:
        """Offer a tour to the incumbent, with the cities that others stand for."""
        whole = self._merged.tour(np.asarray(tour, np.int64))
        self._monitor.incumbent.offer(self._merged.whole.whole_length(whole), whole, source)

    def offer_nearest(self) -> None:
        """Offer a tour at once if it may be that there is no time for another one."""
        if self._is_hurried:
            self.offer(self._nearest, NEAREST)

    def offer_some(self) -> None:
        """Offer a tour that follows from the assignment."""
        if self._wanted:
            self.offer(self._some, PATCHED)

    def improve(self) -> None:
        """Improve the tours for a short time on one core, if that has not been done."""
        if self._searched or not self._wanted:
            return
        self._searched = True
        if self._poll("local search"):
            return
        self._improved, _ = iterated_local_search(
            self._problem,
            seed=self._seed,
            start=self._some,
            reduced=self._relaxed().reduced_costs(self._problem),
            should_stop=lambda: self._poll("local search"),
            on_improvement=lambda tour, length, source: self.offer(tour, source),
            times=self._monitor.heuristics,
        )

    def improve_further(self, effort: float) -> None:
        """Improve the tours once more, so many times as long: a large tree is worth it."""
        n, effort = self._problem.cities, min(effort, MOST_EFFORT)
        if self._improved is None or effort < 1 or n <= FEW_CITIES:
            return
        team = self._team(self._improved, 1)
        kicks = effort * DEFAULT_TUNING.kicks_for(n)
        while team.kicks < kicks and not self._poll("local search"):
            team.round()
        self._improved = team.best

    def improve_beside(self) -> None:
        """Have all cores improve the tours, beside everything else if they are several."""
        self._searched = True
        if self._poll("local search"):
            return
        team = self._team(self._some, self._cores)
        self.beside = AnytimeTours(team, self._cores, lambda: self._poll("local search"))

    def _team(self, start: Int64Array, cores: int) -> TourTeam:
        """Return cores that look for shorter tours than one."""
        return TourTeam(
            self._problem,
            start,
            cores,
            self._seed,
            nearness=self._relaxed().reduced_costs(self._problem),
            on_improvement=lambda tour, length: self.offer(tour, LOCAL_SEARCH),
            times=self._monitor.heuristics,
        )

    def saturated(self, is_proven: Callable[[], bool], *, endless: bool = False) -> bool:
        """Wait until local search finds no more, or for ever; return False if the solve ends."""
        if self.beside is not None:
            self.beside.wait(lambda: self._poll("local search") or is_proven(), endless=endless)
        return not self._monitor.stop_token.requested

    def give_cores(self) -> int:
        """Leave the cores to the search of a tree; return how many."""
        return self._cores if self.beside is None else self.beside.give_cores(self._problem.cities)

    def close(self) -> None:
        """End what goes on beside; raises what it may have raised."""
        if self.beside is not None:
            with self._monitor.interrupts.deferred():
                self.beside.close()
