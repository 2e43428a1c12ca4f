"""Prices that fall after an auction, and lists at these prices, against whole rows."""

from __future__ import annotations

import math

import numpy as np
import pytest

import prunus
from prunus.assignment.gpu.exact import DeviceExactSolver
from prunus.assignment.gpu.host_completion import PORTION, HostCompletion
from prunus.assignment.gpu.instance import LIST
from tests.assignment.gpu.instances import maximised, put, retune, solve
from tests.assignment.gpu.records import Records
from tests.hardware.cuda.emulated import EmulatedDevice


def after_auction(device, values, monkeypatch, free):
    """Bid until a part of the rows is left; prices fall by lists, or not at all."""
    retune(monkeypatch, left_to_host=free, easy_bids=math.inf)
    price = np.int64 if values.dtype == np.int64 else np.float64
    instance, benefits = put(device, values, maximise=True, price=price)
    solver = DeviceExactSolver(instance, maximised(values), left=math.inf)
    monkeypatch.setattr(DeviceExactSolver, "_complete_on_host", lambda self: iter(("end",)))
    assert "end" in solver.steps()
    monkeypatch.setattr(HostCompletion, "_lower_by_rows", None)
    return instance, solver, benefits


def record(host, i, kind):
    """Return threshold, columns and values of a row's record."""
    price = np.int64 if kind == np.int64 else np.float64
    ranked = Records(len(host.column), kind, price, host._memory)
    (threshold,), (length,) = ranked.head(i)
    columns, values = [], []
    for first in range(0, length, PORTION):
        _, some, worth = ranked.portion(i, first)
        held = min(PORTION, length - first)
        columns += some[:held].tolist()
        values += worth[:held].tolist()
    return threshold, columns, values


def values_of(kind, rows, seed=3):
    """Random numbers, or in whole types a permutation of them in each row."""
    rng = np.random.default_rng(seed)
    if np.dtype(kind).kind == "f":
        return rng.random((rows, rows)).astype(kind)
    return 10 * rng.permuted(np.tile(np.arange(rows, dtype=kind), (rows, 1)), axis=1)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, np.int64])
@pytest.mark.parametrize("free", [0.01, 0.2])
def test_prices_and_lists_are_those_that_whole_rows_give(device, monkeypatch, kind, free):
    """Also of columns without a row; no column outside a list is worth more than its threshold."""
    rows = 150
    values = values_of(kind, rows)
    instance, solver, benefits = after_auction(device, values, monkeypatch, free)
    before = instance.read("price")
    net = benefits - before
    best = net.max(axis=1)
    # Thresholds that are only just right.
    listed, lengths = instance.read("list_columns"), instance.read("list_length")
    for row, columns, length in zip(net, listed.reshape(rows, LIST), lengths, strict=True):
        row[columns[:length]] = -(2**60)
    instance.write("threshold", net.max(axis=1))
    found = solver._lower(solver._host)
    device.finish()
    assert not found["status"]["pending"][0]
    assert found["best_value"] == pytest.approx(best, rel=1e-12)
    wanted = (benefits - best[:, None]).max(axis=0)
    assert (found["price"] == wanted).all()
    assert (found["price"] <= before).all()
    own = np.flatnonzero(found["column"] >= 0)
    assert (found["row_benefit"][own] == benefits[own, found["column"][own]]).all()
    net = benefits - wanted
    for i in range(rows):
        threshold, columns, worth = record(solver._host, i, kind)
        assert worth == values[i, columns].tolist()
        assert np.dtype(kind).kind == "f" or threshold == np.floor(threshold)
        assert (np.diff(net[i, columns]) <= 0).all()
        assert found["best_value"][i] == net[i, columns[0]] == net[i].max()
        assert net[i, columns].min() >= threshold
        assert np.delete(net[i], columns).max() <= threshold + 1e-12
        # What an auction leaves, a card decides anew in every run.
        assert len(columns) >= PORTION or free > 0.1 or not isinstance(device, EmulatedDevice)


def test_lists_that_tell_too_little_are_made_anew(device, monkeypatch):
    """Half of the rows have lists of which prices have left one candidate."""
    values = values_of(np.float32, 150)
    instance, solver, benefits = after_auction(device, values, monkeypatch, 0.01)
    prices = instance.read("price")
    best = (benefits - prices).max(axis=1)
    threshold = instance.read("threshold")
    threshold[::2] = best[::2] - 1e-7
    instance.write("threshold", threshold)
    scans = instance.counters()["row_scans"]
    found = solver._lower(solver._host)
    device.finish()
    assert instance.counters()["row_scans"] == scans + 75
    assert (found["price"] == (benefits - best[:, None]).max(axis=0)).all()
    lengths = [len(record(solver._host, i, np.float32)[1]) for i in range(150)]
    assert min(lengths) >= (PORTION if isinstance(device, EmulatedDevice) else 2)


def test_where_lists_do_not_tell_whole_rows_do(device, monkeypatch):
    """More columns than a list holds are worth the same: prices from lists are not used."""
    calls = []

    def note(name):
        before = getattr(HostCompletion, name)

        def noted(self, *rest):
            found = before(self, *rest)
            calls.append((name, found["status"]["pending"][0] == 0))
            return found

        monkeypatch.setattr(HostCompletion, name, noted)

    note("_lower_by_lists")
    note("_lower_by_rows")
    retune(monkeypatch, easy_bids=math.inf)
    values = np.random.default_rng(0).integers(0, 2, (150, 150)).astype(np.float32)
    values[:, :100] = 1
    for near, wanted in (
        (math.inf, ["_lower_by_lists", "_lower_by_rows"]),
        (8.0, ["_lower_by_rows"]),
    ):
        retune(monkeypatch, near_best=near)
        calls.clear()
        problem = prunus.Assignment(values, maximize=True)
        solution, outcome = solve(problem, device, "exact")
        assert outcome.complete
        assert problem.evaluate(solution) == 150
        # Again where the slice of the last phase was too short.
        assert [name for name, _ in calls] == wanted * (len(calls) // len(wanted))
        assert not any(good for name, good in calls if name == "_lower_by_lists")
    calls.clear()
    problem = prunus.Assignment(values_of(np.float32, 90), maximize=True)
    solution, outcome = solve(problem, device, "exact")
    assert calls == [("_lower_by_lists", True)]
    assert outcome.complete
    wanted = prunus.solve(problem, devices="cpu").objective
    assert problem.evaluate(solution) == pytest.approx(wanted, rel=1e-12)
