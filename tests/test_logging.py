"""Events are logged by the standard library's logging: silent by default, one line each."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

import prunus
from prunus.cli.entry import run
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor

SHOP = prunus.FlowShop([[3, 2], [1, 4], [2, 2]], name="tiny")


def test_the_library_is_silent_by_default() -> None:
    """Nothing reaches a terminal, not even warnings, unless the program wants it."""
    code = "import logging, prunus; logging.getLogger('prunus.runtime').warning('device lost')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == done.stderr == ""


def test_a_solve_logs_its_events(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    """Beginning, incumbents, bounds, checkpoints and the end, each once, in one line."""
    with caplog.at_level(logging.DEBUG, "prunus"):
        result = prunus.solve(SHOP, devices="cpu:1", checkpoint=f"{tmp_path}/run.ckpt")
    lines = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert lines[0] == ("INFO", "solving FlowShop('tiny', 3 jobs × 2 machines) on cpu:1")
    incumbents = [words for _, words in lines if "incumbent" in words]
    assert len(incumbents) == len(result.history)
    assert incumbents[-1].endswith(f"incumbent 9 by {result.history[-1].source}")
    bounds = [words for _, words in lines if words.split(": ")[-1].startswith("bound ")]
    assert bounds
    assert len(bounds) == len({words.split(": ")[-1] for words in bounds})
    assert ("INFO", f"checkpoint written to {tmp_path}/run.ckpt") in lines
    assert lines[-1][1].split(": ")[1].startswith("optimal, objective 9, bound 9, ")
    assert not any("\n" in words for _, words in lines)


def test_levels(caplog: pytest.LogCaptureFixture) -> None:
    """At INFO phases are left out; the same bound is told once."""
    with caplog.at_level(logging.INFO, "prunus"):
        monitor = Monitor(Incumbent(None))
        for bound in (3, 3, 4):
            monitor.poll("tree search", bound=bound)
    assert [words.split(": ")[-1] for words in caplog.messages] == ["bound 3", "bound 4"]


def test_the_command_line_shows_them(capfd: pytest.CaptureFixture[str]) -> None:
    """-v writes them to standard error and leaves standard output to the answer."""
    assert run(["solve", "crane:5:1", "--quiet", "--devices", "cpu:1", "-v"]) == 0
    captured = capfd.readouterr()
    assert "incumbent" in captured.err
    assert "incumbent" not in captured.out
    assert run(["solve", "crane:5:1", "--quiet", "--devices", "cpu:1"]) == 0
    assert capfd.readouterr().err == ""
