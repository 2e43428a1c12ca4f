"""A status says no more than what was proven, whatever bound and incumbent a method hands back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import prunus
from prunus.cli.exit_code import exit_code
from prunus.result import Result
from prunus.runtime.status import Status, final_status

OPTIMAL, FEASIBLE = Status.OPTIMAL, Status.FEASIBLE

PAGE = Path(__file__).parents[2] / "docs" / "results.md"


def number(cell: str) -> int | None:
    """Return what stands in a cell."""
    return None if cell == "–" else int(cell)


def rows() -> list[tuple[bool, int | None, int | None, int | None, str, int | None, int]]:
    """Return the table of the page: the only definition in words."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in PAGE.read_text("utf-8").splitlines()
        if line.startswith(("| complete |", "| stopped |"))
    ]
    return [
        (
            *(search == "complete", number(objective), number(bound), number(upper)),
            *(status.strip("`"), number(shown), int(code)),
        )
        for search, objective, bound, upper, status, shown, code in cells
    ]


def test_the_page_has_every_combination() -> None:
    """Complete or not; no solution, one, one as good as the bound, a worse one; a bound or none."""
    table = rows()
    assert len(table) > 20
    for complete in (True, False):
        some = [row for row in table if row[0] is complete]
        assert {row[4] for row in some} >= {"optimal", "infeasible", "feasible"}
        for given in (True, False):
            kinds = {
                "none" if best is None else "free" if upper is None else np.sign(best - upper)
                for _, best, _, upper, *_ in some
                if (upper is not None) is given
            }
            assert kinds >= ({"none", 0, 1} if given else {"none", "free"})


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize(
    ("complete", "objective", "bound", "upper_bound", "status", "shown", "code"), rows()
)
def test_the_table(
    complete: bool,
    objective: int | None,
    bound: int | None,
    upper_bound: int | None,
    status: str,
    shown: int | None,
    code: int,
    maximise: bool,
) -> None:
    """It is that of docs/results.md; maximising is its mirror image."""

    def signed(value: int | None) -> int | None:
        return -value if maximise and value is not None else value

    found = final_status(
        complete=complete,
        objective=signed(objective),
        bound=signed(bound),
        upper_bound=signed(upper_bound),
        maximise=maximise,
    )
    assert found == (status, signed(shown))
    result = Result(prunus.NQueens(4), found[0], None, None, None, 0.1)
    assert exit_code(result) == code
    interrupted = Result(prunus.NQueens(4), found[0], None, None, None, 0.1, stopped_by="interrupt")
    assert exit_code(interrupted) == (code and 130)


def test_counting() -> None:
    """A complete count is exact; a stopped one bounds nothing from above."""
    assert final_status(complete=True, objective=92, bound=None, counting=True) == (OPTIMAL, 92)
    assert final_status(complete=False, objective=40, bound=None, counting=True) == (FEASIBLE, None)


SHOP = prunus.FlowShop([[54, 83, 15], [79, 3, 11], [16, 89, 49]])


@pytest.mark.parametrize("first", ["neh", "none"])
@pytest.mark.parametrize("below", [-150, -1, 0, 1, 50])
def test_a_complete_proof_is_one_whatever_was_found_before(first: str, below: int) -> None:
    """An upper bound at or below the optimum, with a first incumbent and without."""
    optimum = prunus.solve(SHOP, devices="cpu:1").objective
    assert optimum is not None
    upper_bound = int(optimum) + below
    result = prunus.solve(SHOP, devices="cpu:1", upper_bound=upper_bound, first_incumbent=first)
    assert result.stopped_by is None
    assert exit_code(result) == 0
    if below > 0:
        assert (result.status, result.objective, result.bound) == (OPTIMAL, optimum, optimum)
    elif below == 0 and result.objective == optimum:
        assert (result.status, result.bound) == (OPTIMAL, optimum)
    else:
        assert (result.status, result.bound) == ("infeasible", upper_bound)


@pytest.mark.parametrize("below", [-1, 0, 1])
def test_a_given_solution_is_held_against_the_upper_bound(below: int) -> None:
    """It is kept, and called optimal where nothing can be better."""
    best = prunus.solve(SHOP, devices="cpu:1")
    assert best.objective is not None
    assert best.solution is not None
    result = prunus.solve(
        SHOP,
        devices="cpu:1",
        initial_solution=best.solution,
        upper_bound=int(best.objective) + below,
        first_incumbent="none",
    )
    assert result.objective == best.objective
    assert result.status == ("infeasible" if below < 0 else "optimal")
    assert exit_code(result) == 0
