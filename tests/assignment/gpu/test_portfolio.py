"""Whole solves on a GPU against the CPU.

Each test runs on the emulated device (the kernels themselves, lane by lane on the processor) and,
marked ``gpu``, on the first GPU.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import prunus
from prunus.assignment import solver
from prunus.assignment.certificate import Certificate
from prunus.assignment.gpu import portfolio as portfolio_module
from prunus.assignment.gpu.placement import place
from prunus.assignment.gpu.portfolio import DevicePortfolio, Verdict
from prunus.assignment.gpu.sampled_duals import SampledDuals
from prunus.errors import DeviceError, InputError
from prunus.hardware.threads import Threads
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from tests.assignment.gpu.instances import maximised, put, random_matrix, retune, solve
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice


def test_a_sample_prices_columns_that_all_rows_want(device, monkeypatch):
    """Distances to be maximised are contested; prices of a sample bound them far better."""
    retune(monkeypatch, guided_rows=50)
    points = np.random.default_rng(1).random((64, 2))
    matrix = np.rint(1000 * np.sqrt(((points[:, None] - points) ** 2).sum(axis=2)))
    instance, benefits = put(device, matrix.astype(np.float32), maximise=True)
    other, _ = put(device, random_matrix("uniform", 64, 64).astype(np.float32), maximise=True)
    uncontested = SampledDuals(other, np.random.default_rng(0))
    uncontested.ask(64)
    assert not uncontested.contested()
    sampled = SampledDuals(instance, np.random.default_rng(0))
    sampled.ask(64)
    assert sampled.contested()
    sampled.price_columns(maximised(matrix))
    prices = instance.read("price")
    assert (prices == np.rint(prices)).all()
    wanted = prunus.solve(prunus.Assignment(matrix, maximize=True), devices="cpu").objective
    bound = prices.sum() + (benefits - prices).max(axis=1).sum()
    assert wanted <= bound <= 1.1 * wanted
    assert benefits.max(axis=1).sum() > 1.2 * wanted
    problem = prunus.Assignment(matrix, maximize=True)
    for method in ("switching", "exact"):
        solution, outcome = solve(problem, device, method)
        assert outcome.bound <= 1.1 * wanted
        assert problem.evaluate(solution) >= 0.98 * wanted
    assert outcome.complete
    assert problem.evaluate(solution) == wanted


@pytest.mark.parametrize("order", ["parallel", "largest"])
def test_a_sample_does_not_decide_what_published_orders_find(device, monkeypatch, order):
    """From a random start they end alike whatever prices a sample gives, and those bound them."""
    retune(monkeypatch, guided_rows=50)
    points = np.random.default_rng(1).random((64, 2))
    matrix = np.rint(1000 * np.sqrt(((points[:, None] - points) ** 2).sum(axis=2)))
    problem = prunus.Assignment(matrix, maximize=True)
    rng, price = np.random.default_rng(), SampledDuals.price_columns

    def other_prices(self, *args):
        price(self, *args)
        prices = self._instance.read("price")
        self._instance.write("price", prices + rng.integers(0, 200, len(prices)))

    found = solve(problem, device, "switching", start="random", order=order)
    monkeypatch.setattr(SampledDuals, "price_columns", other_prices)
    again = solve(problem, device, "switching", start="random", order=order)
    assert (found[0] == again[0]).all()
    assert found[1].bound <= 1.1 * problem.evaluate(found[0])


def problems():
    """Problems of all forms that a GPU solves."""
    rng = np.random.default_rng(4)
    points = rng.random((48, 2))
    yield prunus.Assignment(rng.integers(0, 10_000, (61, 61)))
    yield prunus.Assignment(rng.integers(0, 5, (40, 40)), maximize=True)
    yield prunus.Assignment(rng.random((50, 50)).astype(np.float32), maximize=True)
    yield prunus.Assignment(rng.random((40, 40)) - 0.5)
    yield prunus.Assignment(rng.integers(-(2**48), 2**48, (40, 40)))
    yield prunus.Assignment.from_points(points, maximize=True)
    yield prunus.Assignment.from_points(points, rng.random((48, 2)), metric="cityblock")
    yield prunus.Assignment([[3, 1], [2, 5]])


SOME = {0, 5, 7}


@pytest.mark.parametrize(
    "k", [k if k in SOME else pytest.param(k, marks=pytest.mark.slow) for k in range(8)]
)
def test_optima_are_those_of_the_cpu(device, k):
    """Exact, with and without a deadline, and by the plain auction: the optimum, and its proof."""
    problem = list(problems())[k]
    wanted = prunus.solve(problem, devices="cpu").objective
    for method, limit in (("exact", None), ("auto", 600.0)):
        solution, outcome = solve(problem, device, method, limit=limit)
        assert problem.evaluate(solution) == pytest.approx(wanted, rel=1e-12)
        assert outcome.complete
        assert outcome.bound == problem.evaluate(solution)
    if k < 2:
        solution, outcome = solve(problem, device, "auction")
        assert outcome.complete
        assert problem.evaluate(solution) == wanted


@pytest.mark.parametrize("maximise", [False, True])
def test_the_proof_of_large_whole_numbers_is_complete(device, maximise):
    """Sums of 129 numbers in ±10^12 are exact in floats: the bound needs no slack for rounding."""
    values = np.random.default_rng(129).integers(-(10**12), 10**12, (129, 129))
    problem = prunus.Assignment(values, maximize=maximise)
    solution, outcome = solve(problem, device, "exact")
    assert outcome.complete
    assert outcome.bound == problem.evaluate(solution)


def test_what_is_not_proven_on_a_gpu_is_left_to_the_cpu(device, monkeypatch):
    """Without a limit no answer is merely feasible: cores go on where the proof has a gap."""
    problem = prunus.Assignment(np.random.default_rng(1).random((40, 40)))
    monkeypatch.setattr(Certificate, "improve_bound", lambda self, *proof: None)
    incumbent = Incumbent(None)
    portfolio = DevicePortfolio(problem, "exact", Monitor(incumbent), (device,), Threads(1), 0)
    assert portfolio.run("greedy", "sequential") is Verdict.LEFT_TO_CPU


@pytest.mark.parametrize("shape", [(20, 33), (33, 20)])
def test_more_of_one_side_than_of_the_other(device, shape):
    """Switching works, with a bound; the exact method finds the optimum."""
    problem = prunus.Assignment(np.random.default_rng(3).integers(0, 99, shape))
    wanted = prunus.solve(problem, devices="cpu").objective
    solution, outcome = solve(problem, device, "switching")
    assert outcome.bound <= wanted <= problem.evaluate(solution)
    solution, outcome = solve(problem, device, "exact")
    assert outcome.complete
    assert problem.evaluate(solution) == wanted


@pytest.mark.parametrize("read", [False, True])
def test_no_time_at_all_leaves_an_assignment_and_a_bound(device, read, monkeypatch):
    """At a deadline of 0 there is a valid assignment all the same, the matrix read or not."""
    if read:
        monkeypatch.setattr(portfolio_module, "pausing", lambda monitor: None)
    problem = prunus.Assignment(np.random.default_rng(2).random((80, 80)))
    solution, outcome = solve(problem, device, "switching", limit=0.0)
    assert outcome.bound <= problem.evaluate(solution)
    assert not outcome.complete


def test_what_a_gpu_does_not_solve():
    """Sparse problems, several GPUs, a plain auction on the CPU: one sentence each."""
    sparse = prunus.Assignment.from_arcs(2, 2, [0, 1], [1, 0], [3, 4])
    small = prunus.Assignment(np.eye(3))
    with pytest.raises(InputError, match="devices='cuda:0'"):
        prunus.solve(small, method="auction", devices="cpu")
    with pytest.raises(InputError, match="leave it out"):
        prunus.solve(sparse, method="auction")


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_what_a_gpu_leaves_to_the_cpu_is_said(monkeypatch):
    """Who names a GPU is told why the optimum comes from the CPU; the result says so, too."""
    devices = (EmulatedDevice(),)
    monkeypatch.setattr(solver, "chosen_devices", lambda problem, wanted: devices)
    monkeypatch.setattr("prunus.hardware.devices.open_gpu", lambda index: devices[0])
    huge = prunus.Assignment([[2**62, -(2**62)], [5, 2**61]])
    with pytest.warns(UserWarning, match="on the CPU, since its sums do not fit into 64 bits"):
        result = prunus.solve(huge, devices="cuda:0")
    assert result.objective == 5 - 2**62
    forbidden = prunus.Assignment([[1, np.inf], [2, 3]])
    with pytest.warns(UserWarning, match="on the CPU, since .* a time limit"):
        result = prunus.solve(forbidden, devices="cuda:0", time_limit=60)
    assert result.status.name == "OPTIMAL"
    assert result.devices[0].startswith("cpu:")


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_values_that_rounding_would_hide_are_left_to_the_cpu(monkeypatch):
    """Small values decide, large ones set the precision: no optimum is claimed that is none."""
    monkeypatch.setattr(solver, "chosen_devices", lambda problem, wanted: (EmulatedDevice(),))
    monkeypatch.setattr("prunus.hardware.devices.open_gpu", lambda index: EmulatedDevice())
    values = np.exp(8 * np.random.default_rng(4003).standard_normal((40, 40)))
    rows, columns = linear_sum_assignment(values)
    with pytest.warns(UserWarning, match="on the CPU, since rounding"):
        result = prunus.solve(prunus.Assignment(values), devices="cuda:0")
    assert result.status == "optimal"
    assert result.objective == pytest.approx(values[rows, columns].sum(), rel=1e-12)
    values = np.random.default_rng(1).random((40, 40))
    assert prunus.solve(prunus.Assignment(values), devices="cuda:0").devices == ("cuda:0",)


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_too_little_memory_is_one_sentence(monkeypatch):
    """A matrix that does not fit is refused before it is copied; an automatic choice moves on."""
    device = EmulatedDevice()
    device.free_memory = lambda: 1000
    problem = prunus.Assignment(np.eye(30))
    with pytest.raises(DeviceError, match="give points instead of a matrix"):
        solve(problem, device)
    monkeypatch.setattr(solver, "chosen_devices", lambda problem, devices: (device,))
    with pytest.warns(UserWarning, match=r"solving on the CPU: .* GiB free"):
        assert prunus.solve(problem).objective == 0


@pytest.mark.parametrize("method", ["auto", "exact", "auction", "switching"])
@pytest.mark.parametrize("shape", [(4, 4), (2, 5), (5, 2)])
def test_equal_values_end_at_once(device, method, shape):
    """Steps of prices would be lost among the digits of the prices, and bids never end."""
    for values in (np.full(shape, 7.0), np.full(shape, 7), np.zeros(shape), np.full(shape, 0.1)):
        for maximise in (False, True):
            problem = prunus.Assignment(values, maximize=maximise)
            if method == "auction" and shape[0] != shape[1]:
                continue
            solution, outcome = solve(problem, device, method)
            assert outcome.complete
            assert problem.evaluate(solution) == outcome.bound
            assert (outcome.duals.agents[:, None] + outcome.duals.jobs == values).all()


def test_floats_of_more_digits_than_theirs_are_no_whole_numbers(device):
    """All of them are whole; but prices that rise by what rounding leaves would rise for ever."""
    for large, whole in ((1e16, False), (1e12, True)):
        values = np.random.default_rng(1).choice([large, 1.0, 2.0, 3.0], (6, 6))
        problem = prunus.Assignment(values)
        facts = place(problem, (device,), Threads(1), lambda: None)[2]()
        assert facts.integral is whole
        outcome = solve(problem, device, "exact")[1]
        assert outcome.complete is whole  # else it is left to cores
