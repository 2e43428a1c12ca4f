"""``prunus bench`` measures every problem, and a wrong answer or a limit is never a figure."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import prunus
from prunus.cli import bench as module
from prunus.cli.bench import PROBLEMS, cases, wrong
from prunus.cli.entry import run
from prunus.model.spec import BenchCase
from prunus.result import Result


def test_every_problem_is_measured(capfd: pytest.CaptureFixture[str]) -> None:
    """One object for machines: what is solved, how often, how fast, and that it is proven."""
    assert run(["bench", "--quick", "--devices", "cpu:2", "--repeat", "2", "--json"]) == 0
    captured = capfd.readouterr()
    found = json.loads(captured.out)
    assert captured.err == ""
    assert found["exit_code"] == 0
    assert found["machine"]["prunus"] == prunus.__version__
    assert found["machine"]["gpus"] == {}
    assert [one["problem"] for one in found["runs"]] == list(PROBLEMS)
    for one in found["runs"]:
        assert one["status"] in ("optimal", "infeasible")
        assert (one["devices"], one["error"]) == ("cpu:2", None)
        assert len(one["seconds"]) == 2
        assert one["first_seconds"] > 0
        assert one["speed"] > 1000


def test_the_table(capfd: pytest.CaptureFixture[str]) -> None:
    """A row for each problem that is wanted and each choice of devices, in 80 columns."""
    words = ["atsp", "queens", "--quick", "--repeat", "1", "--devices", "cpu:1", "--devices", "cpu"]
    assert run(["bench", *words]) == 0
    captured = capfd.readouterr()
    title, machine, empty, heading, *rows = captured.out.splitlines()
    assert title.startswith(f"prunus {prunus.__version__}, Python 3")
    assert "cores usable" in machine
    assert empty == ""
    assert heading.split("  ")[0] == "problem"
    assert [row.split()[0] for row in rows] == ["queens", "atsp", "queens", "atsp"]
    assert [row.split()[2] for row in rows] == ["cpu:1", "cpu:1", "cpu", "cpu"]
    at = heading.index("proven in"), heading.index("speed"), heading.index("first run")
    for row in rows:
        assert row[at[0] - 1] == row[at[1] - 1] == row[at[2] - 1] == " "
        assert "nodes/s" in row[at[1] : at[2]]
        assert row[at[2]] == "+"
    assert max(map(len, [heading, *rows])) <= 80
    assert captured.err == ""


def only(monkeypatch: pytest.MonkeyPatch, case: BenchCase[Any]) -> None:
    monkeypatch.setattr(module, "cases", lambda size: {"queens": case})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"objective": 7}, "the answer is 365596, and must be 7"),
        ({"nodes": 7}, "nodes were branched, and must be 7"),
    ],
)
def test_a_wrong_answer_is_a_failure(
    changes: dict[str, Any],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """No time is shown for it, a sentence says what is wrong, and the exit code is 1."""
    only(monkeypatch, replace(cases(0)["queens"], **changes))
    assert run(["bench", "queens", "--devices", "cpu:2"]) == 1
    captured = capfd.readouterr()
    assert captured.out.splitlines()[-1].split()[-1] == "failed"
    assert words in captured.err
    assert run(["bench", "queens", "--devices", "cpu:2", "--json"]) == 1
    (one,) = json.loads(capfd.readouterr().out)["runs"]
    assert words in one["error"]
    assert one["speed"] is None


def test_a_device_that_fails_does_not_end_the_rest(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Its row says so, the others are measured."""
    honest = module.solve

    def solve(problem: Any, **options: Any) -> Result:
        if isinstance(problem, prunus.ATSP):
            raise prunus.DeviceError("cuda:0 (a GPU) is lost")
        return honest(problem, **options)

    monkeypatch.setattr(module, "solve", solve)
    assert run(["bench", "atsp", "queens", "--quick", "--devices", "cpu", "--repeat", "1"]) == 1
    captured = capfd.readouterr()
    assert [row.split()[-1] for row in captured.out.splitlines() if row.startswith("atsp")] == [
        "failed"
    ]
    assert "queens:14" in captured.out
    assert "is lost" in captured.err


