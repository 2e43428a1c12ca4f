"""When a problem of the host's memory goes to a GPU without being sent there."""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np
import pytest

import prunus
from prunus.assignment import solver
from prunus.assignment.gpu import device_choice, placement, stack
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


def test_the_size_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large matrices and stacks go to the first GPU, small ones never, however many there are.

    Where the user names cores nothing is asked.
    """
    monkeypatch.setattr(placement, "needed", lambda problem: 1)
    card = SimpleNamespace(free_memory=lambda: 2)
    monkeypatch.setattr(device_choice, "_gpu", cache(lambda index: card))
    monkeypatch.setattr(device_choice, "first_gpu", lambda make, doing: make())
    for cores in (2, 16):
        automatic = Devices(cores, automatic=True)
        for large in (problem(10_000), problem(300, batch=1000)):
            assert device_choice.chosen_devices(large, automatic) == (card,)
            assert device_choice.chosen_devices(large, Devices(cores)) == ()
        for _ in range(100):
            for small in (problem(3000), problem(10, batch=50)):
                assert device_choice.chosen_devices(small, automatic) == ()


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_a_gpu_that_fails_on_a_stack_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """An automatic choice goes on on cores, and says so; who names the GPU gets the error."""
    problems = prunus.Assignment(np.random.default_rng(0).random((3, 4, 4)))

    def fails(*_: object) -> NoReturn:
        raise DeviceError("cuda:0 has too little free memory")

    monkeypatch.setattr(solver, "chosen_devices", lambda problem, devices: (EmulatedDevice(),))
    monkeypatch.setattr(stack, "solve_stacked_on", fails)
    with pytest.warns(UserWarning, match="solving on the CPU: cuda:0 has too little"):
        assert prunus.solve(problems).status.name == "OPTIMAL"
    monkeypatch.setattr("prunus.hardware.devices.open_gpu", lambda index: None)
    with pytest.raises(DeviceError, match="too little"):
        prunus.solve(problems, devices="cuda:0")


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
@pytest.mark.parametrize("shape", [(30, 30), (30, 41), (4, 6, 6)])
def test_an_automatic_choice_solves_large_problems_on_the_gpu(
    monkeypatch: pytest.MonkeyPatch, shape: tuple[int, ...]
) -> None:
    """A matrix, a rectangle and a stack: on the GPU from a size on, the optimum of cores."""
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
    for least, where in ((2**20, "cpu"), (1, "cuda:0")):
        monkeypatch.setattr(device_choice, "_MATRIX", least)
        monkeypatch.setattr(device_choice, "_STACK", least)
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
