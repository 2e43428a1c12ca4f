"""First tours for the asymmetric TSP: valid, reproducible, usually the shortest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.atsp.heuristics.local_search import SOURCE, iterated_local_search
from prunus.atsp.heuristics.nearest_neighbour import nearest_neighbour
from prunus.atsp.heuristics.tour_team import LocalSearchTuning, TourTeam
from prunus.atsp.problem import ATSP
from tests.reading import read
from tests.twins.atsp import held_karp

DATA = Path(__file__).parents[2] / "data"


@st.composite
def matrices(draw):
    """Small asymmetric distances, with many ties, or large."""
    n, largest = draw(st.integers(1, 7)), draw(st.sampled_from([1, 9, 2**40]))
    row = st.lists(st.integers(0, largest), min_size=n, max_size=n)
    return draw(st.lists(row, min_size=n, max_size=n))


@settings(max_examples=80, deadline=None)
@given(matrices(), st.integers(-2, 5))
def test_finds_the_shortest_tour_of_few_cities(d, seed):
    """Up to seven cities the tour is Held and Karp's, begins with city 0, and has its length."""
    problem = ATSP(d)
    tour, length = iterated_local_search(problem, seed=seed)
    assert tour[0] == 0
    assert problem.evaluate(tour) == length == held_karp(problem.distances.tolist())


@pytest.mark.parametrize(("name", "shortest"), [("br17", 39), ("ftv33", 1286)])
def test_tsplib(name, shortest):
    """TSPLIB's br17 and ftv33 are solved from seeds 0 to 2."""
    problem = read(DATA / f"{name}.atsp")
    assert [iterated_local_search(problem, seed=seed)[1] for seed in range(3)] == [shortest] * 3


@pytest.mark.parametrize("n", [8, 11, 12])
def test_finds_the_shortest_tour_of_random_distances(n):
    """Held and Karp agree on uniform random distances, the hardest for moving segments."""
    distances = np.random.default_rng(n).integers(0, 1000, (n, n))
    np.fill_diagonal(distances, 0)
    assert iterated_local_search(ATSP(distances))[1] == held_karp(distances.tolist())


def test_same_seed_same_tour():
    """Two calls with one seed agree city by city."""
    problem = ATSP(np.random.default_rng(0).integers(0, 100, (60, 60)))
    few = LocalSearchTuning(kicks_per_city=5, fewest_kicks=300)
    one, two = (iterated_local_search(problem, seed=4, tuning=few) for _ in range(2))
    assert one[0].tolist() == two[0].tolist()


def test_improvements_are_reported_in_order():
    """Every reported tour has its length, each is shorter, the last is the result."""
    problem = ATSP(np.random.default_rng(0).integers(0, 1000, (40, 40)))
    seen = []
    tour, length = iterated_local_search(problem, on_improvement=lambda *one: seen.append(one))
    lengths = [length for _, length, _ in seen]
    assert [problem.evaluate(tour) for tour, _, _ in seen] == lengths
    assert lengths == sorted(set(lengths), reverse=True)
    assert (seen[-1][0].tolist(), lengths[-1]) == (tour.tolist(), length)
    assert seen[0][2] == "nearest neighbour"
    assert length < lengths[0]


def test_nearest_neighbour():
    """From each city to the nearest one left, the first of equal ones."""
    problem = ATSP([[0, 2, 1, 9], [1, 0, 5, 5], [4, 3, 0, 3], [7, 1, 1, 0]])
    tour, length = nearest_neighbour(problem)
    assert tour.tolist() == [0, 2, 1, 3]
    assert length == 1 + 3 + 5 + 7 == problem.evaluate(tour)
    assert nearest_neighbour(problem, 3)[0].tolist() == [3, 1, 0, 2]


def test_stopping_at_once():
    """It gives the best nearest neighbour tour."""
    problem = read(DATA / "ftv33.atsp")
    best = min(nearest_neighbour(problem, start)[1] for start in range(problem.cities))
    assert iterated_local_search(problem, should_stop=lambda: True)[1] == best


def test_kicks_are_bounded():
    """Kicks grow with the cities, up to a maximum."""
    tuning = LocalSearchTuning()
    assert tuning.kicks_for(50) == 2500
    assert tuning.kicks_for(100_000) == tuning.most_kicks


def distances_of(kind: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw distances that are symmetric, nearly so, or unrelated there and back."""
    points = rng.integers(0, 1000, (n, 2))
    symmetric = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
    if kind == "nearly":
        symmetric *= rng.uniform(1, 1.3, (n, n))
    return rng.integers(0, 1000, (n, n)) if kind == "unrelated" else symmetric.astype(np.int64)


@pytest.mark.parametrize("kind", ["symmetric", "nearly", "unrelated"])
@settings(max_examples=25, deadline=None)
@given(st.integers(4, 60), st.integers(1, 3), st.integers(0, 2**32))
def test_what_is_gained_is_what_the_tour_is_shorter(kind, n, cores, seed):
    """Round by round, in one piece or in parts: every length is evaluated anew."""
    rng = np.random.default_rng(seed)
    problem = ATSP(distances_of(kind, n, rng))
    found: list[tuple[np.ndarray, int]] = []
    team = TourTeam(
        problem,
        rng.permutation(n),
        cores,
        seed,
        on_improvement=lambda *one: found.append(one),
        tuning=LocalSearchTuning(parted_cities=8, journal=20, patience_per_city=3),
    )
    for _ in range(12):
        team.round()
    assert [problem.evaluate(tour) for tour, _ in found] == [length for _, length in found]
    assert problem.evaluate(team.best) == team.length
    for length, tour in zip(team._lengths, team._tours, strict=True):
        assert problem.evaluate(tour.order) == length


def test_no_single_exchange_is_left():
    """A descent on places ends in a tour that no 2-opt move between neighbours makes shorter."""
    problem = ATSP(distances_of("symmetric", 120, np.random.default_rng(5)))
    team = TourTeam(problem, np.arange(120), tuning=LocalSearchTuning(neighbours=119))
    for _ in range(20):  # what is fixed at the seam of a round is not at that of the next one
        team.round(0)
    tour, d = team.best, problem.distances
    for i in range(120):
        for j in range(i + 1, 120):
            a, b, e, f = tour[i], tour[(i + 1) % 120], tour[j], tour[(j + 1) % 120]
            assert d[a, e] + d[b, f] >= d[a, b] + d[e, f]


def test_many_places_are_within_some_percent():
    """Two thousand kicks for 200 places leave less than 3 % to the tour of many more."""
    problem = ATSP(distances_of("symmetric", 200, np.random.default_rng(6)))
    some, many = (TourTeam(problem, np.arange(200)) for _ in range(2))
    for _ in range(2):
        some.round()
    for _ in range(40):
        many.round()
    assert many.length <= some.length <= 1.03 * many.length


def test_the_source_is_named():
    """A result's history tells who found the tour."""
    seen: list[str] = []
    problem = ATSP(distances_of("symmetric", 40, np.random.default_rng(7)))
    iterated_local_search(problem, on_improvement=lambda *found: seen.append(found[2]))
    assert seen[-1] == SOURCE
