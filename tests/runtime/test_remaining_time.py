"""An estimate is given while a search goes on evenly, and withheld when its past tells nothing."""

from __future__ import annotations

import pytest

from prunus.runtime.remaining_time import RemainingTime


def test_an_even_search_tells_when_it_ends() -> None:
    """A tenth of the space in each second leaves as many seconds as there are tenths left."""
    estimate = RemainingTime()
    found = [estimate.seconds_left(0.1 * second, second) for second in range(1, 10)]
    assert found == [pytest.approx(10 - second) for second in range(1, 10)]


def test_nothing_is_said_too_early_nor_at_the_end() -> None:
    """Not in the first second, not of a thousandth of the space, not when all is done."""
    assert RemainingTime().seconds_left(0.5, 0.9) is None
    assert RemainingTime().seconds_left(0.001, 100.0) is None
    assert RemainingTime().seconds_left(0.0, 100.0) is None
    assert RemainingTime().seconds_left(1.0, 100.0) is None


def test_a_leap_at_the_beginning_is_no_pace() -> None:
    """A fraction that leapt and then stands still gives no estimate, until it moves again."""
    estimate = RemainingTime()
    estimate.seconds_left(0.03, 1.0)
    standing = [estimate.seconds_left(0.03, 1.0 + step / 8) for step in range(16, 80)]
    assert set(standing) == {None}
    moving = [estimate.seconds_left(0.03 + 0.003 * step, 11.0 + step / 8) for step in range(80)]
    assert moving[0] is None
    assert moving[-1] is not None


def test_an_earlier_run_took_none_of_this_ones_time() -> None:
    """Of a search that goes on only what was explored since counts."""
    estimate = RemainingTime(resumed=True)
    assert estimate.seconds_left(0.5, 1.0) is None
    assert estimate.seconds_left(0.6, 2.0) == pytest.approx(4.0)


def test_days_of_looking_take_little_memory() -> None:
    """Eight looks a second for a day are thinned out, and the estimate stays the same."""
    estimate = RemainingTime()
    day = 86400
    for look in range(8, 8 * day, 8):
        left = estimate.seconds_left(look / 8 / (2 * day), look / 8)
    assert left == pytest.approx(day, rel=1e-3)
    assert len(estimate._seen) <= 300
