"""The whole solver with a card: the core's lists, and tables that fit once but not twice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from prunus import Knapsack
from prunus.errors import DeviceError
from prunus.knapsack import core_stage, dense_stage
from prunus.knapsack.solve_state import SolveState
from prunus.knapsack.tuning import DEFAULT, GpuCoreTuning, InPlaceTuning
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from tests.knapsack.brute import optimum
from tests.knapsack.starved import outcome_of, starved, without_shortcuts


class OneGpu:
    """Offers one card, whatever the work is worth."""

    asked = True

    def __init__(self, device):
        self.device = device

    def open(self, seconds):
        """Return the card."""
        return (self.device,)

    def fails(self, error):
        """Raise the error."""
        raise error


def searched(problem, gpus, method, tuning):
    """Search with a card; return the outcome, whose items must be worth its bound."""
    monitor = Monitor(Incumbent(maximise=True))
    state = SolveState(problem, monitor, 1, 1 << 28, gpus=gpus, tuning=tuning)
    outcome = outcome_of(state, method)
    assert outcome.complete
    assert problem.evaluate(monitor.incumbent.best.solution) == outcome.bound
    return outcome


def test_long_lists_go_on_on_the_card(device, monkeypatch):
    """Once a list is long the card goes on with it, and the optimum is that of plain Python."""
    without_shortcuts(monkeypatch)
    tuning = starved(-20, 20, 20, slice_states=50)
    tuning = replace(tuning, gpu_core=GpuCoreTuning(list_states=20))
    rng = np.random.default_rng(1)
    names = set()
    for _ in range(6):
        w = rng.integers(20, 300, 40)
        p = w + 30 * rng.integers(1, 3, 40)
        problem = Knapsack(p, w, int(w.sum()) // 2)
        outcome = searched(problem, OneGpu(device), "core", tuning)
        assert outcome.bound == optimum(p.tolist(), w.tolist(), problem.capacity)
        names |= set(outcome.devices)
    assert "cuda:0" in names


class FailingGpu(OneGpu):
    """Is done without once it has failed."""

    failed = False

    def open(self, seconds):
        """Return the card until it has failed."""
        return () if self.failed else super().open(seconds)

    def fails(self, error):
        """Note it."""
        self.failed = True


def test_a_card_that_fails_leaves_its_list_to_the_cores(device, monkeypatch):
    """In the middle of a search: the optimum is found, and it is said that cores did."""
    without_shortcuts(monkeypatch)
    advances = []

    def advance(core, budget):
        advances.append(budget)
        raise DeviceError("lost")

    monkeypatch.setattr(core_stage.GpuExpandingCore, "advance", advance)
    tuning = starved(-20, 20, 20, slice_states=50)
    tuning = replace(tuning, gpu_core=GpuCoreTuning(list_states=20))
    rng = np.random.default_rng(1)
    for _ in range(6):
        w = rng.integers(20, 300, 40)
        p = w + 30 * rng.integers(1, 3, 40)
        problem = Knapsack(p, w, int(w.sum()) // 2)
        outcome = searched(problem, FailingGpu(device), "core", tuning)
        assert outcome.bound == optimum(p.tolist(), w.tolist(), problem.capacity)
        assert outcome.devices == ("cpu:1",)
    assert advances


def test_a_table_that_fits_only_once_is_changed_in_place(device, monkeypatch):
    """Where two rows do not fit in the card's memory, one array does, with its items."""
    tuning = replace(DEFAULT, in_place=InPlaceTuning(host_cells=50))
    rng = np.random.default_rng(2)
    w = rng.integers(100, 400, 30)
    p = w + rng.integers(1, 50, 30)
    problem = Knapsack(p, w, int(w.sum()) // 3)
    monkeypatch.setattr(device, "free_memory", lambda: 10 * problem.capacity)
    monkeypatch.setattr(dense_stage.GpuDense, "choose", no_memory)
    outcome = searched(problem, OneGpu(device), "dense", tuning)
    assert outcome.bound == optimum(p.tolist(), w.tolist(), problem.capacity)
    assert outcome.devices == ("cuda:0",)


def no_memory(*arguments):
    """Fail for want of memory."""
    raise MemoryError
