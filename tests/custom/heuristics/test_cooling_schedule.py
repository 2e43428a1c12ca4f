"""Temperatures of annealing, by the changes that it has accepted."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.custom.heuristics.cooling_schedule import TUNING, CoolingSchedule, weights


def test_the_first_is_a_share_of_what_changes_are_worse() -> None:
    """It falls by the same factor in equal times."""
    cooling = CoolingSchedule()
    cooling.learn(1000, 60_000, 600, 0)
    cooling.begin()
    first = cooling.after(0)
    assert first == pytest.approx(100 * TUNING.begin)
    assert cooling.after(1) == pytest.approx(first * TUNING.end)
    assert cooling.after(0.5) ** 2 == pytest.approx(first * cooling.after(1))
    assert first * cooling.decay(7) ** 7 == pytest.approx(cooling.after(1))


def test_later_ones_are_hotter_where_too_little_was_kept() -> None:
    """And colder where too much was, within limits."""
    cooling, before = CoolingSchedule(), 0.0
    cooling.learn(1000, 60_000, 600, 0)
    cooling.begin()
    for kept, factor in ((1, 2.0), (4, 1.0), (16, 0.5), (0, TUNING.most), (10**6, 1 / TUNING.most)):
        before = cooling.after(0)
        cooling.learn(round(4 / TUNING.kept), 10**9, 1, kept)
        if kept == 0:
            cooling.learn(10**9, 0, 0, 0)
        cooling.begin()
        assert cooling.after(0) == pytest.approx(factor * before, rel=0.01)


def test_a_kind_that_never_helps_is_drawn_nevertheless() -> None:
    """The more one has helped, the more it is drawn."""
    one, two, three = weights(np.array([10_000, 10_000, 10_000]), np.array([90, 10, 0]))
    assert one > 3 * two > 3 * three > 0
    assert three / (one + two + three) > 0.05
