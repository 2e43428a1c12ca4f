"""What the problems declare of themselves is true, and the page that is made of it is current."""

from __future__ import annotations

import runpy
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import prunus
from prunus.errors import InputError
from prunus.model.problem import Problem
from prunus.model.registry import known_specs, spec_of
from prunus.model.spec import MethodSpec
from prunus.problems import PROBLEMS

ROOT = Path(__file__).parents[1]


class Delays(prunus.PermutationProblem):
    """1 || sum of C_j."""

    def __init__(self, times: list[int]) -> None:
        super().__init__(len(times), state=2, data={"times": times})

    @staticmethod
    def descend(data: Any, state: Any, depth: Any, item: Any) -> None:
        state[0] += data.times[item]
        state[1] += state[0]

    @staticmethod
    def bound(data: Any, state: Any, free: Any, depth: Any) -> Any:
        return state[1] + state[0] * len(free)

    def evaluate(self, permutation: Any) -> int:
        return sum(sum(self.data.times[permutation[: i + 1]]) for i in range(self.items))


INSTANCES: list[Problem] = [
    prunus.FlowShop([[3, 2], [1, 4], [2, 2], [5, 1]]),
    prunus.NQueens(6),
    prunus.read("crane:6:1"),
    prunus.Knapsack([5, 6, 7, 3, 5], [100, 101, 200, 201, 102], 400),
    prunus.SubsetSum([3, 34, 4, 12, 5, 2, 77, 19], 100),
    prunus.Assignment(np.arange(9).reshape(3, 3) % 4),
    Delays([3, 1, 2]),
]
METHODS = [(problem, method) for problem in INSTANCES for method in spec_of(problem).methods]


def named(value: Problem | MethodSpec) -> str:
    return value.name or "" if isinstance(value, MethodSpec) else type(value).__name__


def test_every_problem_is_here() -> None:
    """One line in the registry each, and an instance above."""
    assert len(known_specs()) == len(PROBLEMS) == len(INSTANCES)
    assert [spec_of(problem) for problem in INSTANCES] == list(known_specs())


def test_the_page_is_current() -> None:
    """Written anew by: python docs/generate_capabilities.py."""
    script = runpy.run_path(str(ROOT / "docs" / "generate_capabilities.py"))
    assert script["page"]() == (ROOT / "docs" / "capabilities.md").read_text("utf-8")


@pytest.mark.parametrize(("problem", "method"), METHODS, ids=named)
def test_cores(problem: Problem, method: MethodSpec) -> None:
    """What cores can do they do; the rest is refused."""
    if method.name == "lattice":
        pytest.importorskip("fpylll")
    if not method.cpu:
        with pytest.raises(InputError):
            prunus.solve(problem, method=method.name, devices="cpu:1")
        return
    result = prunus.solve(problem, method=method.name, devices="cpu:1")
    assert result.method == method.name
    assert not result.devices or result.devices[0].startswith("cpu")


@pytest.mark.parametrize(("problem", "method"), METHODS, ids=named)
def test_executors(problem: Problem, method: MethodSpec) -> None:
    """Workers do what they can do; the rest is refused, or done here."""
    if not method.cpu or method.name == "lattice":
        return
    with ThreadPoolExecutor(1) as pool:
        options: dict[str, Any] = {"divisor_test": False} if method.name.endswith("list") else {}
        try:
            result = prunus.solve(
                problem, method=method.name, devices="cpu:1", executor=pool, **options
            )
        except InputError:
            assert not method.executor
            return
    there = any(device.startswith("ThreadPoolExecutor") for device in result.devices)
    assert there == method.executor or result.nodes == 0


@pytest.mark.parametrize(("problem", "method"), METHODS, ids=named)
def test_checkpoints(problem: Problem, method: MethodSpec, tmp_path: Path) -> None:
    """What has checkpoints goes on from one; what has none for any method refuses the option."""
    if not method.cpu or method.name == "lattice":
        return
    path = tmp_path / "run.ckpt"
    if spec_of(problem).checkpoint is None:
        assert not method.checkpoint
        with pytest.raises(InputError, match=r"checkpoint: .* keeps none"):
            prunus.solve(problem, method=method.name, devices="cpu:1", checkpoint=path)
        return
    if not method.checkpoint:
        with pytest.raises(InputError, match=r"checkpoint: method .* keeps none"):
            prunus.solve(problem, method=method.name, devices="cpu:1", checkpoint=path)
        return
    first = prunus.solve(problem, method=method.name, devices="cpu:1", checkpoint=path)
    own = problem if isinstance(problem, Delays) else None
    again = prunus.resume(path, problem=own, devices="cpu:1")
    assert (again.status, again.objective) == (first.status, first.objective)


@pytest.mark.parametrize("problem", INSTANCES, ids=named)
def test_words_and_tables(problem: Problem, tmp_path: Path) -> None:
    """Each has a title, facts, and a solution that is written and read back."""
    from prunus import solution_file
    from prunus.cli.report import checked

    result = prunus.solve(problem, devices="cpu:1")
    assert type(problem).__name__ in str(result)
    assert spec_of(problem).facts(problem) is not None
    if result.solution is not None:
        assert checked(result)
        solution_file.write(result, tmp_path / "x.csv")
        assert (solution_file.read(problem, tmp_path / "x.csv") == result.solution).all()
