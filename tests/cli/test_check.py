"""Every solution that is printed was evaluated once more, and a contradiction is a defect."""

from __future__ import annotations

import pytest

from prunus.cli.report import checked
from prunus.flowshop.problem import FlowShop
from prunus.nqueens.problem import NQueens
from prunus.result import Result, Status

SHOP = FlowShop([[3, 2], [1, 4]])


def a_result(problem: object, objective: int, solution: list[int] | None) -> Result:
    return Result(problem, Status.OPTIMAL, objective, objective, solution, 1.0)  # type: ignore[arg-type]


def test_what_evaluates_as_reported_is_said_so() -> None:
    """The sentence names the plain evaluation and its value; without a solution there is none."""
    words = checked(a_result(SHOP, 7, [1, 0]))
    assert words == "re-evaluated by FlowShop.evaluate: makespan 7"
    words = checked(a_result(NQueens(4), 2, [1, 3, 0, 2]))
    assert words == "re-evaluated by NQueens.evaluate: no queen attacks another"
    assert checked(a_result(NQueens(4), 2, None)) is None


def test_a_contradiction_is_never_printed() -> None:
    """Neither a schedule of another makespan nor a placement with queens that attack."""
    with pytest.raises(RuntimeError, match="evaluates to 7, but its objective is given as 6"):
        checked(a_result(SHOP, 6, [1, 0]))
    with pytest.raises(RuntimeError, match="6 queens attack"):
        checked(a_result(NQueens(4), 2, [0, 1, 2, 3]))
