"""Whatever a user does wrong ends in one sentence and exit code 2, never in a traceback."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from prunus.cli import entry, main
from prunus.cli.entry import run

# What is wrong, and a word that the sentence must have.
WRONG = [
    (["solve"], "FILE_OR_NAME"),
    (["solve", "nowhere.csv"], "nowhere.csv"),
    (["solve", "ta999"], "ta999"),
    (["solve", "queens:6", "--time-limit", "soon"], "--time-limit"),
    (["solve", "queens:6", "--no-such-option"], "--no-such-option"),
    (["solve", "queens:6", "more"], "more"),
    (["solve", "queens:6", "--kind", "knapsack"], "knapsack"),
    (["solve", "queens:6", "--gantt", "board.png"], "NQueens"),
    (["solve", "ta001", "--gantt", "schedule.docx"], "schedule.docx"),
    (["solve", "ta001", "--gantt", "no/such/folder/schedule.png"], "folder"),
    (["solve", "ta001", "--output", "schedule.xlsx"], "schedule.xlsx"),
    (["solve", "ta001", "--initial-solution", "0,one,2"], "'one'"),
    (["generate", "ta001", "--format", "tsplib"], "tsplib"),
    (["info", "/"], "/"),
    (["fly"], "fly"),
]


@pytest.mark.parametrize(("args", "word"), WRONG, ids=[" ".join(args) for args, _ in WRONG])
def test_errors_are_one_sentence(
    args: list[str], word: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """The error names what is wrong, in one line on stderr, and the exit code is 2.

    Click's own sentences read like all others: with a small letter, and no full stop.
    """
    assert run(args) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert re.fullmatch(r"error: [^A-Z].*[^.]\n", captured.err)
    assert captured.err.count("\n") == 1
    assert word in captured.err


WRONG_SOLVE = [case for case in WRONG if case[0][0] == "solve"]


@pytest.mark.parametrize(
    ("args", "word"), WRONG_SOLVE, ids=[" ".join(args) for args, _ in WRONG_SOLVE]
)
def test_errors_as_json(args: list[str], word: str, capfd: pytest.CaptureFixture[str]) -> None:
    """With --json the sentence is in an object on stdout, and nothing else is anywhere."""
    assert run([*args, "--json"]) == 2
    captured = capfd.readouterr()
    answer = json.loads(captured.out)
    assert word in answer["error"]
    assert answer["exit_code"] == 2
    assert captured.err == ""


def _replace_app(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(args: list[str]) -> NoReturn:
        raise error

    monkeypatch.setattr(entry, "_invoke", fail)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--time-limit", "-1"], "--time-limit -1.0 is not a number of seconds"),
        (["--seed", "-1"], "--seed -1 is not between"),
        (["--devices", "gpu"], "--devices: 'gpu' is not a device"),
        (["--first-incumbent", "luck"], "--first-incumbent luck is not one of"),
        (["--upper-bound", "-1"], "--upper-bound -1 is not"),
        (["--bound", "a b"], "--bound a b is not one of auto, lb1"),
        (["--symmetry", "all"], "a flow shop has no option --symmetry (its options: --bound, --"),
        (["--checkpoint", "/nowhere/x", "--quiet"], "/nowhere/x: the folder /nowhere"),
    ],
)
def test_options_are_called_as_they_were_written(
    args: list[str], words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """On the command line an option has dashes, also in what is said of it."""
    assert run(["solve", "ta001", *args]) == 2
    assert capfd.readouterr().err.startswith(f"error: {words}")


def test_options_of_another_problem(capfd: pytest.CaptureFixture[str]) -> None:
    """Those that the problem has are named instead."""
    assert run(["solve", "knapsack:weakly:10:10:1", "--bound", "lb1"]) == 2
    assert capfd.readouterr().err == (
        "error: a knapsack has no option --bound (its options: --profile, --exchange; those of "
        "every solve: --method, --devices, --time-limit, --upper-bound, --seed, --checkpoint, …)\n"
    )


def test_flags_have_no_type(capfd: pytest.CaptureFixture[str]) -> None:
    """The help of what takes no value names none; other options say what they take."""
    for command in ([], ["solve"], ["bench"]):
        run([*command, "--help"])
        words = capfd.readouterr().out
        assert "--help" in words
        assert "bool" not in words.lower()
    run(["solve", "--help"])
    assert "SECONDS" in capfd.readouterr().out


def test_an_operating_system_error_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A full disk or a missing right is no defect of the library."""
    _replace_app(monkeypatch, OSError(28, "No space left on device", "/tmp/x"))
    assert run([]) == 2
    assert capfd.readouterr().err == "error: /tmp/x: no space left on device\n"


