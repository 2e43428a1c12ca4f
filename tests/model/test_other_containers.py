"""Containers of other libraries and views of memory: read, or refused with what to do."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import coo_matrix, csr_array, csr_matrix

from prunus import ATSP, Assignment, FlowShop, InputError, Knapsack, SubsetSum

MATRICES = FlowShop, ATSP, Assignment
ROWS = np.array([[0, 2], [3, 0]])


class ArrowArray:
    """What pyarrow's arrays have: ``index`` is a method, ``to_numpy`` refuses missing values."""

    def __init__(self, values):
        self.values = values

    def __iter__(self):
        raise AssertionError("its own scalars are no numbers of Python")

    def index(self, value):
        return self.values.index(value)

    def to_numpy(self):
        raise ValueError("needs to copy")

    def to_pylist(self):
        return self.values


class FrameWithoutIndex:
    """What a data frame of polars has."""

    columns = ("weight",)

    def to_numpy(self):
        return np.array([[3], [4]])


@pytest.mark.parametrize("kind", MATRICES)
@pytest.mark.parametrize("dtype", ["i8", ">i4", "f8"])
def test_a_view_of_two_dimensions_is_a_matrix(kind, dtype):
    """Python itself reads no rows from it."""
    array = ROWS.astype(dtype)
    assert repr(kind(memoryview(array))) == repr(kind(array))


def test_views_as_columns_and_solutions():
    """One dimension is read, of any byte order; two are refused."""
    values = memoryview(np.array([3, 4], dtype=">i4"))
    assert Knapsack(values, values, 7).evaluate(memoryview(np.array([0, 1]))) == 7
    assert SubsetSum(values, 7).weights == (3, 4)
    for make in (lambda view: Knapsack(view, [1, 1], 1), lambda view: SubsetSum(view, 1)):
        with pytest.raises(InputError, match="must have one dimension, got 2"):
            make(memoryview(ROWS))
    with pytest.raises(InputError, match=r"\[0, 2\] is not a number"):
        FlowShop(ROWS).evaluate(memoryview(ROWS))


def test_arrow_arrays_are_columns():
    """Missing values are found as in a list."""
    assert SubsetSum(ArrowArray([3, 4]), 7).weights == (3, 4)
    assert Knapsack(ArrowArray([3, 4]), ArrowArray([1, 2]), 3).items == 2
    with pytest.raises(InputError, match=r"weights, position 1 .* None is missing"):
        Knapsack([1, 2], ArrowArray([1, None]), 3)


@pytest.mark.parametrize("kind", [csr_matrix, csr_array, coo_matrix])
@pytest.mark.parametrize("problem", [FlowShop, ATSP])
def test_sparse_matrices_are_refused(problem, kind):
    """Whether what is not stored is 0 or missing, only the user knows."""
    with pytest.raises(InputError, match=r"got a sparse matrix, which toarray\(\) makes an array"):
        problem(kind(ROWS))


@pytest.mark.parametrize("distances", [{(0, 1), (2, 0)}, [{0, 1}, {0, 2}], {"a": [0, 1]}])
def test_what_has_no_order_is_no_matrix_of_distances(distances):
    with pytest.raises(InputError, match=r"must be a matrix: .* (got|its row 0)"):
        ATSP(distances)


def test_a_frame_is_no_column():
    """Of any library, for the weights of any problem."""
    for make in (lambda it: SubsetSum(it, 7), lambda it: Knapsack([1, 2], it, 7)):
        with pytest.raises(InputError, match="give a Series, not a data frame"):
            make(FrameWithoutIndex())


def test_text_is_quoted():
    """Otherwise "1 is text, not a number" puzzles the reader."""
    with pytest.raises(InputError, match="'1' is text, not a number"):
        FlowShop([["1", "2"]])


def test_fractions_beside_floats():
    """An assignment takes floats, so the message says what is to be done with other fractions."""
    with pytest.raises(InputError, match="not a whole number; make it a float"):
        Assignment([[1, Fraction(1, 2)]])
