"""An random_matrix whose rows are on several GPUs against the same on one, emulated."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import prunus
from prunus.assignment import solver
from prunus.assignment.gpu import portfolio as portfolio_module
from prunus.assignment.gpu.instance import LIST, DeviceInstance
from prunus.assignment.gpu.multi_gpu import MultiDeviceInstance, shares
from prunus.assignment.gpu.placement import place
from prunus.assignment.gpu.portfolio import DevicePortfolio, Verdict
from prunus.errors import DeviceError
from prunus.hardware import clock
from prunus.hardware.threads import Threads
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from tests.assignment.gpu.instances import retune
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice

BESIDE = 256 * 12 + 64 + 40
"""What a row and a column take beside the matrix, in bytes."""

needs_compiler = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")


@pytest.fixture
def cards(monkeypatch):
    """Three emulated devices; what is on one is found at the same addresses by the others."""
    retune(monkeypatch, threads=64, scaling_slice_ns=1000)
    devices = [EmulatedDevice() for _ in range(3)]
    for index, device in enumerate(devices):
        device.index = index
    return devices


def shrink(cards, *free):
    """Let each card have so many free bytes."""
    for device, some in zip(cards, free, strict=True):
        device.free_memory = lambda some=some: some


def uniform(n, seed=0, high=1000):
    """A problem of whole numbers in float32."""
    values = np.random.default_rng(seed).integers(0, high, (n, n)).astype(np.float32)
    return prunus.Assignment(values)


def instances(problem, cards):
    """The random_matrix on one card and on all."""
    threads = Threads(1)
    (source,), _, _ = place(problem, cards[:1], threads)
    sources, firsts, facts = place(problem, cards, threads)
    one, all_ = DeviceInstance(cards[0], source), MultiDeviceInstance(cards, sources, firsts)
    for instance in (one, all_):
        instance.run("start_deadline")
    return one, all_, facts


def solve(problem, devices, method="auto", *, limit=None, start="greedy", order="sequential"):
    """Solve on some devices; return the solution, its objective and the outcome."""
    incumbent = Incumbent(None, maximise=problem.maximise)
    monitor = Monitor(incumbent, time_limit=limit)
    threads = Threads(1)
    portfolio = DevicePortfolio(problem, method, monitor, devices, threads, 0)
    assert portfolio.run(start, order) is Verdict.FINISHED
    best = incumbent.best
    assert problem.evaluate(best.solution) == best.objective
    return best.solution, best.objective, portfolio.outcome()


def in_lists(instance, i):
    """The columns in the list of a row, with their values."""
    columns, values = (
        instance.read(name).reshape(-1, LIST)[i] for name in ("list_columns", "list_values")
    )
    length = instance.read("list_length")[i]
    return sorted(zip(columns[:length].tolist(), values[:length].tolist(), strict=True))


@needs_compiler
def test_after_something_was_compiled_all_cards_know_the_time(cards, monkeypatch):
    """Before they go on: a card that thought it late would leave the lists of its rows empty."""
    now = [100.0]
    monkeypatch.setattr(clock, "perf_counter", lambda: now[0])
    _, all_, _ = instances(uniform(70), cards)
    launched = []
    for number, card in enumerate(cards):

        def launch(kernel, *rest, number=number, own=card.launch):
            launched.append((number, kernel[1]))
            own(kernel, *rest)

        monkeypatch.setattr(card, "launch", launch)
    all_.set_deadline(lambda: 5.0)
    launched.clear()
    all_.run("fill_lists")
    assert {name for _, name in launched} == {"fill_lists"}
    with clock.paused():
        now[0] += 10
    launched.clear()
    all_.run("fill_lists")
    for number in range(3):
        names = [name for card, name in launched if card == number]
        assert names == ["start_deadline", "fill_lists"]


@needs_compiler
@pytest.mark.parametrize("limited", [False, True])
def test_lists_and_bounds_are_those_of_one_card(cards, limited):
    """Lists, thresholds, bounds and lowered prices, whatever share each card has of the rows."""
    problem = uniform(70)
    if limited:
        shrink(cards, 2**30, 10 * 280 + 70 * BESIDE, 2**30)
    one, all_, _ = instances(problem, cards)
    if limited:
        assert 0 < all_._rows[1][1] - all_._rows[1][0] <= 10
    prices = np.random.default_rng(1).integers(0, 50, 70).astype(float)
    for instance in (one, all_):
        instance.write("price", prices)
        instance.write("column", np.arange(70, dtype=np.int32)[::-1])
        instance.run("fill_lists")
        instance.run("adopt_columns")
    for name in ("list_length", "threshold", "best_value", "row_benefit"):
        assert (one.read(name) == all_.read(name)).all()
    assert [in_lists(one, i) for i in range(70)] == [in_lists(all_, i) for i in range(70)]
    assert one.counters()["row_scans"] == all_.counters()["row_scans"] == 70
    for instance in (one, all_):
        instance.run("find_best_net_values")
    for name in ("best_value", "best_column"):
        assert (one.read(name) == all_.read(name)).all()
    all_.run("lower_prices")
    lowered, benefits = all_.read("price"), -problem.matrix.astype(float)
    assert (lowered <= prices).all()
    assert (lowered < prices).any()
    assert (one.read("best_value") == (benefits - prices).max(axis=1)).all()
    all_.run("find_best_net_values")
    assert all_.read("best_value").sum() == (benefits - lowered).max(axis=1).sum()


@needs_compiler
def test_published_switching_is_the_same_on_any_number_of_cards(cards):
    """Parallel and serial switching from a random start: one assignment, one bound."""
    problem = uniform(40)
    for order in ("parallel", "largest"):
        wanted, _, outcome = solve(problem, cards[:1], "switching", start="random", order=order)
        found, objective, other = solve(problem, cards, "switching", start="random", order=order)
        assert (found == wanted).all()
        assert other.bound == outcome.bound <= objective
        assert other.devices == ("cuda:0", "cuda:1", "cuda:2")


@needs_compiler
def test_optima_over_several_cards(cards, monkeypatch):
    """Matrices and points, some priced from a sample, and wide and tall ones: the CPU's optimum."""
    retune(monkeypatch, guided_rows=50)
    rng = np.random.default_rng(2)
    points = rng.random((64, 2))
    far = np.rint(1000 * np.sqrt(((points[:, None] - points) ** 2).sum(axis=2)))
    for problem in (
        uniform(60),
        prunus.Assignment((2000 - far).astype(np.float32)),
        prunus.Assignment.from_points(points, maximize=True),
    ):
        wanted = prunus.solve(problem, devices="cpu").objective
        _, objective, outcome = solve(problem, cards)
        assert objective == pytest.approx(wanted, rel=1e-12)
        assert outcome.complete
        solution, objective, outcome = solve(problem, cards, "switching")
        again, _, _ = solve(problem, cards, "switching")
        assert (solution == again).all()
        sign = 1 if problem.maximise else -1
        assert sign * objective <= sign * wanted * (1 + 1e-12) <= sign * outcome.bound * (1 + 2e-12)
    for shape in ((20, 36), (36, 20)):
        problem = prunus.Assignment(rng.integers(0, 99, shape))
        wanted = prunus.solve(problem, devices="cpu").objective
        _, objective, outcome = solve(problem, cards, "switching")
        assert outcome.bound <= wanted <= objective


