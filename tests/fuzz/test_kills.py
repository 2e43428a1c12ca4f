"""Whatever is killed, and whenever: what is gone on with ends with the exact answer.

`tests/fuzz/lives.py` has what a life is. With ``--fuzz-seconds`` each of these goes on for so long.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.fuzz.fuzzing import CASES

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="lives are forked")

ROOT = Path(__file__).parents[2]

WHAT = {
    "process": "SIGKILL of a search that keeps a checkpoint",
    "writing": "SIGKILL of a search while it writes its checkpoint",
    "asked": "SIGTERM and SIGHUP to a command",
    "workers": "SIGKILL of a worker of a process pool",
}


def survive(what: str, problem: str, kills: int, seed: int) -> None:
    """Kill so many lives; the script fails if the answer of one that comes to its end is wrong."""
    command = [sys.executable, "-m", "tests.fuzz.lives", what, problem, str(kills), str(seed)]
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": paths},
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    assert counts["killed"] >= kills
    assert counts["ended"] > 0
    CASES[WHAT[what]] += counts["killed"]


SHORT = [
    *(("process", "queens"), ("process", "flowshop"), ("process", "atsp"), ("process", "targets")),
    *(("writing", "queens"), ("asked", "flowshop")),
]


@pytest.mark.parametrize(("what", "problem"), SHORT)
def test_killed_now_and_then(what: str, problem: str, request: pytest.FixtureRequest) -> None:
    """The count, the nodes and the proof are those of one run; every file that is left is whole."""
    deadline = time.monotonic() + request.config.getoption("--fuzz-seconds")
    survive(what, problem, 6, 1)
    while time.monotonic() < deadline:
        survive(what, problem, 30, random.getrandbits(30))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("what", "problem"), [*SHORT, ("workers", "flowshop")])
def test_killed_again_and_again(what: str, problem: str, seed: int) -> None:
    """Thousands of kills, which the gate has no time for."""
    survive(what, problem, 60, seed)
