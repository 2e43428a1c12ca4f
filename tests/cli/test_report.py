"""What a search has to tell beside its answer is told once, on standard error."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from prunus.cli.report import Report
from prunus.errors import InputError
from prunus.flowshop.problem import FlowShop
from prunus.nqueens.problem import NQueens
from prunus.result import Result, Status

SHOP = FlowShop([[3, 2], [1, 4]])
LOST = "cuda:1 (a GPU) failed: out of memory; the search goes on without cuda:1"


def a_result(**changes: Any) -> Result:
    fields: dict[str, Any] = {"objective": 7, "bound": 5, "solution": [1, 0], "runtime": 1.0}
    return Result(SHOP, **{"status": Status.FEASIBLE, **fields, **changes})


def test_failures_are_notices(capfd: pytest.CaptureFixture[str]) -> None:
    """A device that failed is told beside the answer, and the exit code is the answer's."""
    result = a_result(status=Status.OPTIMAL, bound=7, statistics={"failures": [LOST]})
    assert Report().give(result, None) == 0
    assert capfd.readouterr().err == f"notice: {LOST}\n"
    assert Report(quiet=True).give(result, None) == 0
    assert capfd.readouterr().err == ""


def test_the_failure_that_ends_a_search_is_told_once(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The last device's failure is what stopped the search, and its checkpoint is named."""
    path = tmp_path / "run.ckpt"
    path.touch()
    why = "cuda:0 (a GPU) failed: lost"
    result = a_result(stopped_by=why, statistics={"failures": [why]})
    assert Report().give(result, path) == 3
    captured = capfd.readouterr()
    assert f"stopped by {why}" in " ".join(captured.out.split())
    assert captured.err == f"continue with: prunus resume {path}\n"


def test_a_checkpoint_that_could_not_be_written_is_not_offered(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Where there is no file there is nothing to go on with."""
    Report().give(a_result(stopped_by="time limit"), tmp_path / "run.ckpt")
    assert capfd.readouterr().err == ""
    Report(as_json=True).give(a_result(stopped_by="time limit"), tmp_path / "run.ckpt")
    assert json.loads(capfd.readouterr().out)["checkpoint"] is None


def test_a_search_goes_on_from_the_file_that_was_kept(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Which is another one where a run has found the file that it was to keep taken."""
    taken, kept = tmp_path / "run.ckpt", tmp_path / "run.ckpt.here-1"
    for path in (taken, kept):
        path.touch()
    result = a_result(statistics={"checkpoint": str(kept)})
    Report().give(result, taken)
    assert capfd.readouterr().err == f"continue with: prunus resume {kept}\n"


@pytest.mark.parametrize(("columns", "most"), [(200, 80), (80, 80), (50, 50), (10, 40)])
def test_a_narrow_terminal_gets_narrow_lines(
    monkeypatch: pytest.MonkeyPatch, columns: int, most: int
) -> None:
    """Lines are broken between words and not by the terminal, and never longer than 80 columns."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    shop = FlowShop(np.ones((40, 2), int))
    fields: dict[str, Any] = {"objective": 41, "solution": range(40)}
    result = Result(shop, Status.FEASIBLE, bound=40, runtime=1.0, **fields)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout", Terminal())
    Report().give(result, None)
    lines = sys.stdout.getvalue().splitlines()[1:]  # type: ignore[attr-defined]
    assert most - 10 < max(map(len, lines)) <= most
    monkeypatch.setattr("sys.stdout", io.StringIO())
    Report().give(result, None)
    lines = sys.stdout.getvalue().splitlines()  # type: ignore[attr-defined]
    assert 70 < max(map(len, lines)) <= 80


def test_files_that_cannot_be_made_are_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Without a solution and without a tree nothing is written, and that is said."""
    output, trace = tmp_path / "s.csv", tmp_path / "t.png"
    result = a_result(status=Status.UNKNOWN, objective=None, bound=None, solution=None)
    assert Report(output=output, trace=trace, as_json=True).give(result, None) == 4
    captured = capfd.readouterr()
    assert json.loads(captured.out)["exit_code"] == 4
    assert captured.err.splitlines() == [
        "notice: there is no solution, so none was written",
        "notice: this solve has no trace, because only tree searches record one; none was drawn",
    ]
    assert list(tmp_path.iterdir()) == []


def test_json_tells_of_what_has_no_solution(tmp_path: Path) -> None:
    """A file .json has what the result says, a count or that nothing was found."""
    output = tmp_path / "s.json"
    Report(output=output).prepare(NQueens(6), tmp_path)
    Report(output=output).give(Result(NQueens(6), Status.OPTIMAL, 4, 4, None, 1.0), None)
    assert json.loads(output.read_text())["objective"] == 4
    Report(output=output).give(a_result(status=Status.UNKNOWN, objective=None, solution=None), None)
    assert json.loads(output.read_text())["status"] == "unknown"


def test_what_cannot_be_reported_is_refused_before_the_search(tmp_path: Path) -> None:
    """Formats, folders and pictures of other problems."""
    with pytest.raises(InputError, match="NQueens"):
        Report(gantt=tmp_path / "g.png").prepare(NQueens(6), tmp_path)
    with pytest.raises(InputError, match="a count has no solution"):
        Report(output=tmp_path / "s.csv").prepare(NQueens(6), tmp_path)
    with pytest.raises(InputError, match=r"\.csv or \.json"):
        Report(output=tmp_path / "s.txt").prepare(SHOP, tmp_path)
    with pytest.raises(InputError, match="suffix"):
        Report(trace=tmp_path / "t.docx").prepare(SHOP, tmp_path)


def test_an_answer_outlives_a_file_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """After hours of search a full disk costs the file, not the answer: it is printed, code 2."""

    def full(*_: object) -> None:
        raise InputError("s.csv cannot be written: no space left on device")

    monkeypatch.setattr("prunus.solution_file.write", full)
    monkeypatch.setattr("prunus.plot.save", lambda *_: None)
    report = Report(output=tmp_path / "s.csv")
    assert report.give(a_result(), None) == 2
    captured = capfd.readouterr()
    assert "makespan    7" in captured.out
    assert "re-evaluated" in captured.out
    assert captured.err == "error: s.csv cannot be written: no space left on device\n"
    assert Report(output=tmp_path / "s.csv", as_json=True).give(a_result(), None) == 2
    found = json.loads(capfd.readouterr().out)
    assert found["objective"] == 7
    assert found["exit_code"] == 2
    assert "no space left" in found["error"]


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"output": "shop.json"}, "--output would overwrite"),
        ({"trace": "shop.json"}, "--trace would overwrite"),
        ({"output": "run.csv"}, "--output would overwrite --checkpoint"),
        ({"gantt": "a.png", "trace": "b/../a.png"}, "--trace would overwrite --gantt"),
    ],
)
def test_nothing_is_overwritten_by_mistake(
    tmp_path: Path, files: dict[str, str], words: str
) -> None:
    """Neither the instance nor the checkpoint nor one picture by the other, however it is named."""
    source = tmp_path / "shop.json"
    source.touch()
    report = Report(**{name: tmp_path / file for name, file in files.items()})
    with pytest.raises(InputError, match=words):
        report.prepare(SHOP, source, tmp_path / "run.csv")
