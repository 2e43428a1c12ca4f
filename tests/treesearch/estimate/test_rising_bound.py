"""Forecasts of best-first searches."""

from __future__ import annotations

import math

import pytest

import prunus
from prunus.runtime.incumbent import NO_INCUMBENT
from prunus.treesearch.estimate.rising_bound import FAR, NEAR, RisingBound


def noted(*course: tuple[float, int, int], before: int = 0) -> RisingBound:
    """Return a forecast that has seen seconds, nodes and bounds, after nodes of earlier runs."""
    forecast = RisingBound()
    for seconds, nodes, bound in course:
        forecast.note(5 + seconds, before + nodes, bound, 0.9)
    return forecast


@pytest.mark.parametrize("before", [0, 5000])
def test_nodes_that_are_left_follow_from_the_rise_in_the_later_half_of_the_time(
    before: int,
) -> None:
    """30 nodes for ten units there: far from the incumbent somewhat more for ten, near it less."""
    course = [(0, 0, 100), (1, 10, 140), (2, 20, 160), (3, 35, 165), (4, 50, 170)]
    forecast = noted(*course, before=before)
    assert forecast.left(before + 50, 190) == pytest.approx(FAR * 60)
    assert forecast.left(before + 50, 175) == pytest.approx(NEAR / 2 * 15)
    assert forecast.left(before + 50, 170) == pytest.approx(0.02 * 50)


def test_what_is_far_is_less_certain() -> None:
    """Near the incumbent the whole is known within an eighth or so, far from it within two."""
    course = [(0, 0, 100), (1, 10, 140), (2, 20, 160), (3, 35, 165), (4, 50, 170)]
    factors = [noted(*course).factor(50, upper) for upper in (170, 175, 190, 400)]
    assert factors == sorted(factors)
    assert factors[0] == pytest.approx(1.12, abs=0.01)
    assert factors[-1] == pytest.approx(2, abs=0.01)


def test_a_bound_that_falls_when_work_is_moved_changes_nothing() -> None:
    """A node that goes from one core to another is seen by neither for a moment."""
    course = [(0, 0, 100), (2, 20, 160), (4, 50, 170)]
    assert noted(*course, (4, 50, 90)).left(50, 190) == noted(*course).left(50, 190)


def test_nothing_is_told_where_little_is_known() -> None:
    """No look, too few nodes, no tour, a bound that stands still or has far to go."""
    assert RisingBound().left(1000, 50) == math.inf
    assert noted((0, 0, 10), (1, 7, 20)).left(7, 30) == math.inf
    assert noted((0, 0, 10), (4, 100, 10)).left(100, 30) == math.inf
    forecast = noted((0, 0, 10), (1, 50, 20), (9, 100, 20))
    assert forecast.left(100, 30) == math.inf
    forecast = noted((0, 0, 10), (1, 50, 11))
    assert forecast.left(50, NO_INCUMBENT) == forecast.left(50, 30) == math.inf
    assert forecast.left(50, 22) < math.inf
    forecast.note(9, 100, None, 0.0)
    assert forecast.left(100, 30) == 0


def test_tours_tell_their_time_left_and_never_by_the_share_that_is_fathomed() -> None:
    """Most of the tree is fathomed in the last tenth of the time."""
    shown: list[prunus.Progress] = []
    result = prunus.solve(
        prunus.read("crane:80:2"),
        devices="cpu:1",
        stop=lambda progress: bool(shown.append(progress)),
    )
    assert result.status == "optimal"
    assert all((now.done is None) == (now.remaining is None) for now in shown)
