"""Deadlines of assignment on a GPU, by a clock that moves when the device works."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

import prunus
from prunus.assignment.gpu import instance_kernels, timing
from prunus.assignment.gpu import portfolio as portfolio_module
from prunus.assignment.gpu.portfolio import DevicePortfolio
from prunus.hardware import clock
from prunus.hardware.threads import Threads
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from tests.assignment.gpu.instances import retune
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")

LAUNCH, COPY = 5_000, 20_000
"""Nanoseconds that the host takes to launch a kernel, and to read something."""

LATE = 1_500_000
"""Nanoseconds after the limit at which an answer must be there."""


class TimedDevice(EmulatedDevice):
    """Kernels take time of their own, by a clock that they look at; the host waits when it reads.

    Attributes
    ----------
    now, busy
        Nanoseconds: the host's time, and when the device will have done all it was given.
    step
        What each look at the clock takes, about a row's work.
    slow
        Kernels that take so many times as long.
    compiling
        Nanoseconds in which kernels are compiled.
    compiled
        How often that was.
    """

    def __init__(self, step: int) -> None:
        super().__init__()
        self.step = step
        self.now = self.busy = 10**12
        self.slow: dict[str, int] = {}
        self.names: list[str] = []
        self.compiling = self.compiled = 0

    def compile(self, path: str, constants: Any) -> Any:
        """Take long."""
        with clock.paused():
            self.now += self.compiling
            self.compiled += 1
            return super().compile(path, constants)

    def seconds(self) -> float:
        """The host's clock, which always moves."""
        self.now += 200
        return self.now / 1e9

    def launch(self, kernel: Any, *rest: Any) -> None:
        """Run a kernel after all before it, while the host goes on."""
        module, name = kernel
        ticks = ctypes.c_uint64.in_dll(module, "clock_ticks")
        self.now += LAUNCH
        ticks.value = max(self.now, self.busy)
        self._step = self.step * self.slow.get(name, 1)
        super().launch(kernel, *rest)
        self.busy = ticks.value + LAUNCH
        self.names.append(name)

    def read(self, array: Any) -> Any:
        """Wait and copy."""
        self.finish()
        return super().read(array)

    def read_into(self, array: Any, values: Any) -> Any:
        """Wait and copy."""
        self.finish()
        return super().read_into(array, values)

    def finish(self) -> None:
        """Wait."""
        self.now = max(self.now, self.busy) + COPY


@pytest.fixture
def timed(monkeypatch):
    """Make a device whose clock is everybody's."""

    def make(step: int) -> TimedDevice:
        device = TimedDevice(step)
        monkeypatch.setattr(clock, "perf_counter", device.seconds)
        retune(monkeypatch, threads=64, guided_rows=50)
        timing._ANSWER_SECONDS.clear()
        return device

    return make


def random_matrix(kind: str, n: int) -> prunus.Assignment:
    """Distances, of which all rows want the same few, or values that are all different."""
    rng = np.random.default_rng(1)
    if kind == "uniform":
        return prunus.Assignment(rng.integers(0, 10**6, (n, n)).astype(np.float32), maximize=True)
    points = rng.random((n, 2))
    matrix = np.rint(1000 * np.sqrt(((points[:, None] - points) ** 2).sum(axis=2)))
    return prunus.Assignment(matrix.astype(np.float32), maximize=True)


def solve(problem: prunus.Assignment, device: TimedDevice, limit: float, method: str) -> Any:
    """Solve; return the incumbent, the portfolio and the nanoseconds after the limit.

    Those of compiling apart.
    """
    found = Incumbent(None, maximise=problem.maximise)
    begun = device.now
    watch = Monitor(found, time_limit=limit)
    threads = Threads(1)
    portfolio = DevicePortfolio(problem, method, watch, (device,), threads, 0)
    portfolio.run("greedy", "sequential")
    portfolio.outcome()
    took = device.now - begun - device.compiling * device.compiled
    return found.best, portfolio, took - 1e9 * limit


@pytest.mark.parametrize("kind", ["uniform", "distances"])
@pytest.mark.parametrize("method", ["auto", "switching"])
def test_no_deadline_is_overrun(timed, kind, method):
    """Whichever step the time runs out in, the answer is there in time, with a bound that holds."""
    problem = random_matrix(kind, 100)
    wanted = prunus.solve(problem, devices="cpu").objective
    for limit in (0.0, 0.003, 0.01, 0.03, 0.08):
        device = timed(50_000)
        best, portfolio, late = solve(problem, device, limit, method)
        assert late < LATE, limit
        assert problem.evaluate(best.solution) == best.objective <= wanted
        assert portfolio.outcome().bound >= wanted