def test_a_limit_is_no_figure(capfd: pytest.CaptureFixture[str]) -> None:
    """What was stopped has no speed, is not run again, and the exit code is that of a solve."""
    words = ["bench", "subsetsum", "--devices", "cpu:1", "--time-limit", "0.000001"]
    assert run([*words]) == 4
    assert "stopped after" in capfd.readouterr().out
    assert run([*words, "--json"]) == 4
    (one,) = json.loads(capfd.readouterr().out)["runs"]
    assert (one["status"], one["speed"], one["seconds"]) == ("unknown", None, [])


def test_an_interrupt_ends_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """What was measured before is there; nothing is solved after it."""
    honest = module.solve
    calls = []

    def solve(problem: Any, **options: Any) -> Result:
        calls.append(problem)
        result = honest(problem, **options)
        if isinstance(problem, prunus.NQueens):
            return replace(result, status=prunus.Status.FEASIBLE, stopped_by="interrupt")
        return result

    monkeypatch.setattr(module, "solve", solve)
    words = ["flowshop", "queens", "atsp", "--quick", "--repeat", "1", "--devices", "cpu:2"]
    assert run(["bench", *words, "--json"]) == 130
    runs = json.loads(capfd.readouterr().out)["runs"]
    assert [one["problem"] for one in runs] == ["flowshop", "queens"]
    assert not any(isinstance(problem, prunus.ATSP) for problem in calls)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["tsp"], "'tsp' is not one of flowshop, queens"),
        (["--devices", "gpu"], "'gpu' is not a device"),
        (["--time-limit", "0"], "--time-limit"),
        (["--repeat", "0"], "--repeat"),
    ],
)
def test_wrong_usage(words: list[str], complaint: str, capfd: pytest.CaptureFixture[str]) -> None:
    """A sentence before anything is measured."""
    assert run(["bench", *words]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert complaint in captured.err


@pytest.mark.parametrize("size", [0, 1, 2])
def test_cases_of_all_sizes(size: int) -> None:
    """A case of each problem, whose instances are there and grow."""
    found = cases(size)
    assert tuple(found) == PROBLEMS
    for case in list(found.values())[:-1]:  # the last one's matrix is large
        assert case.work(case.make(), 5) >= 5


def test_gpus_are_named(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Which card it was stands above the table, and it gets the larger instances."""
    sizes = []
    monkeypatch.setattr("prunus.cli.options.check_gpus", lambda devices: None)
    monkeypatch.setattr(module, "open_gpu", lambda index: SimpleNamespace(model="Some card"))
    monkeypatch.setattr(module, "cases", lambda size: sizes.append(size) or {})
    assert run(["bench", "--devices", "cuda:1,cuda:0", "--devices", "cpu", "--quick"]) == 0
    assert "cuda:1 Some card\ncuda:0 Some card\n\nproblem" in capfd.readouterr().out
    assert sizes == [1, 0]


def test_names_fit_their_column() -> None:
    """In all sizes."""
    assert max(len(case.instance) for size in range(3) for case in cases(size).values()) <= 21


@pytest.mark.slow
@pytest.mark.parametrize("kind", PROBLEMS)
def test_answers_of_the_medium_cases(kind: str) -> None:
    """The answers that are written down are right."""
    case = cases(1)[kind]
    options: dict[str, Any] = dict(case.options)
    assert wrong(case, prunus.solve(case.make(), devices="cpu", **options)) is None


@pytest.mark.gpu
@pytest.mark.parametrize("size", [1, 2])
def test_on_a_gpu(size: int, capfd: pytest.CaptureFixture[str]) -> None:
    """All cases of a GPU are right on one."""
    quick = ["--quick"] if size == 1 else []
    assert run(["bench", "--devices", "cuda:0", "--repeat", "1", "--json", *quick]) == 0
    assert len(json.loads(capfd.readouterr().out)["runs"]) == len(PROBLEMS)
