"""``prunus compile`` leaves nothing to be compiled by the solves that follow."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from prunus.cli.entry import run

SOLVE = """
from numba.core import event
import prunus

with event.install_recorder("numba:compile") as recorder:
    result = prunus.solve(prunus.read("subsetsum:30:30:1"), devices="cpu:1")
print(result.status, len(recorder.buffer))
"""


def test_what_was_compiled_beforehand_is_only_loaded(tmp_path: Path) -> None:
    """A row says how long it took, and another process finds all there is on disk."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    def do(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    told = do("-m", "prunus", "compile", "subsetsum:30:30:1", "--devices", "cpu:1").splitlines()
    assert told[0].startswith("subsetsum:30:30:1  cpu:1  ")
    assert told[1].startswith("compiled in ")
    assert list(tmp_path.rglob("*.nbi"))
    assert do("-c", SOLVE).split() in (["optimal", "0"], ["infeasible", "0"])


def test_what_cannot_be_read_is_refused_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    """One sentence, before anything is compiled."""
    assert run(["compile", "queens:4", "nothing-of-the-kind.txt"]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "nothing-of-the-kind.txt" in captured.err
