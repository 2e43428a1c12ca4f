"""Numbers of every kind become one of four, unchanged; what are none is said with its place."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from prunus import Assignment, InputError


@pytest.mark.parametrize(
    "values",
    [
        ((x for x in row) for row in [[4, 1], [2, 0]]),
        [[Decimal(4), Decimal(1)], [Decimal(2), Decimal(0)]],
        pd.DataFrame([[4, 1], [2, 0]], dtype=object),
        np.array([[4, 1], [2, 0]], dtype=np.uint64),
    ],
)
def test_whole_numbers_of_any_kind_are_integers(values):
    """Generators, decimals, columns of objects and numbers without a sign."""
    problem = Assignment(values)
    assert problem.integral
    assert problem.matrix.tolist() == [[4, 1], [2, 0]]


def test_objects_that_are_floats_are_floats():
    """As in a data frame with a column of whole numbers and one of others."""
    problem = Assignment(np.array([[4, 1.5], [float("inf"), 0]], dtype=object))
    assert problem.matrix.tolist() == [[4.0, 1.5], [np.inf, 0.0]]
    with pytest.raises(InputError, match="beyond 2\\*\\*53"):
        Assignment(np.array([[2**60 + 1, 1.5], [1, 0]], dtype=object))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (None, "got NoneType"),
        ("12", "got str"),
        ({"a": [1, 2]}, "got dict"),
        ([[1, 2], [3]], r"ragged: row 1 \(counted from 0\) has 1 value, row 0 has 2"),
        ([[1, 2], 3], r"ragged: row 1 \(counted from 0\) is no row, row 0 has 2"),
        (pd.DataFrame([["1", "2"], ["3", "4"]]), r"values\[0, 0\]: .1. is text, not a number"),
        ([[1, None], [2, 3]], r"values\[0, 1\]: None is missing"),
        ([[2**70, 1], [1, 1]], "beyond 64 bits"),
        ([[2**63 + 1, 1], [1, 1.5]], r"2\*\*63 or more"),
        (np.ones((2, 2), np.longdouble), "of at most 64 bits"),
        (np.array([[2**63, 1], [1, 1]], dtype=np.uint64), r"2\*\*63 or more"),
    ],
)
def test_what_are_no_numbers_is_said_with_its_place(values, said):
    """In the words that the other problems have for it, not in NumPy's."""
    with pytest.raises(InputError, match=said):
        Assignment(values)


def test_bfloat16_becomes_float64():
    """NumPy has it from another package, as a type of its own that converts safely."""
    kind = pytest.importorskip("ml_dtypes").bfloat16
    values = np.array([[4, 1.5], [2, 0]]).astype(kind)
    assert Assignment(values).matrix.tolist() == [[4, 1.5], [2, 0]]
