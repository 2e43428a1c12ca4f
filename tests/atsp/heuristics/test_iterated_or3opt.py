"""First tours for the asymmetric TSP: valid, reproducible, usually the shortest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.atsp.heuristics.iterated_or3opt import Or3optTuning, iterated_or3opt
from prunus.atsp.heuristics.nearest_neighbour import nearest_neighbour
from prunus.atsp.problem import ATSP
from prunus.errors import InputError
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
    tour, length = iterated_or3opt(problem, seed=seed)
    assert tour[0] == 0
    assert problem.evaluate(tour) == length == held_karp(problem.distances.tolist())


@pytest.mark.parametrize(("name", "shortest"), [("br17", 39), ("ftv33", 1286)])
def test_tsplib(name, shortest):
    """TSPLIB's br17 and ftv33 are solved from seeds 0 to 2."""
    problem = read(DATA / f"{name}.atsp")
    assert [iterated_or3opt(problem, seed=seed)[1] for seed in range(3)] == [shortest] * 3


@pytest.mark.parametrize("n", [8, 11, 12])
def test_finds_the_shortest_tour_of_random_distances(n):
    """Held and Karp agree on uniform random distances, the hardest for moving segments."""
    distances = np.random.default_rng(n).integers(0, 1000, (n, n))
    np.fill_diagonal(distances, 0)
    assert iterated_or3opt(ATSP(distances))[1] == held_karp(distances.tolist())


def test_same_seed_same_tour():
    """Two calls with one seed agree city by city."""
    problem = ATSP(np.random.default_rng(0).integers(0, 100, (60, 60)))
    one, two = (iterated_or3opt(problem, seed=4, effort=0.1) for _ in range(2))
    assert one[0].tolist() == two[0].tolist()


def test_improvements_are_reported_in_order():
    """Every reported tour has its length, each is shorter, the last is the result."""
    problem = ATSP(np.random.default_rng(0).integers(0, 1000, (40, 40)))
    seen = []
    tour, length = iterated_or3opt(problem, on_improvement=lambda *report: seen.append(report))
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


def test_no_effort_and_stopping():
    """Effort 0 or an immediate stop give the best nearest neighbour tour."""
    problem = read(DATA / "ftv33.atsp")
    best = min(nearest_neighbour(problem, start)[1] for start in range(problem.cities))
    assert iterated_or3opt(problem, effort=0)[1] == best
    assert iterated_or3opt(problem, effort=100, should_stop=lambda: True)[1] == best


def test_effort_is_bounded():
    """Kicks grow with the cities and fall again where each takes long."""
    assert Or3optTuning().kicks_for(3) == 0
    assert Or3optTuning().kicks_for(50) == 2500
    assert Or3optTuning().kicks_for(1000) < Or3optTuning().kicks_for(200)


def test_wrong_effort():
    """Negative effort is refused."""
    with pytest.raises(InputError, match="effort"):
        iterated_or3opt(ATSP([[0, 1], [1, 0]]), effort=-1)
