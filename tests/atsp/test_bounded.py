"""The branch and bound of the ATSP: the shortest tours, against twins and published optima."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prunus
from prunus import ATSP, InputError
from prunus.atsp.relaxation.assignment import patch, relax
from prunus.atsp.twins import merge
from prunus.stop import MaxNodes
from tests.twins.atsp import brute_force, held_karp

DATA = Path(__file__).parents[1] / "data"


def random_distances(rng, n, largest, kind):
    """Draw distances of a kind: any, symmetric, with big numbers for what is forbidden, twins."""
    if kind == "symmetric":
        points = rng.integers(0, largest + 1, (n, 2))
        return np.abs(points[:, None] - points).sum(2)
    distances = rng.integers(0, largest + 1, (n, n))
    if kind == "forbidden":
        return np.where(rng.random((n, n)) < 0.4, 10**12, distances)
    if kind == "twins":
        place = rng.integers(0, max(1, n // 2), n)
        return distances[np.ix_(place, place)] * (place[:, None] != place)
    return distances


@settings(max_examples=150, deadline=None)
@given(
    st.integers(1, 8),
    st.sampled_from([0, 1, 9, 1000, 10**10]),
    st.sampled_from(["any", "symmetric", "forbidden", "twins"]),
    st.integers(0, 2**32),
    st.sampled_from(["none", "local-search"]),
)
def test_up_to_eight_cities_it_is_the_brute_force_optimum(n, largest, kind, seed, first):
    """The tour is a shortest of all, the bound is its length."""
    problem = ATSP(random_distances(np.random.default_rng(seed), n, largest, kind))
    result = prunus.solve(problem, devices="cpu:2", first_incumbent=first, seed=seed)
    assert result.status == "optimal"
    assert result.objective == result.bound == held_karp(problem.distances.tolist())
    assert problem.evaluate(result.solution) == result.objective
    assert result.solution[0] == 0
    assert result.explored == 1.0


@pytest.mark.parametrize("kind", ["any", "symmetric", "forbidden", "twins"])
@pytest.mark.parametrize("n", [10, 12])
def test_up_to_twelve_cities_the_naive_bound_agrees(n, kind):
    """Two methods that share nothing but the problem find the same length."""
    problem = ATSP(random_distances(np.random.default_rng(n), n, 60, kind))
    naive = prunus.solve(problem, method="interval", devices="cpu:2")
    result = prunus.solve(problem, method="pool", devices="cpu:1", first_incumbent="none")
    assert result.objective == result.bound == naive.objective
    nothing = prunus.solve(problem, upper_bound=naive.objective)
    assert (nothing.status, nothing.bound) == ("infeasible", naive.objective)
    found = prunus.solve(problem, upper_bound=naive.objective + 1)
    assert (found.status, found.objective) == ("optimal", naive.objective)


@pytest.mark.parametrize("first", ["none", "local-search"])
@pytest.mark.parametrize(
    ("name", "shortest"), [("br17", 39), ("ftv33", 1286)], ids=["br17", "ftv33"]
)
def test_tsplib(name, shortest, first):
    """The published optima, proven, with and without first tours."""
    result = prunus.solve(
        prunus.read(DATA / f"{name}.atsp"), devices="cpu:2", first_incumbent=first
    )
    assert (result.status, result.objective, result.bound) == ("optimal", shortest, shortest)


@pytest.mark.parametrize("name", ["crane:30:1", "tsmat:30:1", "crane:45:2"])
def test_one_core_and_three_agree_on_generated_instances(name):
    """The optimum does not depend on how many cores there are."""
    results = [prunus.solve(prunus.read(name), devices=f"cpu:{cores}") for cores in (1, 3)]
    assert [result.status for result in results] == ["optimal"] * 2
    assert results[0].objective == results[1].objective


def euclidean(n, seed):
    """Draw cities in a square."""
    points = np.random.default_rng(seed).random((n, 2)) * 1000
    return ATSP(np.rint(np.hypot(*(points[:, None] - points).T)).astype(int))


def test_a_stopped_search_has_a_bound_below_the_optimum_and_a_resumed_one_has_it(tmp_path):
    """Stopped after every few nodes and gone on with from its checkpoint, it ends as one run does.

    Its bound only rises, and is never above the optimum.
    """
    problem = euclidean(36, 3)
    optimum = prunus.solve(problem).objective
    path = tmp_path / "tour.ckpt"
    result = prunus.solve(
        problem, checkpoint=path, stop=MaxNodes(0), first_incumbent="none", devices="cpu:2"
    )
    bounds = [result.bound]
    for _ in range(1000):
        if result.status == "optimal":
            break
        assert str(result.stopped_by).startswith("maximum of")
        assert result.bound <= optimum
        result = prunus.resume(path, stop=MaxNodes(result.nodes + 3), devices="cpu:2")
        bounds.append(result.bound)
    assert (result.status, result.objective) == ("optimal", optimum)
    assert bounds == sorted(bounds)
    again = prunus.resume(path)
    assert (again.status, again.objective) == ("optimal", optimum)


def test_a_stop_before_the_tree_has_the_assignments_bound():
    """Without any time there are a tour and a bound all the same."""
    problem = euclidean(30, 1)
    result = prunus.solve(problem, time_limit=0)
    assert result.status == "feasible"
    assert result.stopped_by == "time limit"
    assert result.bound == relax(problem).bound < result.objective


def test_gpus_and_executors_are_for_the_other_method():
    """A sentence says what runs where."""
    from concurrent.futures import ThreadPoolExecutor

    problem = ATSP([[0, 1, 2], [2, 0, 1], [1, 2, 0]])
    with ThreadPoolExecutor(1) as pool, pytest.raises(InputError, match="cores of one machine"):
        prunus.solve(problem, executor=pool)
    with pytest.raises(InputError, match="has no option 'proof'"):
        prunus.solve(problem, proof="climb")


def test_the_assignment_and_its_patched_cycles():
    """Two cycles of two cities: the bound is theirs, the patched tour a shortest one."""
    far = 9
    problem = ATSP([[0, 1, far, far], [1, 0, far, 3], [far, 2, 0, 1], [far, far, 1, 0]])
    relaxed = relax(problem)
    assert relaxed.bound == 4
    tour = patch(problem, relaxed)
    assert sorted(tour) == [0, 1, 2, 3]
    assert problem.evaluate(tour) == brute_force(problem.distances.tolist())[0]
    reduced = problem.distances - relaxed.leaving[:, None] - relaxed.entering
    assert (reduced[~np.eye(4, dtype=bool)] >= 0).all()
    assert (reduced[np.arange(4), relaxed.following] == 0).all()


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 8), st.integers(0, 2**32))
def test_twins_are_visited_one_after_the_other(n, seed):
    """What is left without twins has the same optimum, and its tour as a whole the same length."""
    problem = ATSP(random_distances(np.random.default_rng(seed), n, 20, "twins"))
    merged = merge(problem)
    assert sorted(city for group in merged.groups for city in group) == list(range(n))
    length, tour = brute_force(merged.problem.distances.tolist())
    assert length == held_karp(problem.distances.tolist())
    whole = merged.tour(np.array(tour))
    assert whole[0] == 0
    assert problem.evaluate(whole) == length


def test_cities_that_are_all_at_one_place():
    """One city is left of them, and any tour is shortest."""
    problem = ATSP(np.zeros((6, 6), int))
    assert merge(problem).problem.cities == 1
    result = prunus.solve(problem)
    assert (result.status, result.objective) == ("optimal", 0)