def test_a_defect_is_called_a_defect(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """What is not the user's fault has exit code 1, a traceback to report, and its JSON."""
    _replace_app(monkeypatch, ZeroDivisionError("oops"))
    assert run(["solve", "--json"]) == 1
    captured = capfd.readouterr()
    assert "ZeroDivisionError: oops" in json.loads(captured.out)["error"]
    assert "Traceback" in captured.err


def test_a_reader_that_leaves_a_help_page(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nothing is wrong with that: no sentence, and the code a shell gives."""
    dropped: list[bool] = []
    monkeypatch.setattr(entry, "drop_the_rest", lambda stream: dropped.append(True))
    _replace_app(monkeypatch, BrokenPipeError(32, "Broken pipe"))
    assert run(["--help"]) == 141
    assert dropped == [True]
    assert capfd.readouterr().err == ""


def test_an_interrupt_before_the_search(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C while there is nothing to show yet says so, also to machines."""
    _replace_app(monkeypatch, KeyboardInterrupt())
    assert run(["solve", "--json"]) == 130
    assert "interrupted" in json.loads(capfd.readouterr().out)["error"]


def test_sigterm_does_what_ctrl_c_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """SIGTERM goes to whatever handles SIGINT at that moment; ignored, it still interrupts."""
    seen: list[int] = []

    def handler(number: int, frame: Any) -> None:
        seen.append(number)

    before = signal.signal(signal.SIGINT, handler)
    try:
        entry._terminate(signal.SIGTERM, None)
        assert seen == [signal.SIGINT]
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with pytest.raises(KeyboardInterrupt):
            entry._terminate(signal.SIGTERM, None)
    finally:
        signal.signal(signal.SIGINT, before)


def test_version(capfd: pytest.CaptureFixture[str]) -> None:
    """``--version`` says name and version."""
    assert run(["--version"]) == 0
    name, version = capfd.readouterr().out.split()
    assert name == "prunus"
    assert version[0].isdigit()


def test_no_command_shows_the_help(capfd: pytest.CaptureFixture[str]) -> None:
    """``prunus`` alone shows the commands, which is no failure."""
    assert run([]) == 0
    help_text = capfd.readouterr().out
    assert all(command in help_text for command in ("solve", "generate", "info"))


@pytest.mark.parametrize("command", ["solve", "resume", "bench", "compile", "generate", "info"])
def test_help(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Each command has a help page, which names its argument as the usage does."""
    assert run([command, "--help"]) == 0
    page = capfd.readouterr().out
    assert "Usage: prunus" in page
    usage = re.search(r"Usage: prunus \w+ \[OPTIONS\] \[?(\w+)", page)
    assert usage is not None
    assert re.search(rf"│ (\*  )?\[?{usage[1]}\]?", page)


@pytest.fixture
def handlers() -> Iterator[None]:
    """What main replaces in its process, where every later test would inherit it: SIGHUP too."""
    numbers = [
        getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
    ]
    before, show = [signal.getsignal(number) for number in numbers], warnings.showwarning
    yield
    warnings.showwarning = show
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.usefixtures("handlers")
def test_main_leaves_with_the_exit_code() -> None:
    """The console script's function turns the code into the process's; signals come too late."""
    with pytest.raises(SystemExit) as leaving:
        main(["solve", "nowhere.csv"])
    assert leaving.value.code == 2
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["solve", "queens:6"], ["solve", "queens:6", "--json"]])
def test_an_output_that_is_full(words: list[str]) -> None:
    """One sentence says that standard output is full, and the answer is on standard error."""
    with open("/dev/full", "w") as full:
        answer = subprocess.run(
            [sys.executable, "-m", "prunus", *words, "--devices", "cpu"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=120,
        )
    assert answer.returncode == 2
    assert "Traceback" not in answer.stderr
    assert answer.stderr.startswith("the answer: ")
    last = answer.stderr.splitlines()[-1]
    assert last == "error: standard output cannot be written: no space left on device"
    assert "queens:6" in answer.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_nobody_listens_to_errors(redirection: str) -> None:
    """With standard error closed or full the answer comes, and errors have their code."""
    for words, code in (("queens:6 --devices cpu", 0), ("nowhere", 2)):
        command = f"{sys.executable} -m prunus solve {words} {redirection}"
        answer = subprocess.run(
            ["bash", "-c", command], stdout=subprocess.PIPE, text=True, check=False, timeout=120
        )
        assert answer.returncode == code
        assert ("solutions" in answer.stdout) == (code == 0)


@pytest.mark.usefixtures("handlers")
def test_a_signal_after_the_answer_leaves_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the answer and the end of the process it only decides the exit code."""

    def interrupted(args: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(entry, "run", interrupted)
    with pytest.raises(SystemExit) as leaving:
        main(["info"])
    assert leaving.value.code == 130


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_nobody_reads_the_errors(tmp_path: Path) -> None:
    """Where the reader of standard error has gone the answer comes all the same, with its code."""
    code = (
        "from prunus.cli.console import answer, notice\n"
        "from time import sleep\n"
        "sleep(0.5)\n"
        "for _ in range(3):\n    notice('nobody hears this')\n"
        "answer('the answer')\n"
        "raise SystemExit(3)\n"
    )
    (tmp_path / "say.py").write_text(code)
    command = f"{{ {sys.executable} say.py 3>&1 1>&2 2>&3; echo $? > code; }} 2> answer | true"
    subprocess.run(["bash", "-c", command], check=False, timeout=120, cwd=tmp_path)
    assert (tmp_path / "answer").read_text() == "the answer\n"
    assert (tmp_path / "code").read_text() == "3\n"


@pytest.mark.usefixtures("handlers")
def test_warnings_are_notices(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """What the library warns of is one sentence on stderr, without a line of source."""

    def warn(args: list[str]) -> int:
        warnings.warn("no GPU here", stacklevel=1)
        return 0

    monkeypatch.setattr(entry, "_invoke", warn)
    with warnings.catch_warnings(action="always"), pytest.raises(SystemExit):
        main([])
    assert capfd.readouterr().err == "notice: no GPU here\n"


def test_python_m_prunus() -> None:
    """``python -m prunus`` is the command."""
    answer = subprocess.run(
        [sys.executable, "-m", "prunus", "generate", "crane:3:1"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert "EDGE_WEIGHT_SECTION" in answer.stdout
    assert answer.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_reader_that_leaves_early(tmp_path: Path) -> None:
    """``| true`` ends the command quietly, with the code a shell gives for a broken pipe."""
    errors = tmp_path / "errors"
    command = f"{sys.executable} -m prunus generate taillard:500:200:1 2>{errors} | true"
    status = subprocess.run(
        ["bash", "-c", f'{command}; exit "${{PIPESTATUS[0]}}"'], check=False, timeout=120
    )
    assert status.returncode == 141
    assert errors.read_text() == ""


def test_completion(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell that asks for completions gets the commands."""
    monkeypatch.setenv("_PRUNUS_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "prunus so")
    monkeypatch.setenv("COMP_CWORD", "1")
    answer = subprocess.run(
        [sys.executable, "-m", "prunus"], capture_output=True, text=True, check=False, timeout=120
    )
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "plain,solve\n", "")
