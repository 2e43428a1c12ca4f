"""Total flow time from the outside: every method is right, files and checkpoints keep it."""

from __future__ import annotations

import copy
import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import prunus
from prunus.cli.entry import run
from prunus.errors import OptionError
from prunus.flowshop.formats import taillard
from prunus.flowshop.formats.taillard_set import instance
from prunus.flowshop.problem import FlowShop
from prunus.stop import MaxNodes
from tests.flowshop.flowtime import twin

WAYS: tuple[dict[str, Any], ...] = (
    {"devices": "cpu:1"},
    {"devices": "cpu:2", "time_limit": 20.0},
    {"devices": "cpu:2", "method": "interval"},
    {"devices": "cpu:1", "method": "interval", "first_incumbent": "none"},
    {"devices": "cpu:2", "method": "beam", "time_limit": 20.0},
    {"devices": "cpu:1", "branching": "forward", "proof": "climb"},
)


def shop(seed: int, jobs: int, machines: int) -> FlowShop:
    """Draw an instance."""
    times = np.random.default_rng(seed).integers(0, 30, (jobs, machines))
    return FlowShop(times, objective="flowtime", name="small")


def test_every_method_finds_and_proves_the_optimum() -> None:
    """Small shops, against all permutations."""
    rng = np.random.default_rng(1)
    for number in range(24):
        problem = shop(number, int(rng.integers(1, 7)), int(rng.integers(1, 6)))
        best = twin.optimum(problem.processing_times.tolist())
        for options in WAYS:
            result = prunus.solve(problem, **options)
            assert (result.status, result.objective, result.bound) == ("optimal", best, best)
            assert twin.ends(problem.processing_times.tolist(), result.solution.tolist())[1] == best


def test_the_portfolio_and_the_tree_agree() -> None:
    """Twelve jobs, where heuristics run beside the tree."""
    problem = shop(3, 11, 4)
    one = prunus.solve(problem, devices="cpu:2")
    other = prunus.solve(problem, devices="cpu:2", method="interval")
    assert (one.status, one.objective) == (other.status, other.objective)
    assert one.status == "optimal"
    assert one.objective == problem.evaluate(one.solution)


def test_a_limit_gives_a_schedule_and_a_bound() -> None:
    """Even where it ends in the first beam; the name of the objective is in the result."""
    problem = instance("ta101").with_objective("flowtime")
    for method in ("portfolio", "beam", "interval"):
        result = prunus.solve(problem, devices="cpu:1", time_limit=0.01, method=method)
        assert result.status == "feasible"
        assert result.objective == problem.evaluate(result.solution) >= result.bound > 0
        assert "total flow time" in str(result)


def test_a_checkpoint_keeps_the_objective(tmp_path: Path) -> None:
    """Resumed, it is proven."""
    problem, path = shop(6, 12, 4), tmp_path / "run.ckpt"
    first = prunus.solve(problem, checkpoint=path, devices="cpu:2", stop=MaxNodes(1))
    second = prunus.resume(path, devices="cpu:2")
    assert second.problem.objective == "flowtime"
    assert second.status == "optimal"
    assert second.objective == prunus.solve(problem, method="interval").objective
    assert first.objective >= second.objective


def test_copies_and_files_keep_the_objective(tmp_path: Path) -> None:
    """JSON has it; other formats hold processing times, which are read as a makespan's."""
    problem = shop(1, 4, 3)
    prunus.write(problem, tmp_path / "shop.json")
    for other in (
        copy.deepcopy(problem),
        pickle.loads(pickle.dumps(problem)),
        prunus.read(tmp_path / "shop.json"),
    ):
        assert other.objective == "flowtime"
        assert other.name == "small"
        assert other.evaluate([2, 0, 1, 3]) == problem.evaluate([2, 0, 1, 3])
    assert repr(problem) == "FlowShop('small', 4 jobs × 3 machines, flowtime)"
    assert problem.with_objective("makespan").evaluate([0, 1, 2, 3]) == int(
        problem.completion_times(range(4)).max()
    )
    with pytest.raises(OptionError, match="objective='tardiness' is not one of makespan, flowtime"):
        problem.with_objective("tardiness")


@pytest.mark.parametrize("option", [{"bound": "lb2"}, {"branching": "maxsum"}])
def test_what_is_for_makespans_is_refused(option: dict[str, str]) -> None:
    """The tree has one bound and one direction."""
    with pytest.raises(OptionError, match="is for makespans"):
        prunus.solve(shop(1, 4, 3), **option)


def test_the_command_line_asks_for_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By an option; what it says is about the total flow time."""
    problem = shop(2, 6, 3).with_objective("makespan")
    path = tmp_path / "shop.txt"
    prunus.write(problem, path)
    best = twin.optimum(problem.processing_times.tolist())
    words = ("solve", str(path), "--objective", "flowtime", "--devices", "cpu:1", "--json")
    assert run(list(words)) == 0
    assert json.loads(capsys.readouterr().out)["objective"] == best


def test_workers_search_the_tree_too() -> None:
    """Over an executor: the same optimum, and as many nodes with it given."""
    problem = shop(8, 9, 4)
    here = prunus.solve(problem, devices="cpu:1", method="interval")
    with ThreadPoolExecutor(2) as pool:
        there = prunus.solve(problem, executor=pool)
        assert (there.status, there.objective) == ("optimal", here.objective)
        given: dict[str, Any] = {
            "upper_bound": here.objective,
            "proof": "direct",
            "method": "interval",
        }
        places: tuple[dict[str, Any], ...] = ({"devices": "cpu:1"}, {"executor": pool})
        counts = [prunus.solve(problem, **place, **given).nodes for place in places]
    assert counts[0] == counts[1]


def test_taillards_text_has_a_makespan_as_its_bound() -> None:
    """Whatever is minimised: the format is one of makespans."""
    problem = shop(4, 5, 3)
    assert taillard.dumps(problem) == taillard.dumps(problem.with_objective("makespan"))
