"""A solve with ``resume="auto"`` begins, or goes on with its checkpoint."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import prunus
from prunus import InputError
from prunus.cli.entry import run
from prunus.stop import MaxNodes
from tests.reading import read

SHOP = read("ta030")
OPTIONS = {"upper_bound": 2178, "devices": "cpu:1", "resume": "auto"}


def test_the_same_call_begins_and_goes_on(tmp_path: Path) -> None:
    """Started again and again, it comes to the exact count; started once more, it says it again."""
    path = tmp_path / "run.ckpt"
    runs, limit = [], 0
    while not runs or runs[-1].stopped_by is not None:
        limit += 500_000
        runs.append(prunus.solve(SHOP, checkpoint=path, stop=MaxNodes(limit), **OPTIONS))
    assert len(runs) > 2
    assert (runs[-1].nodes, runs[-1].explored) == (2_415_779, 1.0)
    again = prunus.solve(SHOP, checkpoint=path, **OPTIONS)
    assert (again.nodes, again.status) == (2_415_779, runs[-1].status)
    assert again.statistics["earlier_runtime"] > 0


def test_a_checkpoint_of_another_solve_is_refused(tmp_path: Path) -> None:
    """Whatever differs is named, and the file stays as it is."""
    path = tmp_path / "run.ckpt"
    prunus.solve(SHOP, checkpoint=path, stop=MaxNodes(1), bound="lb2", **OPTIONS)
    content = path.read_bytes()
    other = prunus.FlowShop(np.asarray(SHOP.processing_times) + 1)
    for problem, changes, what in (
        (other, {"bound": "lb2"}, "problem"),
        (prunus.NQueens(8), {"upper_bound": None}, "problem"),
        (SHOP, {}, "bound"),
        (SHOP, {"proof": "climb", "stealing": "half"}, "bound and proof and stealing"),
        (SHOP, {"bound": "lb2", "upper_bound": 2179}, "upper bound"),
        (SHOP, {"bound": "lb2", "seed": 3}, "seed"),
    ):
        with pytest.raises(InputError, match=f"has another {what};"):
            prunus.solve(problem, checkpoint=path, **{**OPTIONS, **changes})
    assert path.read_bytes() == content
    with pytest.raises(InputError, match="name it"):
        prunus.solve(SHOP, resume="auto")
    with pytest.raises(InputError, match="not one of never, auto"):
        prunus.solve(SHOP, resume="always")


def test_the_command_line_does_the_same(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A job script is one line."""
    path = tmp_path / "run.ckpt"
    prunus.solve(SHOP, checkpoint=path, stop=MaxNodes(1000), **OPTIONS)
    words = ["solve", "ta030", "--upper-bound", "2178", "--devices", "cpu:1", "--json"]
    assert run([*words, "--checkpoint", str(path), "--resume", "auto"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["nodes"], found["explored"]) == (2_415_779, 1.0)
    assert found["statistics"]["earlier_runtime"] > 0
