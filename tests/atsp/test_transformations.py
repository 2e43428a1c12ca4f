"""Fractions, missing arcs, starts, ends and paths: what is found is what trying all tours finds."""

from __future__ import annotations

import math
import pickle
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import prunus
from prunus import ATSP
from prunus.atsp import transformations
from prunus.atsp.transformations import transformed
from prunus.errors import InputError


def shortest(d, closed, start, end):
    """The length of the shortest tour by trying all; None if there is none."""
    best = None
    for tour in permutations(range(len(d))):
        if (start is not None and tour[0] != start) or (end is not None and tour[-1] != end):
            continue
        legs = list(pairwise(tour)) + [(tour[-1], tour[0])] * closed
        length = math.fsum(d[a][b] for a, b in legs if a != b)
        if length < math.inf and (best is None or length < best):
            best = length
    return best


@st.composite
def instances(draw):
    """Few cities with distances of one of four kinds, some of them missing, and ends or none."""
    n = draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kind = draw(st.sampled_from(["whole", "decimals", "floats", "wide"]))
    distances = {
        "whole": lambda: rng.integers(0, 20, (n, n)).astype(float),
        "decimals": lambda: rng.integers(0, 400, (n, n)) / 100,
        "floats": lambda: rng.random((n, n)) * 10.0 ** float(rng.integers(-9, 9)),
        "wide": lambda: 10.0 ** rng.uniform(-6, 6, (n, n)),
    }[kind]()
    distances[rng.random((n, n)) < draw(st.sampled_from([0.0, 0.3, 0.7]))] = math.inf
    np.fill_diagonal(distances, 0)
    city = st.one_of(st.none(), st.integers(0, n - 1))
    start, end = draw(city), draw(city)
    closed = draw(st.sampled_from([None, True, False]))
    if closed is True or (start is not None and start == end and n > 1):
        end = None
    return distances, closed, start, end


@settings(max_examples=150, deadline=None)
@given(
    instances(),
    st.sampled_from([("pool", "assignment"), ("pool", "arborescence"), ("interval", "auto")]),
    st.sampled_from(["local-search", "none"]),
)
def test_what_is_found_is_what_trying_all_finds(instance, how, first):
    """Optimal or infeasible, with the length in the user's units and the right ends."""
    distances, closed, start, end = instance
    problem = ATSP(distances, closed=closed, start=start, end=end)
    method, bound = how
    options = {"bound": bound} if method == "pool" else {}
    result = prunus.solve(problem, method=method, devices="cpu:1", first_incumbent=first, **options)
    best = shortest(distances.tolist(), problem.closed, start, end)
    if best is None:
        assert (result.status, result.objective, result.bound) == ("infeasible", None, None)
        return
    error = result.statistics.get("length_error", 0.0)
    assert result.status == "optimal"
    assert best <= result.objective <= best + 2 * error
    assert result.objective == problem.evaluate(result.solution)
    assert isinstance(result.objective, int) == problem.integral
    assert start is None or result.solution[0] == start
    assert end is None or result.solution[-1] == end


@settings(max_examples=150, deadline=None)
@given(instances(), st.integers(0, 10**6))
def test_bounds_and_lengths_are_those_of_the_user(instance, seed):
    """A length in whole numbers is as far from the user's as is said, and no bound is above it."""
    distances, closed, start, end = instance
    problem = ATSP(distances, closed=closed, start=start, end=end)
    view = transformed(problem)
    if view is None:
        return
    order = np.random.default_rng(seed).permutation(view.integer.cities)
    length = view.integer.evaluate(order)
    if length >= view.forbidden:
        assert view.bound(length) is None
        return
    tour = view.tour(order)
    objective = problem.evaluate(tour)
    assert view.length(tour) == length
    assert view.bound(length) <= objective
    best = shortest(distances.tolist(), problem.closed, start, end)
    exceeds = objective * float(view.scale) - length
    if exceeds > float(view.error) * 1.001 + 1e-9:  # some distance is too long for short tours
        assert length > (best * float(view.scale) + float(view.error)) * 1.001


