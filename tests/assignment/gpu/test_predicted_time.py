"""When a problem of the host's memory goes to a GPU without being sent there."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np
import pytest

import prunus
from prunus.assignment import solver
from prunus.assignment.gpu import device_choice, predicted_time
from prunus.assignment.gpu.predicted_time import GpuStart, TimeModel
from prunus.errors import DeviceError
from prunus.hardware.devices import Devices
from tests.assignment.gpu.instances import retune
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice


def problem(n: int, batch: int | None = None) -> Any:
    """Return what is asked of a problem with a matrix or a stack, without its values."""
    matrix = SimpleNamespace(nbytes=8 * n * n * (batch or 1))
    return SimpleNamespace(
        agents=n, jobs=n, batch=batch, matrix=matrix, resident=None, arcs=None, points=None
    )


@pytest.fixture(autouse=True)
def lists(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Say that lists are compiled; return what says something else."""

    def said(answer: bool) -> None:
        monkeypatch.setattr(predicted_time, "LISTS", SimpleNamespace(is_due=lambda matrix: answer))

    said(True)
    return said


def test_starting_a_gpu_is_put_off_until_it_pays(lists: Any) -> None:
    """A huge matrix goes there at once, a large one when many like it have been solved."""
    assert GpuStart().is_due(problem(40_000), 2, started=False)
    start = GpuStart()
    calls = 1
    while not start.is_due(problem(5000), 2, started=False):
        calls += 1
    assert calls > 1
    assert start.lost_s >= 1.0
    assert start.is_due(problem(5000), 2, started=False)
    lists(False)
    assert GpuStart().is_due(problem(10_000), 2, started=False)


def test_a_gpu_in_use_takes_what_it_solves_sooner() -> None:
    """Large matrices and stacks do not wait any more; small ones stay on cores, however many."""
    start = GpuStart()
    assert start.is_due(problem(5000), 2, started=True)
    assert start.is_due(problem(300, batch=208), 2, started=True)
    for cores in (2, 16):
        assert start.is_due(problem(1000), cores, started=True)
    for _ in range(1000):
        assert not start.is_due(problem(500), 2, started=True)
        assert not start.is_due(problem(10, batch=50), 2, started=False)
    assert start.lost_s == 0.0


def test_only_an_automatic_choice_predicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the user names cores nothing is asked; where nobody does, a first GPU is opened."""
    monkeypatch.setattr(device_choice, "GPU_START", GpuStart())
    monkeypatch.setattr(device_choice, "needed", lambda problem: 1)
    card = SimpleNamespace(free_memory=lambda: 2)
    monkeypatch.setattr(device_choice, "_gpu", cache(lambda index: card))
    monkeypatch.setattr(device_choice, "first_gpu", lambda make, doing: make())
    huge, large = problem(40_000), problem(5000)
    automatic = Devices(2, automatic=True)
    assert device_choice.chosen_devices(large, automatic) == ()
    assert device_choice.chosen_devices(huge, Devices(2)) == ()
    assert device_choice.chosen_devices(huge, automatic) == (card,)
    assert device_choice.chosen_devices(large, automatic) == (card,)


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_a_gpu_that_fails_on_a_stack_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """An automatic choice goes on on cores, and says so; who names the GPU gets the error."""
    stack = prunus.Assignment(np.random.default_rng(0).random((3, 4, 4)))

    def fails(*_: object) -> NoReturn:
        raise DeviceError("cuda:0 has too little free memory")

    monkeypatch.setattr(solver, "chosen_devices", lambda problem, devices: (EmulatedDevice(),))
    monkeypatch.setattr(solver, "solve_stacked_on", fails)
    with pytest.warns(UserWarning, match="solving on the CPU: cuda:0 has too little"):
        assert prunus.solve(stack).status.name == "OPTIMAL"
    monkeypatch.setattr("prunus.hardware.devices.open_gpu", lambda index: None)
    with pytest.raises(DeviceError, match="too little"):
        prunus.solve(stack, devices="cuda:0")


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
@pytest.mark.parametrize("shape", [(30, 30), (30, 41), (4, 6, 6)])
def test_an_automatic_choice_solves_on_the_gpu_that_it_predicts(
    monkeypatch: pytest.MonkeyPatch, shape: tuple[int, ...]
) -> None:
    """A matrix, a rectangle and a stack: there where that is sooner, the optimum of cores."""
    values = np.random.default_rng(2).integers(0, 99, shape)
    problem = prunus.Assignment(values)
    wanted = prunus.solve(problem, devices="cpu").objective
    opened = []

    def opens(index: int) -> EmulatedDevice:
        opened.append(index)
        return EmulatedDevice()

    monkeypatch.setattr(device_choice, "_gpu", cache(opens))
    monkeypatch.setattr("prunus.hardware.devices.find_spec", lambda name: name)
    retune(monkeypatch, threads=64, scaling_slice_ns=1000, auction_slice_ns=5000)
    slow = {"core_whole_entry": 1.0, "core_stack_entry": 1.0}
    sooner = TimeModel(gpu_matrix=0, gpu_stack=0, gpu_start=0, **slow)
    for model, where in ((TimeModel(), "cpu"), (sooner, "cuda:0")):
        monkeypatch.setattr(device_choice, "GPU_START", GpuStart(model))
        result = prunus.solve(problem)
        assert result.objective == wanted
        assert result.status.name == "OPTIMAL"
        assert [name.startswith(where) for name in result.devices] == [True]
    assert opened == [0]


def test_sparse_problems_that_name_a_gpu_are_solved_on_cores() -> None:
    """What no GPU can do is done where it can, and that is said."""
    sparse = prunus.Assignment.from_arcs(2, 2, [0, 1], [1, 0], [2, 3])
    with pytest.warns(UserWarning, match="solving on the CPU, since no GPU solves sparse"):
        assert device_choice.chosen_devices(sparse, Devices(2, gpus=(0,))) == ()
