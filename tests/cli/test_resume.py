"""``prunus solve --checkpoint`` is stopped, ``prunus resume`` goes on to the exact answer."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import prunus
from prunus.cli.entry import run
from prunus.stop import MaxNodes

# The command, sent SIGINT by itself once its tree search is under way.
_INTERRUPTED = """
import importlib, os, signal
from prunus.cli import main
module = importlib.import_module("prunus.solve")
solve = module.solve
def interrupt(progress):
    if progress.nodes > 0:
        signal.raise_signal(signal.SIGINT)
    return False
module.solve = lambda problem, **options: solve(problem, stop=interrupt, **options)
main()
"""


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """Return the checkpoint of a proof for ta029 that was stopped on its way."""
    path = tmp_path / "run.ckpt"
    prunus.solve(
        prunus.read("ta029"),
        upper_bound=2237,
        stop=MaxNodes(100_000),
        checkpoint=path,
        devices="cpu:2",
    )
    return path


def answered(capfd: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capfd.readouterr().out)
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_and_on_to_the_exact_answer(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """After Ctrl-C one line says how to go on, and that leads to the count and the nodes."""
    path = tmp_path / "my run.ckpt"
    words = ["solve", "ta029", "--upper-bound", "2237", "--checkpoint", str(path)]
    answer = subprocess.run(
        [sys.executable, "-c", _INTERRUPTED, *words, "--devices", "cpu:2"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert answer.returncode == 130, answer.stderr
    assert "stopped by interrupt" in answer.stdout
    assert answer.stderr == f"continue with: prunus resume '{path}'\n"
    assert run(["resume", str(path), "--devices", "cpu:2", "--json"]) == 0
    found = answered(capfd)
    assert (found["status"], found["bound"], found["nodes"]) == ("infeasible", 2237, 12_233_430)
    assert found["explored"] == 1.0
    assert found["statistics"]["earlier_runtime"] > 0
    assert found["checkpoint"] == str(path)


def test_a_stopped_resume_says_how_to_go_on(
    stopped: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A time limit is for this run; the report mentions the earlier one and the checkpoints."""
    assert run(["resume", str(stopped), "--time-limit", "0"]) == 4
    captured = capfd.readouterr()
    assert "in earlier runs" in captured.out
    assert "written" in captured.out
    assert captured.err == f"continue with: prunus resume {stopped}\n"
    assert run(["resume", str(stopped), "--time-limit", "0", "--quiet"]) == 4
    assert capfd.readouterr().err == ""


def test_a_proof_needs_no_going_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """After a complete search nothing is said of going on; resuming repeats the answer."""
    path = tmp_path / "run.ckpt"
    for words in (["solve", "queens:8", "--checkpoint", str(path)], ["resume", str(path)]):
        assert run(words) == 0
        captured = capfd.readouterr()
        assert "solutions   92" in captured.out
        assert captured.err == ""


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda content: content[:-9] + b"different", "damaged"),
        (lambda content: content[:200], "damaged"),
        (lambda content: b"job,lathe\n", "not a checkpoint"),
        (lambda content: re.sub(rb"point \d+\n", b"point 99\n", content, count=1), "newer prunus"),
    ],
    ids=["damaged", "cut", "foreign", "newer"],
)
def test_a_file_that_is_no_good_is_left_alone(
    stopped: Path, spoil: Any, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is refused in one sentence with exit code 2, and not a byte of it changes."""
    content = spoil(stopped.read_bytes())
    stopped.write_bytes(content)
    assert run(["resume", str(stopped)]) == 2
    message = capfd.readouterr().err
    assert words in message
    assert message.count("\n") == 1
    assert stopped.read_bytes() == content
    assert list(stopped.parent.iterdir()) == [stopped]


def test_what_resume_cannot_do(
    stopped: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A missing file, a solve into an existing one or into no folder, a solve of a checkpoint."""
    for words, said in (
        (["resume", str(tmp_path / "no.ckpt")], "no.ckpt"),
        (["resume"], "FILE"),
        (["solve", "queens:8", "--checkpoint", str(stopped)], "prunus resume"),
        (["solve", "queens:8", "--checkpoint", str(tmp_path / "no" / "x")], "folder"),
        (["solve", str(stopped)], f"on the command line with prunus resume {stopped}"),
        (["solve", "queens:8", "--checkpoint-every", "-1", "--checkpoint", "x"], "seconds"),
    ):
        assert run(words) == 2
        message = capfd.readouterr().err
        assert said in message
        assert message.count("\n") == 1


def test_output_and_pictures_of_a_resumed_search(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Resume writes the same files as solve."""
    pytest.importorskip("matplotlib")
    path, schedule, picture, trace = (tmp_path / n for n in ("c", "s.csv", "g.png", "t.png"))
    shop = prunus.read("ta051")
    prunus.solve(shop, first_incumbent="neh", stop=MaxNodes(1), checkpoint=path, devices="cpu:2")
    words = ["--output", str(schedule), "--gantt", str(picture), "--trace", str(trace)]
    assert run(["resume", str(path), "--devices", "cpu", "--time-limit", "0.5", *words]) == 3
    assert capfd.readouterr().out.startswith("ta051")
    assert schedule.read_text().startswith("position,job")
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert trace.read_bytes().startswith(b"\x89PNG")


def test_info_of_a_checkpoint(stopped: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The problem, what is open, the nodes and the time so far are told."""
    assert run(["info", str(stopped)]) == 0
    told = capfd.readouterr().out
    assert all(words in told for words in ("ta029", "open intervals", "nodes", "so far"))
