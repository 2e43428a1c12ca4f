"""Forecasts of best-first searches."""

from __future__ import annotations

import math

import pytest

import prunus
from prunus.runtime.incumbent import NO_INCUMBENT
from prunus.treesearch.estimate.rising_bound import RisingBound


@pytest.mark.parametrize("above", [0, 500])
def test_a_bound_that_rises_with_every_doubling_goes_on(above: int) -> None:
    """Ten units a doubling: from 256 nodes to 1024 there are twenty units more."""
    forecast = RisingBound()
    for nodes in range(1, 257):
        forecast.note(above + nodes, 1000 + int(10 * math.log2(nodes)), 0.9)
    forecast.note(above + 256, 900, 0.5)
    assert forecast.left(above + 256, 1100) == pytest.approx(768, rel=0.1)
    assert forecast.left(above + 256, 1080) == pytest.approx(0.02 * 256, rel=0.1)


def test_nothing_is_told_where_little_is_known() -> None:
    """Too few nodes, no tour, a bound that stands still, or that would have to rise for ever."""
    forecast = RisingBound(resumed=True)
    assert forecast.left(1000, 50) == math.inf
    forecast.note(1000, 10, 0.9)
    assert forecast.left(2000, 50) == math.inf
    forecast.note(2000, 20, 0.9)
    assert forecast.left(2000, NO_INCUMBENT) == math.inf
    assert forecast.left(2000, 10_000) == math.inf
    assert forecast.left(2000, 30) == pytest.approx(2000)
    forecast.note(2100, None, 0.0)
    assert forecast.left(2100, 30) == 0


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
