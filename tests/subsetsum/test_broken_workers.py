"""Workers of an executor that return what makes no sense: their pieces are searched again."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import pytest

from prunus import Status, SubsetSum, solve
from prunus.subsetsum.pieces.worker_process import explore
from tests.flaky import Flaky
from tests.subsetsum.brute_force import even, planted

BROKEN: dict[str, Any] = {
    "nothing": lambda finding, spent: None,
    "another type": lambda finding, spent: (finding.first, finding.last),
    "more pieces than it was given": lambda finding, spent: (
        replace(finding, last=finding.last + 1),
        spent,
    ),
    "items that are none": lambda finding, spent: (replace(finding, subset=(10**6,)), spent),
    "a subset of letters": lambda finding, spent: (replace(finding, subset="ab"), spent),
    "too large a sum": lambda finding, spent: (replace(finding, subset=tuple(range(30))), spent),
}


class Broken(Flaky):
    """Answers each second call of a search with something else."""

    def __init__(self, kind: str) -> None:
        super().__init__(0, 0.0)
        self.change, self.searches = BROKEN[kind], 0

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Answer."""
        future: Future[Any] = Future()
        answer = function(*args, **kwargs)
        self.searches += function is explore
        odd = function is explore and self.searches % 2 == 1
        future.set_result(self.change(*answer) if odd else answer)
        return future


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_worker_changes_no_answer(kind: str) -> None:
    """The subset is found, or the proof is right."""
    options: dict[str, Any] = {"method": "four-list", "devices": "cpu:1"}
    weights, target, _ = planted(36, 30, 1)
    problem = SubsetSum(weights, target)
    result = solve(problem, executor=Broken(kind), **options)
    assert result.status is Status.OPTIMAL
    assert problem.evaluate(result.solution) == target
    weights, target = even(36, 30, 1)
    result = solve(SubsetSum(weights, target), executor=Broken(kind), divisor_test=False, **options)
    assert (result.status, result.explored) == (Status.INFEASIBLE, 1.0)
