"""Numbers and durations read well and never round into a lie."""

from __future__ import annotations

import pytest

from prunus.view import text


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0/s"),
        (12.4, "12/s"),
        (999.4, "999/s"),
        (999.9, "1.00 k/s"),
        (3_310_000.0, "3.31 M/s"),
        (12_345.0, "12.3 k/s"),
        (123_456.0, "123 k/s"),
        (999_600.0, "1.00 M/s"),
        (2.9e9, "2.90 G/s"),
        (1e13, "10.0 T/s"),
    ],
)
def test_rate(value: float, words: str) -> None:
    """A speed has three digits and the right prefix, also where it rounds up to the next."""
    assert text.rate(value) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "0.00 s"),
        (0.00002, "<0.1 ms"),
        (0.00123, "1.2 ms"),
        (0.00996, "0.01 s"),
        (4.21, "4.21 s"),
        (9.999, "10.0 s"),
        (59.97, "1 min 00 s"),
        (187.0, "3 min 07 s"),
        (3600.0, "1 h 00 min"),
        (3599.9, "1 h 00 min"),
        (90_000.0, "1 d 1 h"),
        (3.2e9, "101 years"),
        (1e30, "3e+22 years"),
        (float("inf"), "∞"),
    ],
)
def test_duration(seconds: float, words: str) -> None:
    """A time span is written in its two leading units, from moments to aeons."""
    assert text.duration(seconds) == words


@pytest.mark.parametrize(
    ("fraction", "words"),
    [
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.5, "50.00 %"),
        (0.9999999, "99.99 %"),
        (1e-9, "<0.01 %"),
        (2.0, "200 %"),
    ],
)
def test_percent(fraction: float, words: str) -> None:
    """A fraction reads 0 % or 100 % only when it is exactly that."""
    assert text.percent(fraction) == words


def test_count_and_plural() -> None:
    """Counts get separators and nouns their number."""
    assert text.count(2415834) == "2,415,834"
    assert text.plural(1, "job") == "1 job"


def test_labels_are_cut_with_an_ellipsis() -> None:
    """What fits is whole; what is cut ends in an ellipsis, unless too little would be left."""
    assert [text.shortened("housing", room) for room in (7, 6, 4, 3)] == [
        "housing",
        "housi…",
        "hou…",
        "",
    ]
    assert text.shortened("a long name", 3) == ""
    assert text.shortened("a long name", 8) == "a long…"
