"""Sums that are rounded once."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus.model.exact_sum import exact_sum

finite = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300)


@given(st.lists(finite, max_size=50))
def test_sums_of_any_floats_are_rounded_once(values):
    """The same as the fraction that is nearest, whatever their sizes."""
    assert exact_sum(np.array(values)) == float(sum(map(Fraction, values)))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_many_values_of_like_size(kind):
    """Thousands of values, whole, of few digits and of all digits, sum up as one by one."""
    rng = np.random.default_rng(3)
    for values in (
        rng.integers(0, 10**6, 20_000),
        rng.random(20_000),
        rng.normal(size=20_000) * 10.0 ** rng.integers(-12, 12, 20_000),
    ):
        values = values.astype(kind)
        assert exact_sum(values) == math.fsum(values.tolist())


def test_a_sum_beyond_all_floats_is_an_error():
    """It overflows as `math.fsum` does."""
    with pytest.raises(OverflowError):
        exact_sum(np.full(3, 1.7e308))


def test_whole_numbers_whose_sum_has_too_many_digits():
    """Each is exact and so is the sum, while adding them up one after the other loses both ones."""
    values = np.array([2.0**53 - 1, 1.0, 1.0, 1.0])
    assert exact_sum(values) == 2.0**53 + 2
    assert exact_sum(-values) == -(2.0**53) - 2
