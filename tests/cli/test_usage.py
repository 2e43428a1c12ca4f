"""What people try on a command line, and what must come of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import prunus
from prunus.cli import compile as compiling
from prunus.cli.entry import run


def test_a_file_that_leaves_python_proves_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Its exit code 0 would have meant a proof."""
    path = tmp_path / "leaves.py"
    path.write_text("import sys\nsys.exit(0)\n")
    assert run(["solve", f"{path}:anything"]) == 2
    assert "leaves Python with exit code 0" in capfd.readouterr().err
    path.write_text("import sys\ndef make():\n    sys.exit(0)\n")
    assert run(["solve", f"{path}:make"]) == 2
    assert "leaves Python with exit code 0" in capfd.readouterr().err


def test_an_end_in_the_middle_of_a_solve_proves_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """As from a user's evaluate."""
    path = tmp_path / "ends.py"
    path.write_text(
        "import sys, prunus\n"
        "class Ends(prunus.PermutationProblem):\n"
        "    @staticmethod\n"
        "    def descend(data, state, depth, item):\n"
        "        state[0] += item * depth\n"
        "    @staticmethod\n"
        "    def bound(data, state, free, depth):\n"
        "        return state[0]\n"
        "    def evaluate(self, permutation):\n"
        "        sys.exit(0)\n"
        "it = Ends(4, state=1, data={})\n"
    )
    assert run(["solve", f"{path}:it", "--devices", "cpu:1", "-q"]) == 2
    words = capfd.readouterr().err
    assert "SystemExit" in words, words


def test_a_table_of_one_column_is_asked_for(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """With the options of the command line."""
    path = tmp_path / "x.csv"
    path.write_text("rent,340\nfood,125\nTOTAL,465\n")
    assert run(["solve", str(path)]) == 2
    words = capfd.readouterr().err
    assert "--kind flowshop, --kind subsetsum or --kind assignment" in words


def test_maximize(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The largest total of a file's values; a forbidden pair stays forbidden."""
    path = tmp_path / "x.csv"
    path.write_text("agent,a,b\nx,1.5,2\ny,inf,4\n")
    shown = ["--json", "-q", "--devices", "cpu:1"]
    assert run(["solve", str(path), "--maximize", *shown]) == 0
    assert json.loads(capfd.readouterr().out)["objective"] == 5.5
    assert run(["solve", "ta001", "--maximize"]) == 2
    assert capfd.readouterr().err.startswith("error: --maximize: is for assignments")
    arcs = prunus.Assignment.from_arcs(2, 2, [0, 0, 1], [0, 1, 1], [3, 9, 4])
    assert prunus.solve(arcs.with_maximize(True), devices="cpu:1").objective == 7
    points = prunus.Assignment.from_points([[0.0], [1.0]], [[0.0], [3.0]], metric="sqeuclidean")
    assert prunus.solve(points.with_maximize(True), devices="cpu:1").objective == 10


def test_kinds_are_compiled(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """By the names that bench takes."""
    asked = compiling._named(["assignment", "queens:4"])
    assert asked[-1] == "queens:4"
    assert len(asked) > 2
    assert all("assignment" in name for name in asked[:-1])


@pytest.mark.parametrize("words", [["--help"], ["solve", "--help"]])
def test_a_reader_of_help_may_leave(words: list[str]) -> None:
    """As ``| head`` does: the exit code is that of a pipe that is closed, not of a failure."""
    command = [sys.executable, "-m", "prunus", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.skipif(
    sys.version_info[:3] == (3, 13, 0), reason="no module can be asked for what it lacks there"
)
def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    """One sentence."""
    gone = tmp_path / "gone"
    gone.mkdir()
    code = "import os, sys; os.rmdir(os.getcwd()); from prunus.cli import main; main(['info'])"
    paths = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=gone,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "error: the current folder does not exist any more; change to another\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["solve"], "prunus solve needs FILE_OR_NAME; prunus solve --help says what that is"),
        (["resume"], "prunus resume needs FILE; prunus resume --help says what that is"),
        (["solve", "-"], "standard input is the file /dev/stdin"),
        (["--there"], "prunus has no option --there; it takes --version, --help"),
        (["solve", "ta001", "--time-limit", "x"], "'--time-limit': 'x' is not a number"),
        (["solve", "ta001", "--seed", "x"], "'--seed': 'x' is not a whole number"),
        (["bench", "--repeat", "x"], "'--repeat': 'x' is not a whole number"),
        (["bench", "--repeat", "0"], "'--repeat': 0 is less than 1"),
        (["solve", "ta001", "--maximize"], "is for assignments, but this is a flow shop"),
        (
            ["solve", "queens:5", "--objective", "count"],
            "is for flow shops and subset sums, but this is N-Queens",
        ),
    ],
)
def test_plain_words(words: list[str], said: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Not those of a programmer's types, and what to do."""
    assert run(words) == 2
    assert capfd.readouterr().err.rstrip().endswith(said)


@pytest.mark.parametrize(
    ("option", "meant"),
    [
        ("--timeout", "--time-limit"),
        ("--threads", "--devices"),
        ("--maximise", "--maximize"),
        ("--ub", "--upper-bound"),
    ],
)
def test_what_others_call_an_option(
    option: str, meant: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Is told what it is called here, on the command line and in Python."""
    assert run(["solve", "queens:5", option, "5"]) == 2
    assert meant in capfd.readouterr().err
    if option != "--maximise":
        keyword = option.strip("-")
        there = meant.strip("-").replace("-", "_")
        with pytest.raises(prunus.InputError, match=f"did you mean {there}"):
            prunus.solve(prunus.NQueens(5), **{keyword: 5})


def test_more_cores_than_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that share cores are no faster: a warning says how many there are."""
    monkeypatch.setattr("prunus.solving.available_cores", lambda: 2)
    with pytest.warns(UserWarning, match="cpu:3: this process may use 2 cores only"):
        prunus.solve(prunus.NQueens(5), devices="cpu:3")
