"""The exit code says what is proven."""

from __future__ import annotations

import pytest

from prunus.cli.exit_code import exit_code
from prunus.nqueens.problem import NQueens
from prunus.result import Result, Status


@pytest.mark.parametrize(
    ("status", "stopped_by", "code"),
    [
        ("optimal", None, 0),
        ("infeasible", None, 0),
        ("optimal", "interrupt", 0),
        ("feasible", "time limit", 3),
        ("feasible", "target gap of 1 %", 3),
        ("unknown", "time limit", 4),
        ("feasible", "interrupt", 130),
        ("unknown", "interrupt", 130),
    ],
)
def test_exit_code(status: str, stopped_by: str | None, code: int) -> None:
    """A proof is 0 however it ended; a limit is told apart from an interrupt."""
    result = Result(NQueens(4), Status(status), None, None, None, 0.1, stopped_by=stopped_by)
    assert exit_code(result) == code