@pytest.mark.parametrize("kind", ["uniform", "distances"])
def test_compiling_takes_none_of_the_time(timed, monkeypatch, kind):
    """A first call has all of its time for solving, and no more."""
    problem = random_matrix(kind, 100)
    wanted = prunus.solve(problem, devices="cpu").objective
    for limit, proven in ((0.01, False), (0.9, True)):
        monkeypatch.setattr(instance_kernels, "_COMPILED", {})
        device = timed(1000)
        device.compiling = 10**10
        best, portfolio, late = solve(problem, device, limit, "auto")
        assert device.compiled >= 1
        assert late < LATE
        assert "unplaced" not in portfolio.outcome().statistics
        assert best.objective > 0.95 * wanted
        if proven:
            assert best.objective == wanted
            assert portfolio.outcome().complete
            # What looks the matrix over, and the kernels for short lists, or for long ones as well.
            assert device.compiled == (2 if kind == "uniform" else 3)


def test_the_clock_starts_when_the_solve_does(timed):
    """What the device has still to do when it is told of the limit counts as well."""
    problem = random_matrix("distances", 120)
    device = timed(50_000)
    device.busy = device.now + 5_000_000
    _, _, late = solve(problem, device, 0.02, "auto")
    assert late < LATE


def test_a_sample_that_takes_for_ever_leaves_time_for_a_start(timed):
    """The sample's auction gets a part of the time: every row gets a column by its value."""
    problem = random_matrix("distances", 120)
    device = timed(5_000)
    device.slow["auction"] = 500
    best, portfolio, late = solve(problem, device, 0.05, "switching")
    assert "price_columns_from_sample" in device.names
    assert "unplaced" not in portfolio.outcome().statistics
    assert late < LATE
    wanted = prunus.solve(problem, devices="cpu").objective
    assert best.objective > 0.95 * wanted


def test_lists_leave_time_for_a_start(timed):
    """Where there is no time for all lists, some rows have none, and get columns all the same."""
    problem = random_matrix("uniform", 120)
    device = timed(20_000)
    device.slow["fill_lists"] = 20
    _, portfolio, late = solve(problem, device, 0.015, "switching")
    assert portfolio.outcome().statistics.get("unplaced", 0) == 0
    assert late < LATE
    # Rows without a list cost the bound no more than they can.
    instance = portfolio._instance
    missed = instance.read("list_length") == 0
    assert 0 < missed.sum() < 120
    matrix = problem.matrix.astype(np.float64)
    most = np.where(missed, matrix.max(), matrix.max(axis=1)).sum()
    assert prunus.solve(problem, devices="cpu").objective <= portfolio.outcome().bound <= most


@pytest.mark.parametrize("limit", [None, 1e12, 1e300])
def test_with_time_enough_every_row_has_its_list(timed, limit):
    """With nothing but a stopping criterion, or limits beyond all clocks, no list is left out."""
    problem = random_matrix("uniform", 120)
    device = timed(1000)
    watch = Monitor(Incumbent(None, maximise=True), time_limit=limit, stop=lambda _: False)
    threads = Threads(1)
    portfolio = DevicePortfolio(problem, "switching", watch, (device,), threads, 0)
    portfolio.run("greedy", "sequential")
    assert (portfolio._instance.read("list_length") > 0).all()


def test_answers_in_between_take_a_tenth_of_the_time(timed, monkeypatch):
    """Long before the first scale of raising prices ends there are answers, but not too many."""
    device = timed(1000)
    took = []

    class Endless:
        """Raises nothing, for 50 ms."""

        complete, finished, phases, column = True, False, 0, None

        def __init__(self, *_: Any, **__: Any) -> None:
            self.begun = device.now

        def steps(self) -> Any:
            while device.now < self.begun + 50_000_000:
                device.now += 200_000
                before = device.now
                yield "cost scaling"
                took.append(device.now - before)

    monkeypatch.setattr(portfolio_module, "CostScaling", Endless)
    _, portfolio, _ = solve(random_matrix("distances", 120), device, 10.0, "auto")
    assert not portfolio.outcome().complete
    answers = [time for time in took if time > COPY]
    assert took[0] in answers
    assert len(answers) > 3
    assert sum(answers) < 0.12 * (50_000_000 + sum(took))
