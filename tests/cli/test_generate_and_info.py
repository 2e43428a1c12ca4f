"""``prunus generate`` writes instances that read back; ``prunus info`` states facts."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from prunus.cli.entry import run
from prunus.custom.python_file import load_problem
from prunus.flowshop.problem import FlowShop
from prunus.read import kinds, read
from prunus.solve import solve
from prunus.stop import MaxNodes
from prunus.write import format_names

OWN = """
import prunus

class Mine(prunus.PermutationProblem):
    @staticmethod
    def descend(data, state, depth, item):
        state[0] += depth * item

    @staticmethod
    def bound(data, state, free, depth):
        return state[0]

    def evaluate(self, permutation):
        return sum(k * int(item) for k, item in enumerate(permutation))

def made():
    return Mine(3, state=1, data={})
"""


@pytest.mark.parametrize("suffix", ["txt", "csv"])
def test_generate_to_a_file(tmp_path: Path, suffix: str) -> None:
    """The file holds the instance, in the format of its suffix."""
    path = tmp_path / f"x.{suffix}"
    assert run(["generate", "ta001", "-o", str(path)]) == 0
    problem = read(path)
    original = read("ta001")
    assert isinstance(problem, FlowShop)
    assert isinstance(original, FlowShop)
    assert np.array_equal(problem.processing_times, original.processing_times)
    assert ("processing times" in path.read_text()) == (suffix == "txt")


def test_generate_to_stdout(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Standard output gets the same text as a file, in the format asked for."""
    path = tmp_path / "x.txt"
    run(["generate", "ta001", "-o", str(path), "--format", "vfr"])
    assert run(["generate", "ta001", "--format", "vfr"]) == 0
    assert capfd.readouterr().out == path.read_text()


def test_generate_lists_the_names(capfd: pytest.CaptureFixture[str]) -> None:
    """Without a name all forms of names are listed."""
    assert run(["generate"]) == 0
    listed = capfd.readouterr().out
    assert all(form in listed for form in ("ta001 to ta120", "queens:N", "crane:CITIES:SEED"))


def test_info_of_the_machine(capfd: pytest.CaptureFixture[str]) -> None:
    """The versions, the cores and the extras are told."""
    assert run(["info"]) == 0
    told = capfd.readouterr().out
    labels = ("prunus", "Python", "kernels for", "processor", "[plot]")
    assert all(label in told for label in labels)


def test_info_of_a_name_that_is_a_checkpoint_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The name is the instance, the file needs its folder; what is no whole name is the file."""
    monkeypatch.chdir(tmp_path)
    for name in ("ta001", "queens"):
        solve(read("ta003"), checkpoint=name, stop=MaxNodes(0), devices="cpu:1")
    found = []
    for name in ("ta001", "./ta001", "queens"):
        assert run(["info", name]) == 0
        found.append("ta001" in capfd.readouterr().out)
    assert found == [True, False, False]


def test_info_of_an_instance(capfd: pytest.CaptureFixture[str]) -> None:
    """A flow shop is told with its sum, a bound and the best known makespan."""
    assert run(["info", "ta030"]) == 0
    told = capfd.readouterr().out
    assert "20 jobs × 20 machines" in told
    assert "sum 19338" in told
    assert "makespan 2178 (as published)" in told


def test_info_does_not_trust_a_name(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A file that is called ta001 and holds something else has no best known makespan."""
    path = tmp_path / "ta001.csv"
    path.write_text("3,2\n1,4\n2,2\n")
    assert run(["info", str(path)]) == 0
    assert "best known" not in capfd.readouterr().out


