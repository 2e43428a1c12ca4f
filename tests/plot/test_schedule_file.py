"""Schedules as files that need no Matplotlib: a page, and an SVG picture."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import prunus
from prunus.cli.entry import run
from prunus.errors import InputError
from prunus.plot import save_schedule

SHOP = prunus.FlowShop([[3, 2], [1, 4]], job_names=["gear", "<shaft>"], name="shop & more")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take Matplotlib away."""
    monkeypatch.setattr("prunus.plot.schedule_file.find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.axes", None)


@pytest.mark.usefixtures("bare")
def test_without_matplotlib(tmp_path: Path) -> None:
    """The page says what was found and shows the jobs; the picture is well-formed XML."""
    result = prunus.solve(SHOP, devices="cpu:1")
    page, picture = tmp_path / "a.html", tmp_path / "a.svg"
    save_schedule(result, page)
    save_schedule(result, str(picture))
    text = page.read_text("utf-8")
    assert text.startswith("<!DOCTYPE html>")
    assert all(words in text for words in ("shop &amp; more", "optimal", "&lt;shaft&gt;", "<svg"))
    ET.fromstring(picture.read_text("utf-8"))


@pytest.mark.usefixtures("bare")
def test_the_command_needs_no_extra_for_a_page(tmp_path: Path) -> None:
    """A picture of pixels does, and says so before it solves."""
    shop = tmp_path / "shop.csv"
    shop.write_text("job,a,b\ngear,3,2\nshaft,1,4\n")
    for name, code in (("s.html", 0), ("s.svg", 0), ("s.png", 2)):
        words = ["solve", str(shop), "--devices", "cpu:1", "--quiet"]
        assert run([*words, "--gantt", str(tmp_path / name)]) == code
        assert (tmp_path / name).exists() == (code == 0)


def test_what_is_no_schedule_is_refused(tmp_path: Path) -> None:
    """One sentence for another problem, and for a schedule of more operations than can be seen."""
    with pytest.raises(InputError, match="no schedule"):
        save_schedule(prunus.solve(prunus.NQueens(4), devices="cpu:1"), tmp_path / "a.html")
    with pytest.raises(InputError, match="result of a solve, not FlowShop"):
        save_schedule(SHOP, tmp_path / "a.html")  # type: ignore[arg-type]
    large = prunus.FlowShop([[1] * 20] * 300)
    order = range(300)
    result = prunus.solve(large, devices="cpu:1", initial_solution=order, time_limit=0.01)
    with pytest.raises(InputError, match=r"too large for \.html; use \.png"):
        save_schedule(result, tmp_path / "a.html")
