"""A first tour before an exact search: nearest neighbour from every city, then local search.

The descent exchanges arcs (see ``exchanges.py``), the kick swaps two segments (the double bridge).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np

from prunus.atsp.heuristics.nearest_neighbour import SOURCE as NEAREST
from prunus.atsp.heuristics.nearest_neighbour import best_nearest_neighbour
from prunus.atsp.heuristics.tour_team import (
    DEFAULT_TUNING,
    SOURCE,
    LocalSearchTuning,
    TourTeam,
    from_zero,
)
from prunus.atsp.problem import ATSP
from prunus.model.arrays import Int64Array
from prunus.runtime.heuristic_times import HeuristicTimes

FEW_CITIES = 7
"""Of so many cities all tours are looked at."""


def iterated_local_search(
    problem: ATSP,
    *,
    seed: int = 0,
    start: Int64Array | None = None,
    reduced: Int64Array | None = None,
    should_stop: Callable[[], bool] = lambda: False,
    on_improvement: Callable[[Int64Array, int, str], object] = lambda *found: None,
    times: HeuristicTimes | None = None,
    tuning: LocalSearchTuning = DEFAULT_TUNING,
) -> tuple[Int64Array, int]:
    """Find a good tour on one core, as a first one for an exact search.

    A tour ``start`` is begun with if it is shorter than those of the nearest neighbours.
    ``reduced`` costs of the assignment relaxation say what is near; by default distances less the
    least from and to each city. ``should_stop`` is asked between rounds; ``on_improvement`` is
    called with each better tour, its length and its source, ``"nearest neighbour"`` or ``"iterated
    local search"``; ``times`` is told what these take. Returns the tour, which begins with city 0,
    and its length.
    """
    n, times = problem.cities, times or HeuristicTimes()
    with times.timing(NEAREST):
        tour, length = best_nearest_neighbour(problem)
    on_improvement(from_zero(tour), length, NEAREST)
    if start is not None and problem.whole_length(start) < length:
        tour, length = np.asarray(start, np.int64), problem.whole_length(start)
    if n <= FEW_CITIES:
        tours = np.array([(0, *others) for others in permutations(range(1, n))], np.int64)
        lengths = problem.distances[tours, np.roll(tours, -1, axis=1)].sum(1)
        shortest = tours[lengths.argmin()]
        if problem.whole_length(shortest) < length:
            tour, length = shortest, problem.whole_length(shortest)
            on_improvement(tour, length, SOURCE)
        return from_zero(tour), length
    kicks = tuning.kicks_for(n)
    team = TourTeam(
        problem,
        tour,
        seed=seed,
        nearness=reduced,
        on_improvement=lambda tour, length: on_improvement(tour, length, SOURCE),
        times=times,
        tuning=tuning,
    )
    while team.kicks < kicks and not should_stop():
        team.round(kicks - team.kicks)
    return team.best, team.length
