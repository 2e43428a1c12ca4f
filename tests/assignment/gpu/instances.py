"""Instances on a device, and solves on it, for the tests of assignment on GPUs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import prunus
from prunus.assignment.gpu import tuning
from prunus.assignment.gpu.instance import DeviceInstance
from prunus.assignment.gpu.portfolio import DevicePortfolio, Verdict
from prunus.assignment.gpu.value_source import ValueSource
from prunus.assignment.instance.prepared import prepare
from prunus.hardware.threads import Threads
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor


def retune(monkeypatch, **values):
    """Solve with other numbers than the default ones."""
    monkeypatch.setattr(tuning, "DEFAULT_TUNING", replace(tuning.DEFAULT_TUNING, **values))


def put(device, matrix, maximise, price=np.float64):
    """A instance for a matrix, and its benefits."""
    rows, columns = matrix.shape
    held = device.put(matrix)
    source = ValueSource(
        rows, columns, held, columns, None, None, -1, matrix.dtype, np.dtype(price),
        1 if maximise else -1,
    )  # fmt: skip
    instance = DeviceInstance(device, source)
    instance.held = held  # type: ignore[attr-defined]
    instance.run("start_deadline")
    return instance, (matrix if maximise else -matrix).astype(price)


def maximised(matrix):
    """What a solver is told of a matrix that is maximised."""
    return prepare(prunus.Assignment(matrix, maximize=True), Threads(1)).facts


def random_matrix(kind, rows, columns, seed=0):
    """Whole numbers: uniform, distances, or few different ones."""
    rng = np.random.default_rng(seed)
    if kind == "distances":
        left = rng.random((rows, 2))
        right = left if rows == columns else rng.random((columns, 2))
        return np.rint(1000 * np.sqrt(((left[:, None] - right) ** 2).sum(axis=2)))
    return rng.integers(0, 1000 if kind == "uniform" else 3, (rows, columns)).astype(float)


KINDS = ("uniform", "distances", "ties")


def is_assignment(instance, benefits):
    """Check columns, owners and worths against one another; return the total."""
    column, owner, worth = (instance.read(name) for name in ("column", "owner", "row_benefit"))
    rows = np.arange(len(column))
    assert len(set(column.tolist())) == len(column)
    assert (owner[column] == rows).all()
    assert (worth == benefits[rows, column]).all()
    return benefits[rows, column].sum()


def solve(problem, device, method="auto", *, limit=None, start="greedy", order="sequential"):
    """Solve on the device; return the solution and the outcome."""
    incumbent = Incumbent(None, maximise=problem.maximise)
    monitor = Monitor(incumbent, time_limit=limit)
    threads = Threads(1)
    portfolio = DevicePortfolio(problem, method, monitor, (device,), threads, 0)
    verdict = portfolio.run(start, order)
    outcome = portfolio.outcome()
    if incumbent.best is None:
        assert verdict is Verdict.LEFT_TO_CPU or outcome.complete
        return None, outcome
    assert problem.evaluate(incumbent.best.solution) == incumbent.best.objective
    return incumbent.best.solution, outcome
