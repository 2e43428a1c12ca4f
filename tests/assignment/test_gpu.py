"""Assignment on a GPU against slow twins and the CPU.

Each test runs on the emulated device (the kernels themselves, lane by lane on the processor) and,
marked ``gpu``, on the first GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import prunus
from prunus.assignment import solver
from prunus.assignment.gpu import campaign as campaign_module
from prunus.assignment.gpu.campaign import DeviceCampaign
from prunus.assignment.gpu.guide import Guide
from prunus.assignment.gpu.instance import Source
from prunus.assignment.gpu.market import LIST, Market
from prunus.assignment.gpu.stack import solve_stacked_on
from prunus.assignment.threads import Threads
from prunus.errors import DeviceError, InputError
from prunus.solving.incumbent import Incumbent
from prunus.solving.monitor import Monitor
from tests.cuda.emulated import COMPILER, EmulatedDevice


def put(device, matrix, maximise, price=np.float64):
    """A market for a matrix, and its benefits."""
    rows, columns = matrix.shape
    held = device.put(matrix)
    source = Source(
        rows, columns, held, columns, None, None, -1, matrix.dtype, np.dtype(price),
        1 if maximise else -1,
    )  # fmt: skip
    market = Market(device, source)
    market.held = held
    market.run("start_clock")
    return market, (matrix if maximise else -matrix).astype(price)


def instance(kind, rows, columns, seed=0):
    """Whole numbers: uniform, distances, or few different ones."""
    rng = np.random.default_rng(seed)
    if kind == "distances":
        left = rng.random((rows, 2))
        right = left if rows == columns else rng.random((columns, 2))
        return np.rint(1000 * np.sqrt(((left[:, None] - right) ** 2).sum(axis=2)))
    return rng.integers(0, 1000 if kind == "uniform" else 3, (rows, columns)).astype(float)


KINDS = ("uniform", "distances", "ties")


def is_assignment(market, benefits):
    """Check columns, owners and worths against one another; return the total."""
    column, owner, worth = (market.read(name) for name in ("column", "owner", "worth"))
    rows = np.arange(len(column))
    assert len(set(column.tolist())) == len(column)
    assert (owner[column] == rows).all()
    assert (worth == benefits[rows, column]).all()
    return benefits[rows, column].sum()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(90, 90), (7, 210), (2, 2), (5, 3001), (2, 20_000)])
@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("maximise", [True, False])
def test_lists_hold_the_best_and_thresholds_exclude_the_rest(device, kind, shape, free, maximise):
    """No column outside a list exceeds the threshold, and the two best are always certain."""
    matrix = instance(kind, *shape).astype(np.float32)
    market, benefits = put(device, matrix, maximise=maximise)
    prices = np.zeros(shape[1])
    if not free:
        prices = np.random.default_rng(1).integers(0, 50, shape[1]).astype(float)
        market.write("price", prices)
    check_lists(market, matrix, benefits - prices)


@pytest.mark.parametrize(("better", "length"), [(0, 2), (200, LIST), (1500, LIST // 2)])
def test_lists_of_rows_whose_beginning_misleads(device, better, length):
    """Nothing is missed where the rest of a row is better than the beginning tells, or worse."""
    rng = np.random.default_rng(2)
    matrix = rng.random((3, 20_000)).astype(np.float32)
    matrix[:, 5000 : 5000 + better] += 1
    matrix[:, 4096:] -= better == 0
    market, benefits = put(device, matrix, maximise=True)
    check_lists(market, matrix, benefits)
    assert (market.read("length") >= length).all()


def check_lists(market, matrix, net):
    """Make lists, and check them against net values in plain code."""
    market.run("fill_lists")
    lists, listed = market.read("list").reshape(-1, LIST), market.read("listed").reshape(-1, LIST)
    length, threshold = market.read("length"), market.read("threshold")
    for i in range(len(matrix)):
        columns = lists[i, : length[i]]
        assert len(set(columns.tolist())) == length[i]
        assert (listed[i, : length[i]] == matrix[i, columns]).all()
        assert (np.delete(net[i], columns) <= threshold[i]).all()
        assert (np.sort(net[i, columns])[-2:] == np.sort(net[i])[-2:]).all()
        assert np.sort(net[i, columns])[-2] >= threshold[i]
    assert (market.read("best") == net.max(axis=1)).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(60, 60), (30, 50), (20, 2500)])
@pytest.mark.parametrize("listed", [True, False])
def test_switching_ends_where_no_exchange_gains(device, kind, shape, listed):
    """After the greedy start and the exchanges no pair of rows, and no free column, is better.

    Nor if all has to be found in parts of the rows, of which there may be several.
    """
    matrix = instance(kind, *shape).astype(np.float32)
    market, benefits = put(device, matrix, maximise=False)
    market.run("fill_lists")
    if not listed:
        market.write("length", np.zeros(shape[0], np.int32))
    market.run("take_all_away")
    market.run("open_slice")
    market.run("greedy")
    start = is_assignment(market, benefits)
    if not listed:
        market.run("take_all_away")
        market.write("column", np.arange(shape[0], dtype=np.int32))
        market.run("adopt")
        start = is_assignment(market, benefits)
    market.run("mark_all")
    for _ in range(50):
        market.run("open_slice")
        market.run("switch_rows")
        market.run("mark_all")
        control = market.control()
        assert control["pending"] == 0
        if control["changed"] == 0:
            break
    assert control["changed"] == 0
    assert is_assignment(market, benefits) >= start
    column, rows = market.read("column"), np.arange(shape[0])
    now = benefits[rows, column]
    after = benefits[:, column]
    assert (after + after.T <= now[:, None] + now).all()
    free = np.setdiff1d(np.arange(shape[1]), column)
    assert (benefits[:, free] <= now[:, None]).all()


@pytest.mark.parametrize("enough", [0, 10**6])
def test_switching_that_ends_early_leaves_an_assignment(device, enough):
    """Ended while rows are at work, or near their best, all have columns and nothing was lost."""
    matrix = instance("distances", 80, 80)
    market, benefits = put(device, matrix, maximise=True)
    market.run("fill_lists")
    market.run("take_all_away")
    market.write("column", np.random.default_rng(3).permutation(80).astype(np.int32))
    market.run("adopt")
    start = is_assignment(market, benefits)
    market.run("mark_all")
    market.run("open_slice")
    market.set(limit=100, enough=enough)
    market.run("switch_rows")
    assert market.control()["pending"] == 0
    assert is_assignment(market, benefits) > start


def test_more_better_columns_than_a_block_can_note(device):
    """Rows with hundreds of better columns find exchanges as well, noted first or as they come."""
    matrix = instance("uniform", 12, 1500)
    market, benefits = put(device, matrix.astype(np.float32), maximise=True)
    column = np.arange(12, dtype=np.int32)
    market.run("take_all_away")
    market.write("column", column)
    market.run("adopt")
    market.run("mark_all")
    market.run("find")
    more = benefits - benefits[column, column][:, None]
    gains = more.copy()
    gains[:, :12] += benefits[:, :12].T - benefits[column, column]
    gains[more <= 0] = 0  # those are found by the other row
    assert ((more > 0).sum(axis=1) > 600).any()
    assert (market.read("best") == gains.max(axis=1)).all()
    solution, _ = solve(prunus.Assignment(matrix, maximize=True), device, "switching")
    now, after = matrix[column, solution], matrix[:, solution]
    assert (after + after.T <= now[:, None] + now).all()
    assert (np.delete(matrix, solution, axis=1) <= now[:, None]).all()


def test_of_equal_exchanges_the_one_with_the_smallest_column_is_found(device):
    """Though a thread may come to a later column first: 40 rows, two equally good columns each."""
    rows, columns, threads, pack = 40, 768, 64, 4
    starts = np.arange(threads)[:, None] + threads * np.arange(columns // (threads * pack))
    noted = (pack * starts[:, :, None] + np.arange(pack)).reshape(-1)
    matrix = np.ones((rows, columns), np.float32)
    matrix[np.arange(rows), np.arange(rows)] = 0
    wanted = np.zeros(rows, int)
    for row in range(rows):
        others = noted[noted != row]
        first, second = others[:-threads], others[threads:]
        place = np.flatnonzero((first > second) & (second >= rows))[row]
        matrix[row, [first[place], second[place]]] = 5
        wanted[row] = second[place]
    market, _ = put(device, matrix, maximise=True)
    market.run("take_all_away")
    market.write("column", np.arange(rows, dtype=np.int32))
    market.run("adopt")
    market.run("mark_all")
    market.run("find")
    assert (market.read("best") == 5).all()
    assert (market.read("target")[:rows] == wanted).all()


def slow_rounds(benefits, column):
    """Parallel switching as published, with ties going to the row with the smallest number.

    Rows that switched or were in conflict are evaluated again, and all of them at the end.
    """
    rows, columns = benefits.shape
    column = column.copy()
    proposals: dict[int, tuple[Any, int, int]] = {}
    again = set(range(rows))
    whole = True
    while True:
        owner = {int(j): i for i, j in enumerate(column)}
        for i in again:
            gains = np.zeros(columns)
            for j in np.flatnonzero(benefits[i] > benefits[i, column[i]]).tolist():
                k = owner[j]
                now = benefits[i, column[i]] + benefits[k, j]
                gains[j] = benefits[i, j] + benefits[k, column[i]] - now
            j = int(gains.argmax())
            proposals.pop(i, None)
            if gains[j] > 0:
                proposals[i] = (-gains[j], i, j)
        if not proposals:
            if whole:
                return column
            again, whole = set(range(rows)), True
            continue
        engaged: dict[int, tuple[Any, int]] = {}
        for gain, i, j in sorted(proposals.values()):
            for row in (i, owner[j]):
                engaged.setdefault(row, (gain, i))
        before = column.copy()
        again, whole = set(proposals), False
        for gain, i, j in proposals.values():
            if engaged[i] == engaged[owner[j]] == (gain, i):
                column[i], column[owner[j]] = j, before[i]
                again.add(owner[j])


def test_published_rounds_are_those_of_the_slow_twin(device):
    """Parallel switching with the conflict check makes the same exchanges, round after round."""
    matrix = instance("uniform", 30, 30)
    problem = prunus.Assignment(matrix, maximize=True)
    first, _ = solve(problem, device, "switching", start="random", order="largest")
    again, _ = solve(problem, device, "switching", start="random", order="largest")
    assert (first == again).all()
    start = np.random.default_rng([0, 1])
    start.permutation(30)
    wanted = slow_rounds(matrix, start.permutation(30))
    found, _ = solve(problem, device, "switching", start="random", order="parallel")
    assert (found == wanted).all()


@pytest.mark.parametrize("kind", KINDS)
def test_prices_bound_and_sweeps_keep_a_bound(device, kind):
    """The certificate is the sum that plain code computes, before and after prices are swept."""
    matrix = instance(kind, 50, 50)
    market, benefits = put(device, matrix, maximise=True)
    market.write("column", np.arange(50, dtype=np.int32))
    market.run("adopt")
    for _ in range(3):
        market.run("certify")
        net = benefits - market.read("price")
        assert (market.read("best") == net.max(axis=1)).all()
        assert (net[np.arange(50), market.read("target")] == net.max(axis=1)).all()
        market.run("lower")
        assert (market.read("price") <= 0).all()


@pytest.mark.parametrize(
    ("price", "owned"), [(np.float64, True), (np.float64, False), (np.int64, False)]
)
def test_an_auction_leaves_every_row_within_a_step_of_its_best(device, price, owned):
    """After a phase all have columns, no row is worse off than ε below its best."""
    matrix = instance("uniform", 70, 70).astype(np.int64)
    market, benefits = put(device, matrix, False, price)
    if not owned:
        market = Market(device, market.source, owned=False)
        market.run("start_clock")
    market.run("fill_lists")
    for step in (100, 20, 4):
        market.set(step=step)
        for kernel in ("open_phase", "open_slice", "auction", "collect", "collect_rows", "adopt"):
            market.run(kernel)
        assert market.control()["unassigned"] == 0
        is_assignment(market, benefits)
        net = benefits - market.read("price")
        own = net[np.arange(70), market.read("column")]
        assert (own >= net.max(axis=1) - step - 1e-6).all()


def solve(problem, device, method="auto", *, limit=None, start="greedy", order="sequential"):
    """Solve on the device; return the solution and the outcome."""
    incumbent = Incumbent(None, maximise=problem.maximise)
    monitor = Monitor(incumbent, time_limit=limit)
    with Threads(1) as threads:
        campaign = DeviceCampaign(problem, method, monitor, (device,), threads, 0)
        done = campaign.run(start, order)
    outcome = campaign.outcome()
    if incumbent.best is None:
        assert not done
        return None, outcome
    assert problem.evaluate(incumbent.best.solution) == incumbent.best.objective
    return incumbent.best.solution, outcome


def test_a_sample_prices_columns_that_all_rows_want(device, monkeypatch):
    """Distances to be maximised are contested; prices of a sample bound them far better."""
    monkeypatch.setattr(campaign_module, "_GUIDED", 50)
    points = np.random.default_rng(1).random((64, 2))
    matrix = np.rint(1000 * np.sqrt(((points[:, None] - points) ** 2).sum(axis=2)))
    market, benefits = put(device, matrix.astype(np.float32), maximise=True)
    other, _ = put(device, instance("uniform", 64, 64).astype(np.float32), maximise=True)
    assert not Guide(other, np.random.default_rng(0)).contested()
    guide = Guide(market, np.random.default_rng(0))
    assert guide.contested()
    guide.price(1414.0, True)
    prices = market.read("price")
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
    monkeypatch.setattr(campaign_module, "_GUIDED", 50)
    points = np.random.default_rng(1).random((64, 2))
    matrix = np.rint(1000 * np.sqrt(((points[:, None] - points) ** 2).sum(axis=2)))
    problem = prunus.Assignment(matrix, maximize=True)
    rng, price = np.random.default_rng(), Guide.price

    def other_prices(self, *args):
        price(self, *args)
        prices = self._market.read("price")
        self._market.write("price", prices + rng.integers(0, 200, len(prices)))

    found = solve(problem, device, "switching", start="random", order=order)
    monkeypatch.setattr(Guide, "price", other_prices)
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


@pytest.mark.parametrize("shape", [(20, 33), (33, 20)])
def test_more_of_one_side_than_of_the_other(device, shape):
    """Switching works, with a bound; the exact method is left to the CPU."""
    problem = prunus.Assignment(np.random.default_rng(3).integers(0, 99, shape))
    wanted = prunus.solve(problem, devices="cpu").objective
    solution, outcome = solve(problem, device, "switching")
    assert outcome.bound <= wanted <= problem.evaluate(solution)
    assert solve(problem, device, "exact")[0] is None


@pytest.mark.parametrize("read", [False, True])
def test_no_time_at_all_leaves_an_assignment_and_a_bound(device, read, monkeypatch):
    """At a deadline of 0 there is a valid assignment all the same, the matrix read or not."""
    if read:
        monkeypatch.setattr(campaign_module, "pausing", lambda monitor: None)
    problem = prunus.Assignment(np.random.default_rng(2).random((80, 80)))
    solution, outcome = solve(problem, device, "switching", limit=0.0)
    assert outcome.bound <= problem.evaluate(solution)
    assert not outcome.complete


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


def check_stack(device, problem):
    """Solve a stack on the device and on the CPU."""
    wanted = prunus.solve(problem, devices="cpu")
    incumbent = Incumbent(None, maximise=problem.maximise)
    outcome = solve_stacked_on(device, problem, Monitor(incumbent))
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


def test_what_a_gpu_does_not_solve():
    """Sparse problems, several GPUs, a plain auction on the CPU: one sentence each."""
    sparse = prunus.Assignment.from_arcs(2, 2, [0, 1], [1, 0], [3, 4])
    small = prunus.Assignment(np.eye(3))
    with pytest.raises(InputError, match="devices='cuda:0'"):
        prunus.solve(small, method="auction", devices="cpu")
    with pytest.raises(InputError, match="leave the method out"):
        prunus.solve(sparse, method="auction")


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_what_a_gpu_leaves_to_the_cpu_is_said(monkeypatch):
    """Who names a GPU is told that the optimum comes from the CPU; the result says so, too."""
    devices = (EmulatedDevice(),)
    monkeypatch.setattr(solver, "chosen_devices", lambda problem, wanted: devices)
    monkeypatch.setattr("prunus.machine.devices.open_gpu", lambda index: devices[0])
    wide = prunus.Assignment(np.arange(12).reshape(3, 4) ** 2 % 7)
    forbidden = prunus.Assignment([[1, np.inf], [2, 3]])
    for problem in (wide, forbidden):
        with pytest.warns(UserWarning, match="solving on the CPU: .* as many agents as jobs"):
            result = prunus.solve(problem, devices="cuda:0")
        assert result.status.name == "OPTIMAL"
        assert result.devices[0].startswith("cpu:")


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
