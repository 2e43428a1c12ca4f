"""Turning anything into an int64 matrix: exact, or refused with the row and the column."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus.errors import InputError
from prunus.model.validate import integer_matrix

WHERE = r"row 1, column 0 \(counted from 0\)"


@pytest.mark.parametrize("dtype", "bBhHiIlLqQefdgO")
def test_every_numeric_dtype(dtype):
    """Integers and whole floats of any width, and object arrays, give the same matrix."""
    matrix = integer_matrix(np.array([[0, 1], [2, 127]], dtype=dtype), "p")
    assert matrix.values.tolist() == [[0, 1], [2, 127]]
    assert matrix.values.dtype == np.int64


@pytest.mark.parametrize(
    "source",
    [
        ((1, 2), (3, 4)),
        [np.array([1, 2]), (3, 4)],
        (row for row in [[1, 2], [3, 4]]),
        [[1.0, Decimal(2)], [Fraction(6, 2), np.int8(4)]],
        [[np.float16(1), np.float32(2)], [np.longdouble(3), np.uint64(4)]],
        np.array([[1, 3], [2, 4]]).T,
        np.asfortranarray([[1, 2], [3, 4]]),
        np.ma.array([[1, 2], [3, 4]]),
        [range(1, 3), range(3, 5)],
    ],
)
def test_kinds_of_sources(source):
    """Sequences, iterators, mixed numbers and arrays of any memory order are read alike."""
    matrix = integer_matrix(source, "p").values
    assert matrix.tolist() == [[1, 2], [3, 4]]
    assert matrix.flags.c_contiguous


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (-1, "negative"),
        (-0.5, "whole"),
        (1.5, "not a whole number"),
        (float("nan"), "missing"),
        (float("inf"), "infinite"),
        (float("-inf"), "infinite"),
        (2**62, "too large"),
        (10**40, "too large"),
        pytest.param(10**5000, "too large", id="10**5000"),
        (Decimal("1e999999999"), "too large"),
        (Decimal("snan"), "missing"),
        (2.0**53, "too large"),
        (1e300, "too large"),
        (None, "missing"),
        ("3", "text"),
        (b"3", "text"),
        (True, "truth value"),
        (np.True_, "truth value"),
        (1 + 0j, "not a number"),
        ([1], "not a number"),
        (Decimal("1.5"), "not a whole number"),
        (Decimal("nan"), "missing"),
        (object(), "not a number"),
    ],
)
def test_bad_value_in_a_list_or_object_array(value, reason):
    """A value that is not a whole number from 0 is named with its place and the reason."""
    with pytest.raises(InputError, match=f"^p, {WHERE}.*{reason}"):
        integer_matrix([[1, 2], [value, 4]], "p")
    array = np.empty((2, 2), dtype=object)
    array[:] = 1
    array[1, 0] = value
    with pytest.raises(InputError, match=f"^p, {WHERE}.*{reason}"):
        integer_matrix(array, "p")


@pytest.mark.parametrize("dtype", "efdg")
@pytest.mark.parametrize("value", [1.5, -1, np.nan, np.inf, -np.inf])
def test_bad_value_in_a_float_array(dtype, value):
    """The vectorised check finds the first offender too, without warnings."""
    array = np.array([[1, 2], [value, value]], dtype=dtype)
    with pytest.raises(InputError, match=WHERE):
        integer_matrix(array, "p")


@pytest.mark.parametrize(
    ("value", "dtype"), [(-1, "b"), (2**62, "q"), (2**63, "Q"), (2.0**53, "d")]
)
def test_out_of_range_in_an_array(value, dtype):
    """Negative and overflowing values of typed arrays are refused, not wrapped around."""
    with pytest.raises(InputError, match=WHERE):
        integer_matrix(np.array([[1], [value]], dtype=dtype), "p")


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ([], "empty"),
        ([[]], "empty"),
        ([[], []], "empty"),
        (np.zeros((0, 3)), "empty"),
        (np.zeros((3, 0)), "empty"),
        ([[1, 2], [3]], "ragged: row 1 .* has 1 value, row 0 has 2"),
        ([1, 2], "its row 0 .* is 1"),
        (["12", "34"], "its row 0 .* is '12'"),
        ("12", "got str"),
        (5, "got int"),
        (None, "got NoneType"),
        ({1: 2}, "got dict"),
        ([{1, 2}], "its row 0"),
        (np.zeros(3), "two dimensions"),
        (np.zeros((2, 2, 2)), "two dimensions"),
        (np.array([[True]]), "truth value"),
        (np.array([["1"]]), "text"),
        (np.ma.array([[1, 2]], mask=[[False, True]]), "column 1.*missing"),
        (np.array([["2020-01-01"]], dtype="M8[D]"), "not a number"),
    ],
)
def test_bad_shapes_and_types(source, complaint):
    """What is no matrix of numbers is refused in one sentence."""
    with pytest.raises(InputError, match=complaint):
        integer_matrix(source, "p")


def test_sum_must_stay_below_the_limit():
    """The sum may reach 2**62 - 1 and not more."""
    assert integer_matrix([[2**61, 2**61 - 1]], "p").values.sum() == 2**62 - 1
    with pytest.raises(InputError, match="add up to"):
        integer_matrix([[2**61, 2**61]], "p")
    with pytest.raises(InputError, match="add up to"):
        integer_matrix(np.full((4, 4), 2**60), "p")


@pytest.mark.parametrize("value", [np.inf, np.nan, -1, 2.5])
def test_diagonal_is_ignored_on_request(value):
    """With ignore_diagonal, whatever stands on the diagonal becomes 0; off it nothing changes."""
    array = np.array([[value, 1], [2, value]])
    assert integer_matrix(array, "d", ignore_diagonal=True).values.tolist() == [[0, 1], [2, 0]]
    assert np.array_equal(array.diagonal(), [value, value], equal_nan=True)
    nested = [[value, 1], [2, None]]
    assert integer_matrix(nested, "d", ignore_diagonal=True).values.tolist() == [[0, 1], [2, 0]]


scalars = st.one_of(
    st.integers(),
    st.floats(),
    st.booleans(),
    st.none(),
    st.text(max_size=3),
    st.decimals(),
)


@given(st.lists(st.lists(scalars, max_size=4), max_size=4))
def test_exact_or_refused(rows):
    """Whatever is put in, the values come out as they went in, or an InputError does."""
    try:
        matrix = integer_matrix(rows, "p").values
    except InputError:
        return
    assert matrix.shape == (len(rows), len(rows[0]))
    assert matrix.tolist() == rows
