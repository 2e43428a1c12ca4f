"""``prunus compile`` compiles kernels for GPUs in advance."""

from __future__ import annotations

import os
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from prunus.cli import compile as module
from prunus.cli.entry import run


def test_cores_need_nothing(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a GPU there is nothing to compile, and that is said."""
    monkeypatch.setattr(module, "each_device", lambda devices, doing, cores: [])
    assert run(["compile", "queens:4"]) == 0
    assert "nothing to compile" in capfd.readouterr().out


def test_what_cannot_be_read_is_refused_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    """One sentence, before anything is compiled."""
    assert run(["compile", "queens:4", "nothing-of-the-kind.txt"]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert "nothing-of-the-kind.txt" in captured.err


@pytest.mark.parametrize(
    ("word", "meant"), [("assignmnt", "assignment"), ("Flow-shop", "flowshop")]
)
def test_a_misspelt_kind_is_told_how_it_is_spelt(
    word: str, meant: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Kinds of problems are words of this command alone: no instance is near them."""
    assert run(["compile", word]) == 2
    assert f"{word!r}; did you mean {meant}?" in capfd.readouterr().err


@pytest.mark.parametrize("word", ["queen", "queens:", "ta999", "nothing-of-the-kind"])
def test_other_words_are_told_what_is_wrong_with_them(
    word: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file with a name near a kind, or a name of an instance, is not taken for that kind."""
    monkeypatch.chdir(tmp_path)
    Path("queen").write_text("nothing to read")
    assert run(["compile", word]) == 2
    assert "kind of problem" not in capfd.readouterr().err


def end(name: str, devices: str) -> float:
    """End the process, as the system does that runs out of memory."""
    os._exit(9)


def test_a_process_that_is_ended_is_told(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence, and the exit code of a failure."""
    monkeypatch.setattr(module, "_compile", end)
    assert run(["compile", "queens:4", "queens:5", "--devices", "cpu:1"]) == 1
    assert "because memory ran out" in capfd.readouterr().err


def keep_nothing(name: str, devices: str) -> float:
    """Warn as where no folder can be written to, and of something else."""
    warnings.warn("compiled code cannot be kept on disk", stacklevel=2)
    warnings.warn("solving on the CPU", stacklevel=2)
    return 1.0


def test_that_nothing_is_kept_is_told_once(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever compiles beforehand wants to know; with --quiet nothing is said."""
    monkeypatch.setattr(module, "_compile_time", keep_nothing)
    # In this process: another would not have the function above.
    monkeypatch.setattr(module, "_processes", lambda most: ThreadPoolExecutor(1))
    words = ["compile", "queens:4", "queens:5", "--devices", "cpu:1"]
    assert run(words) == 0
    assert capfd.readouterr().err == "notice: compiled code cannot be kept on disk\n"
    assert run([*words, "--quiet"]) == 0
    assert capfd.readouterr().err == ""


def take_a_minute(name: str, devices: str) -> float:
    """Say at the end that it has come; what is compiled is the name of a file here."""
    Path(name).with_suffix(".begun").touch()
    sleep(60)
    Path(name).with_suffix(".ended").touch()
    return 0.0


def test_an_interrupt_ends_all_processes(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C waits for nothing that is being compiled."""
    shop = tmp_path / "shop.csv"
    shop.write_text("3,2\n1,4\n")

    def interrupted(jobs: Any) -> Any:
        while not shop.with_suffix(".begun").exists():
            sleep(0.05)
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_compile", take_a_minute)
    monkeypatch.setattr(module, "as_completed", interrupted)
    assert run(["compile", str(shop), "--devices", "cpu:1"]) == 130
    assert not shop.with_suffix(".ended").exists()
    assert "interrupted" in capfd.readouterr().err
