"""A search that is killed outright, again and again, ends with the exact answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="lives are forked")

LIFE = Path(__file__).with_name("life.py")

CASES = [
    pytest.param(
        "queens:14",
        {"symmetry": "none"},
        {"status": "optimal", "objective": 365596, "nodes": 27358552, "explored": 1.0},
        id="queens14",
    ),
    pytest.param(
        "ta030",
        {"upper_bound": 2178},
        {"status": "infeasible", "objective": None, "nodes": 2415779, "explored": 1.0},
        id="ta030",
    ),
]


def survive(path, name, options, seed):
    """Kill up to thirty lives within 0.05 s of search, let one end; return what it says."""
    command = [sys.executable, str(LIFE), str(path), name, json.dumps(options), "30", str(seed)]
    done = subprocess.run([*command, "0.05"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("name", "options", "truth"), CASES)
def test_killed_at_thirty_moments(tmp_path, name, options, truth):
    """After SIGKILLs at random moments the count, the nodes and the proof are those of one run."""
    answer = survive(tmp_path / "run.ckpt", name, options, 1)
    assert answer.pop("killed") > 0
    assert answer == truth


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize(("name", "options", "truth"), CASES)
def test_killed_at_many_more_moments(tmp_path, name, options, truth, seed):
    """Thirty more runs of each, killed up to thirty times."""
    answer = survive(tmp_path / "run.ckpt", name, options, seed)
    del answer["killed"]
    assert answer == truth
