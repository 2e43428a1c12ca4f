"""ATSP: what it accepts, what it refuses, and that the length of a tour is right."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus.atsp.problem import ATSP
from prunus.errors import InputError


def test_tour_length_by_hand():
    """The way back counts, and direction matters."""
    cycle = ATSP([[0, 1, 9], [9, 0, 1], [1, 9, 0]])
    assert cycle.evaluate([0, 1, 2]) == 3
    assert cycle.evaluate([2, 1, 0]) == 27


@given(st.integers(1, 7), st.randoms(use_true_random=False))
def test_tour_length_is_the_trace_of_a_product(n, random):
    """The length equals the sum of distances times the tour's successor matrix."""
    distances = np.array([[random.randrange(1000) for _ in range(n)] for _ in range(n)])
    tour = random.sample(range(n), n)
    successor = np.zeros((n, n), dtype=int)
    successor[tour, np.roll(tour, -1)] = 1
    np.fill_diagonal(distances, 0)
    assert ATSP(distances).evaluate(tour) == (distances * successor).sum()


def test_one_and_two_cities():
    """One city is a tour of length 0, whatever its diagonal; two are there and back."""
    assert ATSP([[7]]).evaluate([0]) == 0
    assert ATSP([[0, 3], [4, 0]]).evaluate([1, 0]) == 7


def test_diagonal_is_ignored():
    """Infinity, NaN, None or anything else on the diagonal is set to 0."""
    assert ATSP(np.array([[np.inf, 1], [2, np.nan]])).distances.tolist() == [[0, 1], [2, 0]]
    assert ATSP([[None, 1], [2, -5]]).distances.tolist() == [[0, 1], [2, 0]]


@pytest.mark.parametrize(
    ("distances", "complaint"),
    [
        ([[0, 1]], "square.*1 row and 2 columns"),
        ([[0, -1], [1, 0]], "row 0, column 1"),
        ([[0, float("nan")], [1, 0]], "row 0, column 1.*missing"),
        ([[0, -0.5], [1, 0]], "row 0, column 1.*negative"),
        ([[0, float("-inf")], [1, 0]], "row 0, column 1.*negative"),
        ([[0, None], [1, 0]], "row 0, column 1.*missing"),
        ([[0, 2.0**60], [float("inf"), 0]], "2\\*\\*53"),
        ([], "empty"),
    ],
)
def test_bad_distances_are_refused(distances, complaint):
    """A distance must be a whole number from 0, and the matrix square."""
    with pytest.raises(InputError, match=complaint):
        ATSP(distances)


@pytest.mark.parametrize("tour", [[0, 1], [0, 1, 2, 0], [0, 1, 1], [0, 1, 5], "012", None])
def test_bad_tours_are_refused(tour):
    """A tour visits every city once, without repeating the first."""
    with pytest.raises(InputError, match="a tour"):
        ATSP(np.ones((3, 3))).evaluate(tour)


def test_pandas_names_cities():
    """Labels of a DataFrame name the cities, and rows and columns must agree on them."""
    pandas = pytest.importorskip("pandas")
    matrix = [[0, 1], [2, 0]]
    assert ATSP(pandas.DataFrame(matrix, index=["A", "B"])).city_names == ("A", "B")
    assert ATSP(pandas.DataFrame(matrix, columns=["A", "B"])).city_names == ("A", "B")
    assert ATSP(pandas.DataFrame(matrix)).city_names is None
    crossed = pandas.DataFrame(matrix, index=["A", "B"], columns=["B", "A"])
    with pytest.raises(InputError, match="different names"):
        ATSP(crossed)
    assert ATSP(crossed, city_names=["x", "y"]).city_names == ("x", "y")


def test_immutable_picklable_and_shown():
    """It never changes, survives pickling whole and locked, and shows name and size."""
    problem = pickle.loads(pickle.dumps(ATSP([[0, 1], [2, 0]], city_names=["A", "B"], name="ab")))
    assert problem.distances.tolist() == [[0, 1], [2, 0]]
    assert problem.city_names == ("A", "B")
    assert repr(problem) == "ATSP('ab', 2 cities)"
    with pytest.raises(ValueError, match="WRITEABLE"):
        problem.distances.flags.writeable = True
    with pytest.raises(AttributeError, match="never changes"):
        problem.cities = 3
