"""The live display in a notebook: one output, replaced while the search runs, and taken away."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

import prunus
from prunus.view import notebook


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Pretend that this process is a notebook's kernel; return what it is shown."""
    found: list[dict[str, Any]] = []
    publisher = SimpleNamespace(publish=lambda **each: found.append(each))
    shell = SimpleNamespace(kernel=object(), display_pub=publisher)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setattr(notebook, "_INTERVAL_S", 0.0)
    return found


def test_a_panel_is_shown_replaced_and_taken_away(published: list[dict[str, Any]]) -> None:
    """All updates are of one output; the first shows the problem, and the last one is empty."""
    prunus.solve(prunus.read("ta001"), devices="cpu:1", display=True, time_limit=20)
    assert [each["update"] for each in published[:2]] == [False, True]
    assert len({each["transient"]["display_id"] for each in published}) == 1
    assert "ta001" in published[0]["data"]["text/html"]
    assert published[-1]["data"]["text/html"] == ""


def test_nothing_is_shown_unasked(published: list[dict[str, Any]]) -> None:
    """The default is off, in a notebook too."""
    prunus.solve(prunus.NQueens(5), devices="cpu:1")
    assert published == []


def test_a_shell_on_a_terminal_is_no_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """IPython on a terminal has the terminal's display."""
    shell = SimpleNamespace()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert notebook.kernel() is None
    monkeypatch.delitem(sys.modules, "IPython")
    assert notebook.kernel() is None
