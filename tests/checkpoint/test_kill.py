"""A search that is killed outright, again and again, ends with the exact answer."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from prunus.checkpoint import read_checkpoint

LIFE = Path(__file__).with_name("life.py")


def live(path, name, options, kill_after):
    """Run one life; kill it some seconds after its search began; return its last words or None."""
    process = subprocess.Popen(
        [sys.executable, str(LIFE), str(path), name, json.dumps(options)],
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        first = process.stdout.readline()
        if first.strip() == "searching" and kill_after is not None:
            time.sleep(kill_after)
            process.kill()
        rest = process.stdout.read().split("\n")
    lines = [line for line in [first, *rest] if line.startswith("{")]
    return json.loads(lines[-1]) if lines else None


def survive(path, name, options, kills, seed, longest):
    """Kill up to so many lives at random moments, then let one finish."""
    rng = random.Random(seed)
    killed = 0
    for _ in range(kills):
        answer = live(path, name, options, rng.uniform(0, longest))
        if answer is not None:
            return answer, killed
        killed += 1
        if path.exists():
            read_checkpoint(str(path))
    return live(path, name, options, None), killed


CASES = [
    pytest.param(
        "queens:14",
        {"symmetry": "none"},
        {"status": "optimal", "objective": 365596, "nodes": 27358552, "explored": 1.0},
        0.06,
        id="queens14",
    ),
    pytest.param(
        "ta030",
        {"upper_bound": 2178},
        {"status": "infeasible", "objective": None, "nodes": 2415779, "explored": 1.0},
        0.06,
        id="ta030",
    ),
]


@pytest.mark.parametrize(("name", "options", "truth", "longest"), CASES)
def test_killed_searches_end_exactly(tmp_path, name, options, truth, longest):
    """After a few SIGKILLs the count, the nodes and the proof are those of an unbroken run."""
    answer, killed = survive(tmp_path / "run.ckpt", name, options, 4, 1, longest)
    assert killed > 0
    assert answer == truth


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize(("name", "options", "truth", "longest"), CASES)
def test_killed_at_thirty_moments(tmp_path, name, options, truth, longest, seed):
    """Thirty runs, each killed up to thirty times at random moments."""
    answer, _ = survive(tmp_path / "run.ckpt", name, options, 30, seed, longest)
    assert answer == truth
