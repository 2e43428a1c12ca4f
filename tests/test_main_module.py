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
at = "{module}"
signal.signal({number}, signal.default_int_handler if {number} == signal.SIGINT else signal.SIG_DFL)
class Sender:
    def find_spec(self, name, path=None, target=None):
        if name == at:
            os.kill(os.getpid(), {number})
sys.meta_path.insert(0, Sender())
"""


# What an installed ``prunus`` does.
_COMMAND = "-c", "import sys; from prunus_command import main; sys.exit(main())"
_MODULE = "-m", "prunus"


def run(
    words: list[str], folder: Path, script: tuple[str, ...] = _MODULE
) -> subprocess.CompletedProcess[str]:
    source = Path(prunus.__file__).parents[1]
    return subprocess.run(
        [sys.executable, *script, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{source}"},
    )


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="POSIX signals")
@pytest.mark.parametrize("script", [_MODULE, _COMMAND])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_interrupt_while_the_solver_is_imported(
    name: str, script: tuple[str, ...], tmp_path: Path
) -> None:
    """It ends as a solve, at once, with nothing found."""
    number = int(getattr(signal, name))
    (tmp_path / "sitecustomize.py").write_text(
        _SENDER.format(number=number, module="prunus.flowshop.solver")
    )
    answer = run(["solve", "ta001", "--json"], tmp_path, script)
    assert (answer.returncode, answer.stderr) == (130, "")
    result = json.loads(answer.stdout)
    assert (result["status"], result["stopped_by"]) == ("unknown", "interrupt")
    assert result["history"] == []


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="POSIX signals")
@pytest.mark.parametrize("module", ["prunus", "prunus.cli.entry"])
def test_an_interrupt_while_the_command_is_imported(module: str, tmp_path: Path) -> None:
    """It ends by the signal, without a traceback."""
    sender = _SENDER.format(number=int(signal.SIGINT), module=module)
    (tmp_path / "sitecustomize.py").write_text(sender)
    done = run(["generate", "ta001"], tmp_path, _COMMAND)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


@pytest.mark.parametrize("script", [_MODULE, _COMMAND])
def test_the_command_runs(script: tuple[str, ...], tmp_path: Path) -> None:
    """Undisturbed, it is the command."""
    assert run(["--version"], tmp_path, script).stdout.startswith("prunus ")