@pytest.mark.parametrize("name", ["queens:8", "crane:5:1", "tsmat:2:1"])
def test_info_of_other_problems(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Every problem has a line about its size."""
    assert run(["info", name]) == 0
    assert name in capfd.readouterr().out


@pytest.mark.parametrize(
    ("file", "content", "told"),
    [
        ("k.kp", "3\n50\n\n60 10\n100 20\n120 30\n", ["capacity", "50, 83.33 % of", "60 to 120"]),
        ("s.txt", "3\n-5\n7\n11\n13\n", ["target    13", "-5 to 11, sum 13", "bits      4"]),
        ("a.asn", "p asn 4 3\nn 1\nn 2\na 1 3 5\na 1 4 7\na 2 3 9\n", ["5 to 9", "1 of 4 pairs"]),
    ],
)
def test_facts_of_other_problems(
    tmp_path: Path, file: str, content: str, told: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    """Capacities, targets, ranges of the numbers, and how many pairs are forbidden."""
    path = tmp_path / file
    path.write_text(content)
    assert run(["info", str(path)]) == 0
    words = capfd.readouterr().out
    assert all(word in words for word in told), words


@pytest.mark.parametrize(
    ("source", "fields"),
    [
        ((), ("prunus", "python", "instruction_set", "cores", "gpus", "extras")),
        (("ta030",), ("problem", "times", "busiest_machine", "lower_bound", "best_known")),
        (("subsetsum:10:70:1",), ("problem", "target", "question", "weights", "bits")),
        (("knapsack:circle:9:20:1",), ("problem", "capacity", "profits", "weights")),
        (("tsmat:4:1",), ("problem", "distances")),
        (("queens:8",), ("problem",)),
    ],
)
def test_info_for_machines(
    source: tuple[str, ...], fields: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    """With --json the same facts are one object, as plain types under names of their own."""
    assert run(["info", *source, "--json"]) == 0
    assert tuple(name for name in json.loads(capfd.readouterr().out) if name in fields) == fields


def test_info_for_machines_says_what_is_wrong(capfd: pytest.CaptureFixture[str]) -> None:
    """What cannot be read is an object with an error."""
    assert run(["info", "nothing.txt", "--json"]) == 2
    assert "nothing.txt" in json.loads(capfd.readouterr().out)["error"]


@pytest.mark.parametrize(
    ("name", "left"), [("queens:15", "open interval"), ("tsmat:60:1", "open node")]
)
def test_info_of_a_checkpoint(
    name: str, left: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """How much is open is told of both engines, in numbers for machines."""
    path = tmp_path / "x.ckpt"
    solve(read(name), checkpoint=path, stop=lambda progress: progress.nodes > 0, devices="cpu:1")
    assert run(["info", str(path)]) == 0
    words = capfd.readouterr().out
    assert run(["info", str(path), "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["problem"]["name"] == name
    if found["complete"]:
        assert "complete" in words
    else:
        assert found["open"] > 0
        assert f"{found['open']} {left}" in words
    assert found["options"]["seed"] == 0


def test_info_of_a_problem_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A problem of one's own is named by its file, as for solve."""
    monkeypatch.setattr("sys.path", [*sys.path])
    path = tmp_path / "info_of_my_own.py"
    path.write_text(OWN)
    assert run(["info", f"{path}:made"]) == 0
    assert "Mine, 3 items" in capfd.readouterr().out


def test_a_checkpoint_of_a_problem_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Where its class cannot be imported the command says what to hand over, and takes it."""
    monkeypatch.setattr("sys.path", [*sys.path])
    path, kept = tmp_path / "own_in_a_checkpoint.py", str(tmp_path / "x.ckpt")
    path.write_text(OWN)
    solve(load_problem(f"{path}:made"), time_limit=0, devices="cpu:1", checkpoint=kept)
    monkeypatch.delitem(sys.modules, path.stem)
    monkeypatch.setattr("sys.path", [place for place in sys.path if place != str(tmp_path)])
    for command in ("info", "resume"):
        assert run([command, kept]) == 2
        told = capfd.readouterr().err
        assert "--problem: the checkpoint is of a Mine" in told
    assert run(["info", kept, "--problem", f"{path}:made"]) == 0
    assert "checkpoint of  Mine, 3 items" in capfd.readouterr().out
    sys.modules.pop(path.stem)


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="pipes have no names here")
def test_an_instance_from_a_pipe(capfd: pytest.CaptureFixture[str]) -> None:
    """What can be read only once is read only once."""
    out, into = os.pipe()
    with os.fdopen(into, "w") as stream:
        stream.write("3\n5\n6\n7\n11\n")
    try:
        assert run(["info", f"/dev/fd/{out}"]) == 0
    finally:
        os.close(out)
    assert "target" in capfd.readouterr().out


def test_help_names_every_kind_and_format(capfd: pytest.CaptureFixture[str]) -> None:
    """What the help lists is what there is, and not what there once was."""
    for command, wanted in (("solve", kinds()), ("info", kinds()), ("generate", format_names())):
        assert run([command, "--help"]) == 0
        words = "".join(capfd.readouterr().out.replace("│", "").split())
        assert all(word in words for word in wanted)
    assert run(["--help"]) == 0
    words = capfd.readouterr().out
    assert all(word in words for word in ("knapsacks", "subset sums", "assignments"))
