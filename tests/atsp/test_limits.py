"""What is done after a limit: the step under way, and no more."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import prunus
from prunus import ATSP
from prunus._native.atsp import patch_cycles
from prunus.atsp.arborescence.root import Root
from prunus.atsp.assignment import relaxation
from prunus.atsp.assignment.relaxation import assignment_relaxation
from prunus.atsp.heuristics.karp_patching import cycles, patched_tour
from prunus.atsp.heuristics.tour_team import TourTeam
from prunus.atsp.tours import tour_of
from prunus.runtime.polling import polled_call


def places(cities: int, seed: int = 1) -> ATSP:
    """Make distances of places."""
    points = np.random.default_rng(seed).integers(0, 10**6, (cities, 2))
    apart = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
    return ATSP(np.rint(apart).astype(np.int64))


def test_patching_that_is_stopped_is_a_tour_all_the_same() -> None:
    """Told to stop at once, it joins the cycles in any way."""
    problem = places(120)
    relaxed = assignment_relaxation(problem)
    stopped = tour_of(patch_cycles(problem.distances, relaxed.following, np.ones(1, np.int64)))
    assert problem.evaluate(stopped) > problem.evaluate(patched_tour(problem, relaxed))


@pytest.mark.parametrize("seed", range(5))
def test_each_cycle_is_joined_where_it_is_cheapest(seed: int) -> None:
    """As a slow twin does it, which tries all exchanges of the smallest cycle."""
    n = 14
    distances = np.random.default_rng(seed).integers(0, 30 if seed else 2, (n, n))
    following = np.random.default_rng(seed).permutation(n)
    tour = patch_cycles(distances, following, np.zeros(1, np.int64))
    cycle = cycles(following)
    while len(set(cycle.tolist())) > 1:
        sizes = np.bincount(cycle)
        smallest = min(set(cycle.tolist()), key=lambda c: (sizes[c], c))
        changes = [
            (
                distances[a, following[b]]
                - distances[a, following[a]]
                + distances[b, following[a]]
                - distances[b, following[b]],
                a,
                b,
            )
            for a in range(n)
            for b in range(n)
            if cycle[a] == smallest != cycle[b]
        ]
        _, a, b = min(changes)
        following[[a, b]] = following[[b, a]]
        cycle[cycle == smallest] = cycle[b]
    assert tour.tolist() == following.tolist()


def test_an_assignment_that_is_stopped_is_a_bound_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It ends before the next row; the prices so far bound every tour."""

    def interrupted(function, *arguments, should_stop, interrupt):
        assert should_stop()
        interrupt()
        return function(*arguments)

    monkeypatch.setattr(relaxation, "polled_call", interrupted)
    problem = places(relaxation.POLLED_CITIES)
    stopped = assignment_relaxation(problem, lambda: True)
    whole = assignment_relaxation(problem)
    assert whole.complete
    assert not stopped.complete
    assert 0 < stopped.bound <= whole.bound
    assert (stopped.following == -1).all()


def test_a_round_of_ascent_ends_after_the_step_under_way() -> None:
    """Whoever says stop waits for one step of three hundred; the bound is one all the same."""
    problem = places(100)
    relaxed = assignment_relaxation(problem)
    tour = patched_tour(problem, relaxed)
    longest = problem.evaluate(tour)
    stopped, whole = (Root(problem, relaxed, longest, tour) for _ in range(2))
    assert stopped.ascend(longest, lambda: True) is None
    whole.ascend(longest)
    assert relaxed.bound <= stopped.bound <= whole.bound
    again = stopped.bound
    stopped.ascend(longest)
    assert stopped.bound > again


def test_a_round_that_is_interrupted_keeps_what_it_has_gained() -> None:
    """Interrupted before it begins, it makes no kick; the tour is worth what is said."""
    problem = places(300)
    team = TourTeam(problem, np.arange(300))
    team.round(10)
    assert team.kicks == 10
    team.interrupt()
    team.round()
    assert team.kicks == 10
    assert problem.evaluate(team.best) == team.length < problem.evaluate(np.arange(300))


def test_a_polled_call_is_interrupted_once_and_for_all() -> None:
    """Also when the one who asks raises; errors of the call come through."""
    flag = threading.Event()
    assert polled_call(flag.wait, should_stop=lambda: True, interrupt=flag.set)

    def fail() -> bool:
        raise ValueError("enough")

    flag.clear()
    with pytest.raises(ValueError, match="enough"):
        polled_call(flag.wait, should_stop=fail, interrupt=flag.set)
    assert flag.is_set()
    with pytest.raises(ZeroDivisionError):
        polled_call(lambda: 1 // 0, should_stop=lambda: False, interrupt=flag.set)


def test_local_search_comes_first_where_places_are_many() -> None:
    """Under a limit 250 places get a tour of local search; unrelated distances go to the tree."""
    tours: list[object] = []
    found = prunus.solve(
        places(250),
        devices="cpu:1",
        time_limit=60,
        on_incumbent=lambda length, tour: tours.append(tour),
        stop=lambda now: len(tours) > 5,
    )
    sources = [entry.source for entry in found.history]
    assert "iterated local search" in sources
    first = sources.index("iterated local search")
    assert set(sources[:first]) <= {"nearest neighbour", "patched assignment"}
    distances = np.random.default_rng(2).integers(1, 10**6, (250, 250))
    solved = prunus.solve(ATSP(distances), devices="cpu:1", time_limit=60)
    assert solved.status == "optimal"
    assert "iterated local search" not in [entry.source for entry in solved.history]


def test_several_cores_improve_tours_beside_the_bounds() -> None:
    """Under a limit 300 places get within 3 % of a bound that is far above the assignment's."""
    problem = places(300, 3)
    found = prunus.solve(problem, devices="cpu:2", stop=lambda now: (now.gap or 1) < 0.03)
    assert found.gap is not None
    assert found.gap < 0.03
    assert found.objective == problem.evaluate(found.solution)
    assert found.bound > 1.1 * assignment_relaxation(problem).bound


@pytest.mark.parametrize("ends", [{"start": 4, "end": 9}, {"start": 4, "closed": False}])
def test_paths_through_places_are_bounded_as_tours_are(ends: dict[str, Any]) -> None:
    """The arcs that are forbidden at their ends do not send them to the assignment bound's tree."""
    problem = ATSP(places(300, 3).distances, **ends)
    found = prunus.solve(problem, devices="cpu:2", stop=lambda now: (now.gap or 1) < 0.03)
    assert found.gap is not None
    assert found.gap < 0.03
    assert found.nodes == 0
    assert found.objective == problem.evaluate(found.solution)


@pytest.mark.parametrize("ends", [{}, {"start": 7, "end": 0}])
@pytest.mark.parametrize("limit", [1e-9, 0.05])
def test_a_limit_that_ends_at_once_still_gives_a_tour(limit: float, ends: dict[str, Any]) -> None:
    """However large the instance, and whatever arcs are forbidden for a path."""
    problem = ATSP(places(1100).distances, **ends)
    result = prunus.solve(problem, devices="cpu:1", time_limit=limit)
    assert (result.status, result.stopped_by) == ("feasible", "time limit")
    assert result.objective == problem.evaluate(result.solution)
