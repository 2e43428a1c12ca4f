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
        if name == "numba":
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
    (tmp_path / "sitecustomize.py").write_text(_SENDER.format(number=int(number)))
    source = Path(prunus_command.__file__).parent
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{source}"}
    answer = subprocess.run(
        [sys.executable, *how, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=environment,
    )
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
