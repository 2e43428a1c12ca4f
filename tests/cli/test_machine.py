"""The facts of a machine are told whatever it lacks."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from prunus.cli import machine
from prunus.cli.info import as_dict


def told() -> dict[str, str | None]:
    """What people read, by its labels."""
    return {fact.label: fact.words for fact in machine.machine()}


def test_gpus_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver's tool is asked, and each GPU gets a row."""
    answer = "NVIDIA H200, 143771 MiB, 9.0, 580.1\nNVIDIA H200, 143771 MiB, 9.0, 580.1\n"

    def tool(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 0, answer, "")

    monkeypatch.setattr(machine.shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(machine.subprocess, "run", tool)
    assert told()["GPU 1"] == "NVIDIA H200, 143771 MiB, compute capability 9.0, driver 580.1"
    assert as_dict(machine.machine())["gpus"][0] == {
        "name": "NVIDIA H200",
        "memory": "143771 MiB",
        "compute_capability": "9.0",
        "driver": "580.1",
    }


def test_a_broken_driver_is_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool that fails means that no GPU was found."""

    def tool(command: list[str], **_: Any) -> None:
        raise subprocess.CalledProcessError(9, command)

    monkeypatch.setattr(machine.shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(machine.subprocess, "run", tool)
    assert told()["GPU"] == "none found"
    assert as_dict(machine.machine())["gpus"] == []


def test_a_missing_extra_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not installed is told with the command that installs it."""
    monkeypatch.setattr(machine.util, "find_spec", lambda name: None)
    rows = told()
    assert "not installed" in str(rows["[plot]"])
    assert "pip install 'prunus[NAME]'" in str(rows["to install"])
    assert set(as_dict(machine.machine())["extras"].values()) == {None}  # type: ignore[attr-defined]