@needs_compiler
def test_no_time_at_all_on_several_cards(cards, monkeypatch):
    """At a deadline of 0 there is a valid assignment with a bound all the same."""
    monkeypatch.setattr(portfolio_module, "pausing", lambda monitor: None)
    _, objective, outcome = solve(uniform(60), cards, limit=0.0)
    assert outcome.bound <= objective
    assert not outcome.complete


@needs_compiler
def test_a_matrix_larger_than_one_card(cards, monkeypatch):
    """What no card has the memory for is solved by all, and refused if that is too little."""
    problem = uniform(60)
    beside, matrix = 60 * BESIDE, 60 * 240
    shrink(cards, *[beside + matrix // 2] * 3)
    monkeypatch.setattr(solver, "chosen_devices", lambda problem, devices: tuple(cards))
    result = prunus.solve(problem)
    assert result.objective == prunus.solve(uniform(60), devices="cpu").objective
    assert result.status.name == "OPTIMAL"
    assert result.devices == ("cuda:0", "cuda:1", "cuda:2")
    shrink(cards, *[beside + matrix // 4] * 3)
    with pytest.raises(DeviceError, match=r"cuda:0, cuda:1, cuda:2 .* name more GPUs"):
        solve(problem, cards)
    shrink(cards, beside + 2 * matrix, beside - 1, beside + 2 * matrix)
    with pytest.raises(DeviceError, match="this problem takes"):
        solve(problem, cards)


@needs_compiler
def test_cards_that_cannot_read_each_other(cards):
    """A matrix is refused in one sentence; points need nothing from another card."""
    cards[1].connect = lambda other: False
    with pytest.raises(DeviceError, match="cuda:1 cannot read the memory of cuda:0"):
        solve(uniform(30), cards)
    points = np.random.default_rng(0).random((30, 2))
    problem = prunus.Assignment.from_points(points, points[::-1] + 0.1)
    assert solve(problem, cards)[2].complete


@given(rows=st.integers(1, 1000), most=st.lists(st.integers(0, 1000), min_size=2, max_size=5))
def test_rows_are_shared_as_memory_allows(rows, most):
    """Every row is on one card, none has more than it can hold, and shares differ only for that."""
    if sum(most) < rows:
        return
    firsts = shares(rows, most)
    counts = np.diff([*firsts, rows])
    assert firsts[0] == 0
    assert (counts >= 0).all()
    assert (counts <= most).all()
    free = counts[counts < most]
    assert len(free) == 0 or counts.max() - free.min() <= 1
