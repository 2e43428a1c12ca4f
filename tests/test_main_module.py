"""``python -m prunus`` is the command, and Ctrl-C during a solve's imports ends it as a solve."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import prunus

# The process is sent a signal in the midst of its imports.
_SENDER = """
import os, signal, sys
signal.signal({number}, signal.default_int_handler if {number} == signal.SIGINT else signal.SIG_DFL)
class Sender:
    def find_spec(self, name, path=None, target=None):
        if name == "prunus.flowshop.solver":
            os.kill(os.getpid(), {number})
sys.meta_path.insert(0, Sender())
"""


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    source = Path(prunus.__file__).parents[1]
    return subprocess.run(
        [sys.executable, "-m", "prunus", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{source}"},
    )


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="POSIX signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupt_while_the_solver_is_imported(name: str, tmp_path: Path) -> None:
    """It ends as a solve, at once, with nothing found."""
    number = int(getattr(signal, name))
    (tmp_path / "sitecustomize.py").write_text(_SENDER.format(number=number))
    answer = run(["solve", "ta001", "--json"], tmp_path)
    assert (answer.returncode, answer.stderr) == (130, "")
    result = json.loads(answer.stdout)
    assert (result["status"], result["stopped_by"]) == ("unknown", "interrupt")
    assert result["history"] == []


def test_the_command_runs(tmp_path: Path) -> None:
    """Undisturbed, it is the command."""
    assert run(["--version"], tmp_path).stdout.startswith("prunus ")
