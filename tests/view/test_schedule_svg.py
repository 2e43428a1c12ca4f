"""The small picture of a schedule is well-formed and to scale."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from prunus.flowshop.problem import FlowShop
from prunus.result import Result, Status
from prunus.view.schedule_svg import schedule_svg

SHOP = FlowShop([[30, 20], [10, 40], [20, 0]], job_names=["a<b", "shaft", "pin"])
ORDER = np.array([1, 0, 2])


def rectangles(picture: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}rect"))


def test_bars_are_to_scale() -> None:
    """Each operation that takes time has a bar where it is; 560 units are the makespan of 70."""
    bars = rectangles(schedule_svg(SHOP, ORDER))
    starts = [(float(bar.get("x", "")) - 76) * 70 / 560 for bar in bars]
    assert starts == pytest.approx([0, 10, 10, 50, 40], abs=0.01)


def test_labels() -> None:
    """Jobs are named in their bars where they fit, machines beside their rows, times below."""
    picture = ElementTree.fromstring(schedule_svg(SHOP, ORDER))
    labels = [each.text for each in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert labels == [*("shaft", "shaft", "a<b", "a<b", "pin"), "machine 0", "machine 1", "0", "70"]
    many = FlowShop([[1]] * 300, job_names=[f"a long name {k}" for k in range(300)])
    assert "a long name 7</text>" not in schedule_svg(many, np.arange(300))


def test_names_are_escaped_and_told() -> None:
    """Pointing at a bar tells the job, whatever its name has in it, the machine and the times."""
    titles = [bar[0].text for bar in rectangles(schedule_svg(SHOP, ORDER))]
    assert titles[2] == "a<b, machine 0: 10 to 40"


def test_nothing_for_what_cannot_be_read() -> None:
    """A schedule of no length or of very many operations has no picture."""
    assert schedule_svg(FlowShop([[0]]), np.array([0])) == ""
    assert schedule_svg(FlowShop(np.ones((500, 20), int)), np.arange(500)) == ""


def test_a_result_shows_it_in_a_notebook() -> None:
    """A flow shop's table comes with its picture."""
    result = Result(SHOP, Status.OPTIMAL, 70, 70, ORDER, 0.1)
    assert "<svg" in result._repr_html_()
    ElementTree.fromstring(result._repr_html_())
