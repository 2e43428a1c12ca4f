"""Whole numbers in text: exact, in the usual spellings, or refused with a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus.files.numerals import is_numeral, whole


@given(st.integers(-(2**62) + 1, 2**62 - 1))
def test_every_integer_is_read_exactly(number):
    """Plain, signed, with leading zeros, as a decimal: always the same integer."""
    for spelling in (f"{number}", f"{number:+}", f"{number:022}", f"{number}.0", f"{number}."):
        assert whole(spelling) == number


@pytest.mark.parametrize(
    ("token", "number"), [("1e3", 1000), ("1.5e1", 15), ("2.000E+00", 2), (".0", 0), ("-0", 0)]
)
def test_scientific_notation(token, number):
    """What numpy.savetxt writes is read as well."""
    assert whole(token) == number


@pytest.mark.parametrize(
    ("token", "reason"),
    [
        ("", "not a number"),
        ("x", "not a number"),
        ("1_0", "not a number"),
        ("٣", "not a number"),
        ("²", "not a number"),
        ("0x10", "not a number"),
        ("1,5", "not a number"),
        ("1e", "not a number"),
        (".", "not a number"),
        ("1.5", "not a whole number"),
        ("1e-1", "not a whole number"),
        ("nan", "not a finite"),
        ("-Inf", "not a finite"),
        (str(2**62), "too large"),
        ("1e9999", "too large"),
        ("9" * 6000, "too large"),
    ],
)
def test_refused_with_a_reason(token, reason):
    """Other scripts, underscores, fractions, overflow: refused, in finite time."""
    with pytest.raises(ValueError, match=reason):
        whole(token)


def test_is_numeral():
    """Numbers of all kinds are numerals, names are not."""
    assert all(map(is_numeral, ["1", "-2.5", "1e5", "nan", "INF", "+infinity"]))
    assert not any(map(is_numeral, ["", "x", "M1", "1a", "nano", "-"]))