@settings(max_examples=100, deadline=None)
@given(
    st.integers(3, 6),
    st.integers(0, 2**32),
    st.sampled_from([1e9, 1e15, 1e30]),
    st.sampled_from([None, False]),
    st.sampled_from(["pool", "interval"]),
    st.sampled_from([None, 5]),
)
def test_a_large_number_in_place_of_missing_arcs(n, seed, large, closed, method, bound):
    """Hides nothing of how the other distances differ, nor which tours are below a bound."""
    rng = np.random.default_rng(seed)
    distances = rng.choice([0.25, 3.0, 0.1, math.pi, large + 0.5, large], (n, n))
    np.fill_diagonal(distances, 0)
    assume((distances % 1).any())  # whole numbers beyond 2**53 are refused as floats
    best = shortest(distances.tolist(), closed is None, None, None)
    result = prunus.solve(
        ATSP(distances, closed=closed), method=method, devices="cpu:1", upper_bound=bound
    )
    if bound is not None and best >= bound:
        assert (result.status, result.objective) == ("infeasible", None)
    else:
        assert result.status == "optimal"
        assert result.objective == pytest.approx(best, rel=1e-9)


def test_no_more_is_said_than_is_proven(monkeypatch):
    """Where distances are rounded too much, a tour is not optimal, and nothing infeasible."""
    monkeypatch.setattr(transformations, "FAR_LONGER", math.inf)
    distances = np.array([[0, 3, 1, 1e15], [1, 0, 3, 1], [3, 1, 0, 3], [1e15, 1, 3, 1e15]]) + 1 / 3
    problem = ATSP(distances)
    result = prunus.solve(problem, devices="cpu:1")
    assert (result.status, result.bound) == ("feasible", 0.0)
    assert result.objective == problem.evaluate(result.solution)
    result = prunus.solve(problem, devices="cpu:1", upper_bound=1)
    assert result.status in ("feasible", "unknown")


def test_a_given_tour_begins_at_the_start():
    """Whatever city it was given from, as long as it is closed."""
    problem = ATSP([[0, 1, 9], [9, 0, 1], [1, 9, 0]], start=1)
    result = prunus.solve(problem, devices="cpu:1", initial_solution=[0, 1, 2])
    assert (result.objective, result.solution.tolist()) == (3, [1, 2, 0])
    with pytest.raises(InputError, match="a tour must hold"):
        prunus.solve(problem, initial_solution=[0, 1, 1])


def test_decimals_are_counted_exactly():
    """Distances of two decimals become whole hundredths, and no error to speak of is left."""
    view = transformed(ATSP([[0, 0.07, 1.1], [0.29, 0, 5], [3, 0.01, 0]]))
    assert view is not None
    assert view.integer.distances.tolist() == [[0, 7, 110], [29, 0, 500], [300, 1, 0]]
    assert view.error < 1e-10


def test_what_the_searches_know_is_left_alone():
    """Whole numbers, closed, all arcs, no start but city 0: nothing is transformed."""
    assert transformed(ATSP([[0, 1], [2, 0]])) is None
    assert transformed(ATSP([[0, 1], [2, 0]], start=0)) is None
    assert transformed(ATSP([[0, 1], [2, 0]], start=1)) is not None


def test_a_path_of_many_cities_under_a_limit():
    """A path through places has a gap of a few per cent, and its ends where they were asked for."""
    points = np.random.default_rng(1).random((200, 2))
    problem = ATSP.from_points(points, start=3, end=7)
    result = prunus.solve(problem, devices="cpu:2", stop=lambda now: (now.gap or 1) < 0.05)
    assert result.gap < 0.05
    assert result.solution[[0, -1]].tolist() == [3, 7]
    assert result.objective == problem.evaluate(result.solution)


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cityblock", "chebyshev"])
def test_distances_of_points(metric):
    """They are SciPy's."""
    distance = pytest.importorskip("scipy.spatial.distance")
    points = np.random.default_rng(2).random((6, 3))
    problem = ATSP.from_points(points, metric=metric)
    assert np.allclose(problem.distances, distance.cdist(points, points, metric), rtol=1e-15)
    grid = ATSP.from_points([[0, 0], [3, 4]], metric=metric)
    assert grid.integral
    assert isinstance(grid.evaluate([0, 1]), int)


