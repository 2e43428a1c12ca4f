"""Stacks on a GPU against the CPU."""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from prunus.assignment.gpu import stack as stack_module
from prunus.assignment.gpu.stack import solve_stacked_on
from prunus.hardware.threads import Threads
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from tests.hardware.cuda.emulated import EmulatedDevice


def test_stacks_are_solved_as_on_the_cpu(device):
    """Floats, integers of all sizes, forbidden pairs, wide and tall: the same optima, proven."""
    rng = np.random.default_rng(0)
    for shape in ((5, 6, 6), (4, 3, 7), (4, 7, 3), (2, 40, 70), (2, 1, 1)):
        for high in (50, 2**50):
            for maximise in (False, True):
                matrix = rng.integers(-high, high, shape)
                check_stack(device, prunus.Assignment(matrix, maximize=maximise))
        for forbidden in (0.0, 0.3):
            values = rng.random(shape)
            values[rng.random(shape) < forbidden] = np.inf
            check_stack(device, prunus.Assignment(values))


def test_a_large_stack_is_copied_by_threads(device, monkeypatch):
    """In half the bytes where that changes no number."""
    monkeypatch.setattr(stack_module, "_FEW_BYTES", 0)
    monkeypatch.setattr("prunus.hardware.cuda.upload._PIECE", 2048)
    rng = np.random.default_rng(1)
    for values in (rng.random((30, 6, 9)), rng.integers(0, 99, (30, 9, 6))):
        check_stack(device, prunus.Assignment(values))


def test_few_large_matrices_are_solved_one_after_the_other(device, monkeypatch):
    """Each by the method for one matrix, on the host where its sums are too large for a device."""
    monkeypatch.setattr(stack_module, "_ALONE", 0)
    monkeypatch.setattr(stack_module, "_EACH", 0)
    monkeypatch.setattr(stack_module, "stack_kernel", None)
    rng = np.random.default_rng(3)
    for values in (rng.random((3, 20, 20)), rng.integers(0, 2**61, (2, 12, 15))):
        check_stack(device, prunus.Assignment(values))
    values = np.full((2, 3, 3), np.inf)
    values[0] = 1
    check_stack(device, prunus.Assignment(values))


def check_stack(device, problem):
    """Solve a stack on the device and on the CPU."""
    wanted = prunus.solve(problem, devices="cpu")
    incumbent = Incumbent(None, maximise=problem.maximise)
    outcome = solve_stacked_on(device, problem, Monitor(incumbent), Threads(2))
    assert outcome.complete
    if wanted.objective is None:
        assert incumbent.best is None
        assert outcome.bound is None
        return
    assert incumbent.best.objective == pytest.approx(wanted.objective, rel=1e-12)
    assert outcome.bound == incumbent.best.objective


def test_a_stack_too_wide_for_shared_memory(device):
    """Working memory moves to the device's memory where a block's own is too small."""
    if isinstance(device, EmulatedDevice):
        device.shared_limit = 2048
    size = (2, 8, 100) if isinstance(device, EmulatedDevice) else (3, 30, 12_000)
    check_stack(device, prunus.Assignment(np.random.default_rng(0).random(size)))
