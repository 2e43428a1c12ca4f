"""The course of a search is drawn from its history."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from prunus.assignment.problem import Assignment
from prunus.errors import InputError
from prunus.flowshop.problem import FlowShop
from prunus.result import HistoryEntry, Result, Status

pytest.importorskip("matplotlib")

from prunus.plot import history, shares, trace

SHOP = FlowShop([[1]], name="tiny")
ENTRIES = (HistoryEntry(0.1, 12, 0, "neh", 8), HistoryEntry(0.5, 10, 7, "cpu:0", 9))


def test_incumbents_and_bounds() -> None:
    """The incumbent is a staircase to the end of the run, and so is the bound."""
    result = Result(SHOP, Status.FEASIBLE, 10, 9, np.array([0]), 2.0, history=ENTRIES)
    lines = {line.get_label(): line for line in history(result).get_lines()}
    assert np.asarray(lines["makespan"].get_xdata()).tolist() == [0.1, 0.5, 2.0]
    assert np.asarray(lines["makespan"].get_ydata()).tolist() == [12, 10, 10]
    assert np.asarray(lines["lower bound"].get_ydata()).tolist() == [8, 9, 9]


def test_a_bound_is_drawn_from_when_it_was_known() -> None:
    """Not back to the beginning, and one that is known at the end only is a point there."""
    entries = (HistoryEntry(0.1, 12), HistoryEntry(0.5, 10, 7, "cpu:0", 9))
    result = Result(SHOP, Status.FEASIBLE, 10, 9, np.array([0]), 2.0, history=entries)
    lines = {line.get_label(): line for line in history(result).get_lines()}
    assert np.asarray(lines["lower bound"].get_xdata()).tolist() == [0.5, 2.0]
    assert all(np.min(np.asarray(line.get_xdata())) >= 0.1 for line in lines.values())
    result = Result(SHOP, Status.FEASIBLE, 12, 9, np.array([0]), 2.0, history=entries[:1])
    lines = {line.get_label(): line for line in history(result).get_lines()}
    assert np.asarray(lines["lower bound, at the end"].get_xdata()).tolist() == [2.0]


def test_a_bound_rises_when_it_was_proven() -> None:
    """And not with the next incumbent, or at the end; a weaker one takes nothing back."""
    noted = {"bounds": [[0.2, 7], [1.0, 9], [1.5, 8]]}
    result = Result(
        SHOP, Status.FEASIBLE, 12, 9, np.array([0]), 2.0, history=ENTRIES[:1], statistics=noted
    )
    lines = {line.get_label(): line for line in history(result).get_lines()}
    drawn = np.asarray(lines["lower bound"].get_xydata()).tolist()
    assert drawn == [[0.1, 8], [0.2, 8], [1.0, 9], [1.5, 9], [2.0, 9]]


def test_a_notebook_shows_the_picture() -> None:
    """The axes that are returned are shown as their figure."""
    result = Result(SHOP, Status.FEASIBLE, 10, 9, np.array([0]), 2.0, history=ENTRIES)
    axes: Any = history(result)
    assert axes._repr_png_().startswith(b"\x89PNG")


def test_an_upper_bound_is_called_one() -> None:
    """Where the largest is sought the bound is above."""
    problem = Assignment([[1]], maximize=True)
    result = Result(problem, Status.FEASIBLE, 10, 12, np.array([0]), 2.0, history=ENTRIES)
    assert "upper bound" in {line.get_label() for line in history(result).get_lines()}


def test_without_bounds() -> None:
    """Where nothing is known of bounds only the incumbent is drawn."""
    result = Result(
        SHOP, Status.FEASIBLE, 10, None, np.array([0]), 2.0, history=(HistoryEntry(0.1, 12),)
    )
    assert "lower bound" not in {line.get_label() for line in history(result).get_lines()}


def test_no_history() -> None:
    """A search that found nothing has no course to draw."""
    with pytest.raises(InputError, match="no history"):
        history(Result(SHOP, Status.UNKNOWN, None, None, None, 2.0))


@pytest.mark.parametrize("draw", [history, trace, shares])
def test_what_is_no_result(draw: Any) -> None:
    """A problem, or nothing, is not drawn."""
    for wrong in (None, SHOP):
        with pytest.raises(InputError, match="the result of a solve"):
            draw(wrong)
