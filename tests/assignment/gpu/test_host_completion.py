"""The end of exact solves on the host: ranked lists, row reduction, paths, and slow twins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numba import njit

import prunus
from prunus.assignment.exact.lists.auction import N_WAITING
from prunus.assignment.exact.lists.auction import AuctionState as Host
from prunus.assignment.exact.lists.row_reduction import reduce_ranked_rows
from prunus.assignment.exact.ranked.lists import (
    HEAD,
    PORTION,
    best_two_ranked,
    lists_in_memory,
    record_size,
)
from prunus.assignment.exact.ranked.paths import (
    ALL_MATCHED,
    OUT_OF_BUDGET,
    augment_from_ranked_lists,
)
from prunus.assignment.exact.ranked.search import new_ranked_search, new_search_progress
from prunus.assignment.gpu import host_completion, placement
from prunus.assignment.gpu.exact import DeviceExactSolver
from prunus.assignment.gpu.host_completion import HostCompletion
from prunus.assignment.gpu.instance import LIST, DeviceInstance
from prunus.assignment.gpu.value_source import ValueSource
from prunus.hardware.threads import Threads
from tests.assignment.gpu.instances import maximised, retune, solve
from tests.hardware.cuda.emulated import EmulatedDevice


def put(device, matrix, sign=1, **how):
    """A instance for a square matrix, at prices of 0."""
    rows = len(matrix)
    price = np.int64 if matrix.dtype == np.int64 else np.float64
    held = device.put(matrix)
    source = ValueSource(
        rows, rows, held, rows, None, None, -1, matrix.dtype, np.dtype(price), sign
    )  # fmt: skip
    instance = DeviceInstance(device, source, **how)
    instance.held = held  # type: ignore[attr-defined]
    instance.run("start_deadline")
    return instance


@njit
def look(ranked, prices, i, lowest):
    """Call what only compiled code can call."""
    return best_two_ranked(ranked, prices, i, lowest)


def distances(rows, seed=0):
    """Distances between points, whole numbers."""
    points = np.random.default_rng(seed).random((rows, 2))
    return np.rint(1e5 * np.sqrt(((points[:, None] - points) ** 2).sum(axis=2)))


def fetched(instance):
    """Have all rows listed; return what the host sees."""
    handover = HostCompletion(instance)
    handover._list(np.arange(instance.source.rows))
    return handover


@pytest.mark.parametrize(
    ("kind", "sign"), [(np.float32, 1), (np.float64, -1), (np.int32, -1), (np.int64, 1)]
)
def test_records_hold_the_lists_from_the_best_down(device, kind, sign):
    """Candidates, values, keys of portions, thresholds and lengths are those of the lists."""
    rows = 150
    matrix = np.random.default_rng(1).integers(0, 500, (rows, rows)).astype(kind)
    instance = put(device, matrix, sign)
    prices = np.random.default_rng(2).integers(0, 300, rows).astype(instance.source.price)
    instance.write("price", prices)
    ranked = fetched(instance)._ranked
    net = sign * matrix.astype(prices.dtype) - prices
    listed = [instance.read(name).reshape(rows, LIST) for name in ("list_columns", "list_values")]
    length, threshold = instance.read("list_length"), instance.read("threshold")
    size, item = record_size(LIST, kind), np.dtype(kind).itemsize
    for i in range(rows):
        as_prices = ranked.as_prices[i * size // 8 :]
        assert as_prices[0] == threshold[i]
        assert ranked.words[i * size // 4 + 2] == length[i]
        columns, values = [], []
        for first in range(0, length[i], PORTION):
            at = i * size + HEAD + first // PORTION * ranked.step
            held = min(PORTION, length[i] - first)
            columns += ranked.words[at // 4 + 2 :][:held].tolist()
            values += ranked.values[(at + 8 + 4 * PORTION) // item :][:held].tolist()
            assert ranked.as_prices[at // 8] == net[i, columns[first]]
        assert sorted(columns) == sorted(listed[0][i, : length[i]].tolist())
        assert values == matrix[i, columns].tolist()
        assert (np.diff(net[i, columns]) <= 0).all()


def test_the_best_two_of_a_list_at_prices_that_have_risen(device):
    """They are those of the whole row, or the threshold stands for what may be outside the list."""
    rows = 150
    matrix = distances(rows).astype(np.float32)
    instance = put(device, matrix)
    ranked = fetched(instance)._ranked
    rng = np.random.default_rng(3)
    known = unknown = 0
    for part, least in ((0.3, 0), (0.7, 0), (0.99, 60_000)):
        prices = np.where(rng.random(rows) < part, rng.integers(least, 80_000, rows), 0.0)
        net = matrix - prices
        for i in range(rows):
            first, second, j1, j2 = look(ranked, prices, i, np.float64(-np.inf))
            order = np.sort(net[i])[::-1]
            assert first >= order[0] if j1 < 0 else first == order[0] == net[i, j1]
            assert second >= order[1] if j2 < 0 else second == order[1] == net[i, j2]
            known += j2 >= 0
            unknown += j1 < 0
    assert known
    assert unknown


@pytest.mark.parametrize("sign", [1, -1])
def test_reduction_leaves_rows_with_their_best_columns_and_paths_find_the_optimum(sign):
    """With lists of everything, from prices of chance; no row is ever worse off than its best."""
    rows = LIST
    rng = np.random.default_rng(4)
    matrix = rng.integers(0, 200, (rows, rows)).astype(np.float64)
    prices = rng.integers(0, 100, rows).astype(np.float64)
    size = record_size(LIST, np.float64)
    memory = np.zeros(rows * size, np.uint8)
    ranked = lists_in_memory(memory, LIST, np.float64, np.float64, sign)
    for i in range(rows):
        net = sign * matrix[i] - prices
        order = np.argsort(-net, kind="stable")
        ranked.as_prices[i * size // 8] = -1e300
        ranked.words[i * size // 4 + 2] = rows
        for place, j in enumerate(order):
            at = i * size + HEAD + place // PORTION * ranked.step
            if place % PORTION == 0:
                ranked.as_prices[at // 8] = net[j]
            ranked.words[at // 4 + 2 + place % PORTION] = j
            ranked.values[(at + 8 + 4 * PORTION) // 8 + place % PORTION] = matrix[i, j]
    none = np.full(rows, -1, np.int64)
    host = Host(prices, none.copy(), none.copy(), np.zeros(rows, np.int64), np.zeros(5, np.int64))
    host.waiting[:], host.counters[N_WAITING] = np.arange(rows)[::-1], rows
    limits = np.float64(-np.inf), np.float64(np.inf)
    tree = new_ranked_search(rows, rows, np.float64, *limits)
    reduce_ranked_rows(ranked, host, tree.worth, limits[0], 4 * rows)

    def best_columns():
        net = sign * matrix - prices
        has = np.flatnonzero(host.column >= 0)
        assert (host.owner[host.column[has]] == has).all()
        assert (net[has, host.column[has]] == net[has].max(axis=1)).all()
        return len(has)

    assert 0 < best_columns() == rows - host.counters[N_WAITING]
    progress = new_search_progress()
    assert augment_from_ranked_lists(ranked, host, tree, progress, 1) == OUT_OF_BUDGET
    assert augment_from_ranked_lists(ranked, host, tree, progress, 2**40) == ALL_MATCHED
    assert best_columns() == rows
    problem = prunus.Assignment(matrix, maximize=sign > 0)
    assert problem.evaluate(host.column) == prunus.solve(problem, devices="cpu").objective


def exact_of(instance, matrix):
    """An exact solve in steps of a matrix to be maximised."""
    return DeviceExactSolver(instance, maximised(matrix), left=math.inf)


def column_of(solver):
    """Return the columns of the rows, as the device has them in the end."""
    solver.hand_back()
    return solver.instance.read("column").astype(np.int64)


@pytest.mark.parametrize(("together", "singly"), [(2, 0), (1024, 0), (1024, 3), (1024, 10**6)])
def test_lists_that_say_too_little_get_more_candidates(device, monkeypatch, together, singly):
    """Where a third of the rows is left to the paths, lists of 64 of 200 come to their end.

    Some rows are looked at as a whole, then the device makes new lists.
    """
    retune(monkeypatch, left_to_host=0.3, easy_bids=math.inf)
    retune(monkeypatch, extended_rows=together, whole_rows=singly, whole_rows_of_host=singly)
    extended = []
    extend = HostCompletion._extend

    def noted(self):
        rows = extend(self)
        extended.append(len(rows))
        return rows

    monkeypatch.setattr(HostCompletion, "_extend", noted)
    matrix = distances(200).astype(np.float32)
    instance = put(device, matrix)
    solver = exact_of(instance, matrix)
    for _ in solver.steps():
        pass
    assert solver.complete
    assert solver.finished
    # What an auction leaves, a card decides anew in every run.
    most = max(extended, default=0)
    assert (most > 1) == (singly < 10**6) or not isinstance(device, EmulatedDevice)
    assert most <= together + 1
    problem = prunus.Assignment(matrix, maximize=True)
    wanted = prunus.solve(problem, devices="cpu").objective
    assert problem.evaluate(column_of(solver)) == wanted
    # The prices prove it.
    prices = instance.read("price")
    assert prices.sum() + (matrix - prices).max(axis=1).sum() == wanted


def test_all_rows_get_candidates_below_their_own_ceilings(device):
    """In whatever order a tree has them: no candidate is above, and none below is missing."""
    rows = 90
    matrix = distances(rows).astype(np.float32)
    instance = put(device, matrix)
    handover = fetched(instance)
    ceilings = np.sort(matrix, axis=1)[:, -12].astype(float)
    order = np.random.default_rng(1).permutation(rows)
    instance.write("row_buffer", ceilings[order])
    handover._list(order, "next_lists")
    size = record_size(LIST, np.float32)
    for i in range(rows):
        ranked = handover._ranked
        assert ranked.as_prices[(i * size + HEAD) // 8] == matrix[i][matrix[i] <= ceilings[i]].max()
    assert (instance.read("row_order") == np.arange(rows)).all()


@pytest.mark.parametrize("owned", [True, False])
def test_prices_of_whole_numbers_are_whole_after_the_auction(device, monkeypatch, owned):
    """Fractions, in which ε is small, leave few rows without their best when they are rounded."""
    waiting = []
    reduce_rows = host_completion.reduce_ranked_rows

    def noted(ranked, host, *rest):
        assert (host.prices == np.rint(host.prices)).all()
        waiting.append(host.counters[N_WAITING])
        reduce_rows(ranked, host, *rest)

    monkeypatch.setattr(host_completion, "reduce_ranked_rows", noted)
    matrix = np.random.default_rng(6).integers(0, 70, (80, 80)).astype(np.float32)
    instance = put(device, matrix, owned=owned)
    solver = exact_of(instance, matrix)
    for _ in solver.steps():
        pass
    assert waiting[0] < 4
    assert solver.finished
    prices = instance.read("price")
    assert (prices == np.rint(prices)).all()
    problem = prunus.Assignment(matrix, maximize=True)
    wanted = prunus.solve(problem, devices="cpu").objective
    assert prices.sum() + (matrix - prices).max(axis=1).sum() == wanted
    assert problem.evaluate(column_of(solver)) == wanted


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, np.int64])
def test_a_row_of_the_hosts_memory_has_the_benefits_that_the_device_knows(device, kind, maximize):
    """Whatever the values become on their way; with forbidden pairs where the type has any."""
    values = np.random.default_rng(2).integers(-999, 999, (20, 30)).astype(kind)
    if np.dtype(kind).kind == "f":
        values[:, 3] = -np.inf if maximize else np.inf
    problem = prunus.Assignment(values, maximize=maximize)
    (source,), _, _ = placement.place(problem, (device,), Threads(1))
    assert source.on_host is not None
    near, far = (
        HostCompletion(DeviceInstance(device, each))
        for each in (source, source._replace(on_host=None))
    )
    for i in range(20):
        np.testing.assert_array_equal(near._benefits(i), far._benefits(i)[:30])


def test_too_many_equal_values_are_left_to_the_device(device, monkeypatch):
    """A row with more equal columns than a list holds, all taken: the device ends the solve."""
    retune(monkeypatch, left_to_host=0.1, easy_bids=math.inf)
    retune(monkeypatch, whole_rows=0, whole_rows_of_host=0)
    left = []
    begin = DeviceExactSolver._begin_phase

    def noted(self, step, few, *how):
        left.append(few)
        begin(self, step, few, *how)

    monkeypatch.setattr(DeviceExactSolver, "_begin_phase", noted)
    matrix = np.random.default_rng(0).integers(0, 2, (180, 180)).astype(np.float32)
    matrix[:, :100] += 1.0
    instance = put(device, matrix)
    solver = exact_of(instance, matrix)
    for _ in solver.steps():
        pass
    assert solver.complete
    assert left[0] > 0
    # What an auction leaves, a card decides anew in every run.
    assert left[-1] == 0 or not isinstance(device, EmulatedDevice)
    problem = prunus.Assignment(matrix, maximize=True)
    wanted = prunus.solve(problem, devices="cpu").objective
    assert problem.evaluate(column_of(solver)) == wanted


def test_a_hurried_solve_does_without_the_host(device):
    """Near a deadline the host does not go on; same optimum."""
    matrix = np.random.default_rng(5).integers(0, 10**6, (60, 60)).astype(np.float32)
    problem = prunus.Assignment(matrix, maximize=True)
    wanted = prunus.solve(problem, devices="cpu").objective
    for left, handed in ((math.inf, True), (9.0, True), (0.5, False)):
        instance = put(device, matrix)
        solver = DeviceExactSolver(instance, maximised(matrix), left=left)
        phases = set(solver.steps())
        assert ("augmenting paths" in phases) == handed
        assert problem.evaluate(column_of(solver)) == wanted


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32])
def test_rows_keep_columns_to_which_nothing_is_better(device, monkeypatch, kind):
    """After the auction four of five rows do, or get what is best for them; no two the same one."""
    values = (1000 * np.random.default_rng(5).random((120, 120))).astype(kind)
    keep, seen = host_completion.keep_columns, []

    def kept(host, *rest):
        keep(host, *rest)
        seen.append((host.column.copy(), host.owner.copy(), host.prices.copy()))
        waiting = host.waiting[: host.counters[N_WAITING]]
        assert sorted(waiting) == np.flatnonzero(host.column < 0).tolist()

    monkeypatch.setattr(host_completion, "keep_columns", kept)
    _, outcome = solve(prunus.Assignment(values, maximize=True), device, "exact")
    assert outcome.complete
    ((column, owner, prices),) = seen
    rows = np.flatnonzero(column >= 0)
    assert len(rows) >= 0.8 * len(column)
    assert (owner[column[rows]] == rows).all()
    assert (owner >= 0).sum() == len(rows)
    net = values.astype(float) - prices
    assert net[rows, column[rows]] == pytest.approx(net[rows].max(axis=1), rel=1e-12)
