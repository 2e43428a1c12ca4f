"""The console script answers an interrupt in one sentence even while it is still importing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import prunus_command

# The process is sent a signal in the midst of its imports.
_SENDER = """
import os, sys
class Sender:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), {number})
sys.meta_path.insert(0, Sender())
"""
_COMMAND = """
import sys
import prunus_command
assert "prunus" not in sys.modules and "numpy" not in sys.modules
prunus_command.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("how", [("-c", _COMMAND), ("-m", "prunus")])
@pytest.mark.parametrize("words", [["solve", "queens:6"], ["solve", "queens:6", "--json"]])
def test_an_interrupt_while_importing(
    number: signal.Signals, how: tuple[str, str], words: list[str], tmp_path: Path
) -> None:
    """No traceback: a sentence, or an object for machines, and code 130."""
    answer = interrupted_at("numpy", number, [*how, *words], tmp_path)
    assert answer.returncode == 130
    said = "interrupted before there was anything to show"
    if "--json" in words:
        assert json.loads(answer.stdout) == {"error": said, "exit_code": 130}
        assert answer.stderr == ""
    else:
        assert (answer.stdout, answer.stderr) == ("", f"error: {said}\n")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_the_solver_is_imported(number: signal.Signals, tmp_path: Path) -> None:
    """That belongs to the solve: it ends as one, at once, with nothing found."""
    answer = interrupted_at("numba", number, ["-m", "prunus", "solve", "ta001", "--json"], tmp_path)
    assert (answer.returncode, answer.stderr) == (130, "")
    result = json.loads(answer.stdout)
    assert (result["status"], result["stopped_by"]) == ("unknown", "interrupt")
    assert result["history"] == []


def interrupted_at(
    module: str, number: signal.Signals, words: list[str], folder: Path
) -> subprocess.CompletedProcess[str]:
    """Run Python with these words, in a process that gets a signal when it imports a module."""
    (folder / "sitecustomize.py").write_text(_SENDER.format(module=module, number=int(number)))
    source = Path(prunus_command.__file__).parent
    return subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{source}"},
    )


def test_the_command_runs() -> None:
    """Undisturbed, it is the command."""
    code = "import prunus_command; prunus_command.main()"
    command = [sys.executable, "-c", code, "--version"]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert answer.stdout.startswith("prunus ")
