"""``prunus solve`` solves, shows the proof, and tells machines the same."""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from prunus.cli.entry import run
from prunus.flowshop.problem import FlowShop
from prunus.read import read

SHOP = "job,lathe,mill,drill\ngear,3,2,5\nshaft,1,4,2\nhousing,6,1,3\npin,2,2,2\n"
OPTIMUM = 17


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.csv"
    path.write_text(SHOP)
    return path


def as_json(capfd: pytest.CaptureFixture[str]) -> dict[str, Any]:
    captured = capfd.readouterr()
    assert captured.err == ""
    assert captured.out.count("\n") == 1
    found: dict[str, Any] = json.loads(captured.out)
    return found


def test_a_report(shop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The report has the makespan, the schedule by name, and that it was evaluated anew."""
    assert run(["solve", str(shop), "--devices", "cpu"]) == 0
    captured = capfd.readouterr()
    lines = {line.split()[0]: line for line in captured.out.splitlines()}
    assert "optimal (proven)" in lines["status"]
    assert str(OPTIMUM) in lines["makespan"]
    assert sorted(lines["schedule"].split()[1:]) == ["gear", "housing", "pin", "shaft"]
    assert f"re-evaluated by FlowShop.evaluate: makespan {OPTIMUM}" in lines["checked"]
    assert captured.err == ""


def test_json(shop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """--json prints one object with the same facts, and nothing else."""
    assert run(["solve", str(shop), "--devices", "cpu", "--json"]) == 0
    found = as_json(capfd)
    assert found["status"] == "optimal"
    assert found["objective"] == found["bound"] == OPTIMUM
    assert found["gap"] == 0.0
    assert found["exit_code"] == 0
    assert "re-evaluated" in found["checked"]
    problem = read(shop)
    assert isinstance(problem, FlowShop)
    assert problem.evaluate(found["solution"]) == OPTIMUM
    assert problem.job_names is not None
    assert found["solution_names"] == [problem.job_names[job] for job in found["solution"]]


def test_counting(capfd: pytest.CaptureFixture[str]) -> None:
    """All ways to place six queens are counted."""
    assert run(["solve", "queens:6", "--devices", "cpu", "--json"]) == 0
    found = as_json(capfd)
    assert found["objective"] == 4
    assert found["status"] == "optimal"


def test_atsp(capfd: pytest.CaptureFixture[str]) -> None:
    """A tour is found and evaluated anew."""
    assert run(["solve", "tsmat:6:1"]) == 0
    report = capfd.readouterr().out
    assert "tour length" in report
    assert "re-evaluated by ATSP.evaluate" in report


def test_the_time_limit_gives_exit_code_3(capfd: pytest.CaptureFixture[str]) -> None:
    """A stopped search shows its best solution with a bound, and its code says so."""
    assert run(["solve", "ta051", "--devices", "cpu", "--time-limit", "0.5", "--json"]) == 3
    found = as_json(capfd)
    assert found["status"] == "feasible"
    assert found["stopped_by"] == "time limit"
    assert 0 < found["bound"] <= found["objective"]
    assert found["exit_code"] == 3


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["queens:6", "--bound", "lb1"], "bound"),
        (["queens:6", "--branching", "forward"], "branching"),
        (["queens:6", "--first-incumbent", "neh"], "first.incumbent"),
        (["ta001", "--symmetry", "all"], "symmetry"),
        (["ta001", "--bound", "lb7"], "lb7"),
        (["ta001", "--method", "magic"], "magic"),
        (["ta001", "--devices", "tpu"], "tpu"),
        (["ta001", "--time-limit", "-1"], "time.limit"),
        (["ta001", "--initial-solution", "0,1,2"], "20|jobs"),
    ],
)
def test_options_that_do_not_fit(
    args: list[str], word: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """An option of another problem, and a value that is none, are refused by name."""
    assert run(["solve", *args]) == 2
    message = capfd.readouterr().err
    assert re.search(word, message)
    assert message.count("\n") == 1


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_a_written_solution_starts_the_next_solve(
    shop: Path, tmp_path: Path, suffix: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """What --output writes, --initial-solution reads."""
    path = tmp_path / f"schedule.{suffix}"
    assert run(["solve", str(shop), "--devices", "cpu", "--output", str(path), "--json"]) == 0
    first = as_json(capfd)
    assert (
        run(["solve", str(shop), "--devices", "cpu", "--initial-solution", str(path), "--json"])
        == 0
    )
    assert as_json(capfd)["objective"] == first["objective"]


def test_output_csv_is_the_schedule(
    shop: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The table holds every operation, and its last end is the makespan."""
    path = tmp_path / "schedule.csv"
    assert run(["solve", str(shop), "--devices", "cpu", "-o", str(path)]) == 0
    capfd.readouterr()
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12
    assert max(int(row["end"]) for row in rows) == OPTIMUM
    assert {row["machine_name"] for row in rows} == {"lathe", "mill", "drill"}


def test_gantt(shop: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """--gantt writes a picture."""
    pytest.importorskip("matplotlib")
    path = tmp_path / "schedule.png"
    assert run(["solve", str(shop), "--devices", "cpu", "--gantt", str(path), "--quiet"]) == 0
    capfd.readouterr()
    assert path.read_bytes().startswith(b"\x89PNG")


# The command, sent a signal by itself as soon as its search has branched nodes: a test that waits
# some seconds instead would now and then meet the compiler.
_SIGNALLED = """
import importlib, os
from prunus.cli import main
module = importlib.import_module("prunus.solve")
solve = module.solve
def kill(progress):
    if progress.nodes > 0:
        os.kill(os.getpid(), {number})
    return False
module.solve = lambda problem, **options: solve(problem, stop=kill, **options)
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_shows_the_best_so_far(number: signal.Signals) -> None:
    """Ctrl-C and SIGTERM end a long search with its best solution, its bound, and code 130."""
    command = [sys.executable, "-c", _SIGNALLED.format(number=int(number))]
    answer = subprocess.run(
        [*command, *["solve", "ta051", "--json", "--devices", "cpu", "--first-incumbent", "neh"]],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert answer.returncode == 130, answer.stderr
    found = json.loads(answer.stdout)
    assert found["status"] == "feasible"
    assert found["stopped_by"] == "interrupt"
    assert found["exit_code"] == 130
    assert 0 < found["bound"] <= found["objective"]
    assert answer.stderr == ""


def test_groups_by_name(capfd: pytest.CaptureFixture[str]) -> None:
    """--method groups solves a knapsack of a few bands, and refuses another in one sentence."""
    bands = "multigroup:60:10000000:5:30:100:50:3"
    assert run(["solve", bands, "--method", "groups", "--devices", "cpu:1", "--json"]) == 0
    found = as_json(capfd)
    assert (found["status"], found["method"]) == ("optimal", "groups")
    assert run(["solve", "knapsack:weakly:50:1000:50", "--method", "groups"]) == 2
    captured = capfd.readouterr()
    assert "weights in a few narrow bands" in captured.err
    assert captured.err.count("\n") == 1
