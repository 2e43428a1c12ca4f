"""The scripts in examples/ run and print what they promise."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples"
PROMISES = {
    "assign_within_a_deadline": "all within the gap",
    "colour_a_graph": "colours     5",
    "count_queens": "12      14,200",
    "match_detections": "objects are matched in 16 pictures",
    "quadratic_assignment": "transport   292",
    "search_over_mpi": "optimal (proven)",
    "weighted_tardiness": "optimal (proven)",
    "within_a_deadline": "above the optimum; stopped by",
    "workshop": "optimal (proven)",
}
SMALLER = {"search_over_mpi": ["ta001"]}
"""Instances instead of those that they solve by themselves."""


def test_each_example_has_a_promise() -> None:
    """No example is left untested."""
    assert {path.stem for path in FOLDER.glob("*.py")} == set(PROMISES)


@pytest.mark.parametrize("name", PROMISES)
def test_example(name: str, tmp_path: Path) -> None:
    """The script runs by itself, in any folder, and leaves nothing there."""
    pytest.importorskip("pandas")
    answer = subprocess.run(
        [sys.executable, str(FOLDER / f"{name}.py"), *SMALLER.get(name, [])],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert answer.returncode == 0, answer.stderr
    assert PROMISES[name] in answer.stdout
    assert list(tmp_path.iterdir()) == []
