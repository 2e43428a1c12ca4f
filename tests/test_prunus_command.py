"""The console script answers an interrupt in one sentence even while it is still importing."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

# The command, sent a signal in the midst of its imports.
_EARLY = """
import os, sys
import prunus_command
assert "prunus" not in sys.modules and "numpy" not in sys.modules
class Sender:
    def find_spec(self, name, path=None, target=None):
        if name == "numba":
            os.kill(os.getpid(), {number})
sys.meta_path.insert(0, Sender())
prunus_command.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("words", [["solve", "queens:6"], ["solve", "queens:6", "--json"]])
def test_an_interrupt_while_importing(number: signal.Signals, words: list[str]) -> None:
    """No traceback: a sentence, or an object for machines, and code 130."""
    command = [sys.executable, "-c", _EARLY.format(number=int(number)), *words]
    answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert answer.returncode == 130
    said = "interrupted before there was anything to show"
    if "--json" in words:
        assert json.loads(answer.stdout) == {"error": said, "exit_code": 130}
        assert answer.stderr == ""
    else:
        assert (answer.stdout, answer.stderr) == ("", f"error: {said}\n")


def test_the_command_runs() -> None:
    """Undisturbed, it is the command."""
    code = "import prunus_command; prunus_command.main()"
    command = [sys.executable, "-c", code, "--version"]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert answer.stdout.startswith("prunus ")
