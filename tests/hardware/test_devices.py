"""Devices are what the words say, and are refused before any work is done on others."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

import prunus
from prunus.errors import DeviceError, InputError, MissingExtraError
from prunus.hardware import devices
from prunus.hardware.devices import Devices, available_cores, first_gpu, parse_devices
from prunus.model.problem import Problem


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("auto", Devices(available_cores(), automatic=True)),
        ("cpu", Devices(available_cores())),
        ("CPU:3", Devices(3)),
        ("cuda", Devices(0, (0,))),
        ("cuda:1, cuda:0", Devices(0, (1, 0))),
        (["cpu:2", "cuda:0"], Devices(2, (0,))),
    ],
)
def test_words(words: str | list[str], meant: Devices) -> None:
    """Each way to name devices is understood."""
    assert parse_devices(words) == meant


@pytest.mark.parametrize(
    "words", ["", "gpu", "cpu:0", "cpu:x", "cpu:9999", "cpu,cpu:2", "cuda:0,cuda:0", "cuda:-1"]
)
def test_what_is_no_device(words: str) -> None:
    """Everything else is refused."""
    with pytest.raises(InputError, match="devices"):
        parse_devices(words)


def test_a_gpu_that_is_not_there_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    """No first incumbent is sought and no checkpoint is begun for a GPU that cannot be used."""

    def absent(index: int) -> NoReturn:
        raise DeviceError(f"there is no GPU cuda:{index}")

    monkeypatch.setitem(sys.modules, "prunus.hardware.cuda", SimpleNamespace(CudaDevice=absent))
    found: list[object] = []
    path = f"{tmp_path}/run.ckpt"
    with pytest.raises(DeviceError, match="cuda:7"):
        prunus.solve(
            prunus.read("ta051"),
            devices="cpu:1,cuda:7",
            checkpoint=path,
            on_incumbent=lambda *incumbent: found.append(incumbent),
        )
    assert found == []
    prunus.solve(prunus.NQueens(5), checkpoint=path)
    with pytest.raises(DeviceError, match="cuda:7"):
        prunus.resume(path, devices="cuda:7")


@pytest.mark.parametrize(
    ("problem", "options"),
    [
        (prunus.Knapsack([3, 4], [2, 3], 4), {}),
        (prunus.Knapsack([3], [2], 4), {}),
        (prunus.SubsetSum([3, 5, 9], 8), {}),
        (prunus.SubsetSum([3, 5], 0), {}),
        (prunus.Assignment([[1, 2], [3, 4]]), {}),
        (prunus.Assignment([[]]), {}),
        (prunus.NQueens(1), {}),
        (prunus.FlowShop([[1, 2]]), {}),
        (prunus.ATSP([[0]]), {"method": "interval"}),
    ],
    ids=repr,
)
def test_a_gpu_is_refused_by_the_smallest_instances_too(
    monkeypatch: pytest.MonkeyPatch, problem: Problem, options: dict[str, Any]
) -> None:
    """What cores would solve before a GPU is opened does not make one that is named optional."""
    monkeypatch.setattr(devices, "_USABLE", set())
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(MissingExtraError, match="cuda13"):
        prunus.solve(problem, devices="cuda:0", **options)


def test_the_warning_does_not_advise_what_is_done_already(monkeypatch: pytest.MonkeyPatch) -> None:
    """An automatic choice says why it takes the CPU; the error's advice to do so is left out."""
    monkeypatch.setattr("prunus.hardware.devices.find_spec", lambda name: object())

    def absent() -> NoReturn:
        raise DeviceError("this machine has no GPU; search on the CPU")

    with pytest.warns(UserWarning, match="^searching on the CPU: this machine has no GPU$"):
        assert first_gpu(absent, "searching") is None