def test_a_given_tour_an_upper_bound_and_a_checkpoint(tmp_path):
    """They are in the user's units, and a search that was stopped goes on from its file."""
    problem = ATSP.from_points(np.random.default_rng(3).random((30, 2)), start=2, closed=False)
    given = [2, *(city for city in range(30) if city != 2)]
    best = prunus.solve(problem, bound="assignment", devices="cpu:1")
    path = tmp_path / "run.ckpt"
    result = prunus.solve(
        problem,
        bound="assignment",
        devices="cpu:1",
        initial_solution=given,
        first_incumbent="none",
        checkpoint=path,
        stop=prunus.stop.MaxNodes(0),
    )
    assert result.status == "feasible"
    assert 0 < result.bound < best.objective < result.objective
    assert result.objective == problem.evaluate(given)
    done = prunus.resume(path, devices="cpu:1")
    assert (done.status, done.objective) == ("optimal", best.objective)
    none = prunus.solve(problem, devices="cpu:1", upper_bound=math.floor(best.objective))
    assert (none.status, none.objective) == ("infeasible", None)


def test_files_hold_what_can_be_read_back(tmp_path):
    """CSV keeps fractions and missing arcs; paths, and fractions in TSPLIB, are refused."""
    problem = ATSP([[0, 0.1, math.inf], [1e-7, 0, 3], [7, 1 / 3, 0]])
    prunus.write(problem, tmp_path / "a.csv")
    again = prunus.read(tmp_path / "a.csv")
    assert isinstance(again, ATSP)
    assert again.distances.tolist() == problem.distances.tolist()
    sparse = ATSP([[0, 5, math.inf], [1, 0, 3], [7, 2, 0]])
    prunus.write(sparse, tmp_path / "b.csv")
    again = prunus.read(tmp_path / "b.csv")
    assert isinstance(again, ATSP)
    assert again.integral
    with pytest.raises(InputError, match="TSPLIB files hold integer distances"):
        prunus.write(problem, tmp_path / "a.atsp")
    with pytest.raises(InputError, match="closed tours without a start"):
        prunus.write(problem.with_open(True), tmp_path / "c.csv")
    path = problem.with_end_city(1).with_start_city(2)
    prunus.write(path, tmp_path / "d.json")
    again = prunus.read(tmp_path / "d.json")
    assert isinstance(again, ATSP)
    assert again.distances.tolist() == problem.distances.tolist()
    assert (again.closed, again.start, again.end) == (False, 2, 1)
    (tmp_path / "bad.csv").write_text("city,a,b\na,0,-0.5\nb,1,0\n")
    with pytest.raises(InputError, match=r"column 3.*is not a distance"):
        prunus.read(tmp_path / "bad.csv")


@pytest.mark.parametrize(
    ("ends", "complaint"),
    [
        ({"start": 3}, "start.*3 is not one of the cities 0 to 2"),
        ({"end": 0.5}, "end.*not a whole number"),
        ({"closed": True, "start": 0, "end": 1}, "closed tour ends where it starts"),
        ({"closed": False, "start": 1, "end": 1}, "cannot start and end at city 1"),
        ({"closed": "no"}, "closed.*neither True nor False"),
    ],
)
def test_ends_that_do_not_go_together(ends, complaint):
    """One sentence says what is wrong."""
    with pytest.raises(InputError, match=complaint):
        ATSP(np.ones((3, 3)), **ends)


def test_tours_that_are_none():
    """A path has its own start and end, and no tour goes where there is no way."""
    path = ATSP([[0, 1, 2], [3, 0, math.inf], [4, 5, 0]], start=0, end=2)
    with pytest.raises(InputError, match="no arc from city 1 to city 2"):
        path.evaluate([0, 1, 2])
    with pytest.raises(InputError, match="start at city 0, not at 1"):
        path.evaluate([1, 0, 2])
    with pytest.raises(InputError, match="end at city 2, not at 1"):
        path.evaluate([0, 2, 1])


def test_ends_survive_and_change():
    """Pickling keeps them; the same cities can be asked for another tour."""
    problem = ATSP([[0, 1.5, 2], [3, 0, math.inf], [4, 5, 0]], start=0, end=1, name="abc")
    again = pickle.loads(pickle.dumps(problem))
    assert (again.closed, again.start, again.end, again.name) == (False, 0, 1, "abc")
    assert again.distances.tolist() == problem.distances.tolist()
    assert repr(again) == "ATSP('abc', 3 cities, a path)"
    assert problem.with_open(False).closed
    assert problem.with_end_city(2).end == 2
    assert problem.with_start_city(2).start == 2
    assert ATSP(np.ones((2, 2))).with_open(True).closed is False
