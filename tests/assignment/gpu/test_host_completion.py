"""The end of exact solves on the host: ranked lists, row reduction, paths, and slow twins."""

from __future__ import annotations

import math

import numpy as np
import pytest

import prunus
from prunus._native.assignment import Ended, RankedMatching
from prunus.assignment.gpu import placement
from prunus.assignment.gpu.exact import DeviceExactSolver
from prunus.assignment.gpu.host_completion import PORTION, HostCompletion
from prunus.assignment.gpu.instance import LIST, DeviceInstance
from prunus.assignment.gpu.value_source import ValueSource
from prunus.hardware.threads import Threads
from tests.assignment.gpu.instances import maximised, retune, solve
from tests.assignment.gpu.records import Records, listed, matching_of
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
    ranked = Records(rows, kind, prices.dtype, fetched(instance)._memory)
    net = sign * matrix.astype(prices.dtype) - prices
    listed = [instance.read(name).reshape(rows, LIST) for name in ("list_columns", "list_values")]
    length, threshold = instance.read("list_length"), instance.read("threshold")
    for i in range(rows):
        assert [part[0] for part in ranked.head(i)] == [threshold[i], length[i]]
        columns, values = [], []
        for first in range(0, length[i], PORTION):
            key, some, worth = ranked.portion(i, first)
            held = min(PORTION, length[i] - first)
            columns += some[:held].tolist()
            values += worth[:held].tolist()
            assert key[0] == net[i, columns[first]]
        assert sorted(columns) == sorted(listed[0][i, : length[i]].tolist())
        assert values == matrix[i, columns].tolist()
        assert (np.diff(net[i, columns]) <= 0).all()


KINDS = [
    (np.float32, np.float64), (np.float64, np.float64), (np.int32, np.float64),
    (np.int64, np.float64), (np.int64, np.int64),
]  # fmt: skip


def begin_without_columns(matching, prices, rows):
    """Let all rows wait, at some prices."""
    none, zeros = np.full(rows, -1, np.int32), np.zeros(rows, prices.dtype)
    matching.keep(prices, none, zeros, none, zeros, 0.0)


@pytest.mark.parametrize(("kind", "price"), KINDS)
@pytest.mark.parametrize("sign", [1, -1])
def test_reduction_leaves_rows_with_their_best_columns_and_paths_find_the_optimum(
    kind, price, sign
):
    """With lists of everything, from prices of chance; no row is ever worse off than its best."""
    rows = LIST
    rng = np.random.default_rng(4)
    matrix = rng.integers(0, 200, (rows, rows)).astype(kind)
    prices = rng.integers(0, 100, rows).astype(price)
    matching = matching_of(listed(matrix, prices, sign, kind), matrix.shape, sign)
    begin_without_columns(matching, prices, rows)
    assert sorted(matching.waiting) == list(range(rows))
    matching.reduce(4 * rows)

    def best_columns():
        net = sign * matrix.astype(price) - matching.prices
        has = np.flatnonzero(matching.column >= 0)
        assert (matching.owner[matching.column[has]] == has).all()
        assert (net[has, matching.column[has]] == net[has].max(axis=1)).all()
        return len(has)

    assert 0 < best_columns() == rows - len(matching.waiting)
    matching.begin()
    assert matching.search(1) == Ended.OUT_OF_BUDGET
    assert matching.search(2**40) == Ended.ALL_MATCHED
    assert best_columns() == rows
    problem = prunus.Assignment(matrix, maximize=sign > 0)
    assert problem.evaluate(matching.column) == prunus.solve(problem, devices="cpu").objective


@pytest.mark.parametrize("length", [16, 40])
def test_whole_rows_take_the_place_of_lists_that_end(length):
    """Rows of benefits let searches go on; columns that stay free have the least price of all."""
    rng = np.random.default_rng(7)
    matrix = rng.integers(0, 300, (60, 75)).astype(np.float64)
    prices = rng.integers(0, 100, 75).astype(np.float64)
    matching = matching_of(listed(matrix, prices, 1, np.float64, length), matrix.shape, 1)
    begin_without_columns(matching, prices, 60)
    matching.reduce(240)
    looks = 0
    for levelling in (False, True):
        if levelling:
            matching.begin_levelling()
        matching.begin()
        while (how := matching.search(2**40)) != Ended.ALL_MATCHED:
            assert how == Ended.LIST_EXHAUSTED
            assert matching.searching
            assert matching.in_tree, "no price has risen so far that a list has no best"
            matching.reach_all(matrix[matching.stuck])
            looks += 1
    matching.end_levelling()
    assert (looks > 0) == (length < 40)
    column, price = matching.column, matching.prices
    assert (price >= 0).all()
    assert (price[np.setdiff1d(np.arange(75), column)] == 0).all()
    problem = prunus.Assignment(matrix, maximize=True)
    wanted = prunus.solve(problem, devices="cpu").objective
    assert problem.evaluate(column) == wanted == price.sum() + (matrix - price).max(axis=1).sum()


def test_rows_whose_lists_end_nearest_are_extended():
    """The stuck one and as many as are asked for, with what next candidates are worth at most."""
    matrix = distances(LIST)
    prices = np.zeros(LIST)
    ranked = listed(matrix, prices, 1, np.float64, 16)
    matching = matching_of(ranked, matrix.shape, 1)
    begin_without_columns(matching, prices, LIST)
    matching.reduce(0)
    matching.begin()
    assert matching.search(2**40) == Ended.LIST_EXHAUSTED
    assert matching.in_tree
    stuck = matching.stuck
    rows, ceilings = matching.choose_extended(1)
    assert stuck in rows
    assert len(rows) <= 2
    for i, ceiling in zip(rows, ceilings, strict=True):
        assert ceiling in {ranked.head(i)[0][0], *(ranked.portion(i, p)[0][0] for p in (0, 16))}
    assert ceilings[rows == stuck] == matching.threshold(stuck)


def test_arguments_of_other_sizes_are_refused():
    """Nothing is read out of bounds: too little memory, too few prices, columns there are not."""
    ranked = Records(4, np.float64, np.float64)
    with pytest.raises(ValueError, match="lists"):
        RankedMatching(ranked.memory, LIST, 1, False, 1, 5, 5)
    with pytest.raises(ValueError, match="lists"):
        RankedMatching(ranked.memory, LIST, 0, True, 1, 4, 4)
    matching = matching_of(ranked, (4, 5), 1)
    none, zeros = np.full(4, -1, np.int32), np.zeros(4)
    with pytest.raises(ValueError, match="few"):
        matching.keep(np.zeros(4), none, zeros, none, zeros, 0.0)
    with pytest.raises(ValueError, match="columns"):
        matching.keep(np.zeros(5), np.full(4, 5, np.int32), zeros, none, zeros, 0.0)
    with pytest.raises(ValueError, match="type"):
        matching.keep(np.zeros(5, np.int64), none, zeros, none, zeros, 0.0)
    with pytest.raises(ValueError, match="tree"):
        matching.reach_all(np.zeros(5))


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
    ranked = Records(rows, np.float32, np.float64, handover._memory)
    for i in range(rows):
        assert ranked.portion(i, 0)[0][0] == matrix[i][matrix[i] <= ceilings[i]].max()
    assert (instance.read("row_order") == np.arange(rows)).all()


@pytest.mark.parametrize("owned", [True, False])
def test_prices_of_whole_numbers_are_whole_after_the_auction(device, monkeypatch, owned):
    """Fractions, in which ε is small, leave few rows without their best when they are rounded."""
    waiting = []
    follow = HostCompletion._follow

    def noted(self):
        assert (self._matching.prices == np.rint(self._matching.prices)).all()
        waiting.append(len(self._matching.waiting))
        return follow(self)

    monkeypatch.setattr(HostCompletion, "_follow", noted)
    matrix = np.random.default_rng(6).integers(0, 70, (80, 80)).astype(np.float32)
    instance = put(device, matrix, owned=owned)
    solver = exact_of(instance, matrix)
    for _ in solver.steps():
        pass
    assert waiting[0] < 4  # after row reduction
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
    match, seen = HostCompletion.match, []

    def matched(self, found, **how):
        steps = match(self, found, **how)
        yield next(steps)
        kept = self._matching
        assert sorted(kept.waiting) == np.flatnonzero(kept.column < 0).tolist()
        seen.append((kept.column, kept.owner, kept.prices))
        yield from steps

    monkeypatch.setattr(HostCompletion, "match", matched)
    _, outcome = solve(prunus.Assignment(values, maximize=True), device, "exact")
    assert outcome.complete
    ((column, owner, prices),) = seen
    rows = np.flatnonzero(column >= 0)
    assert len(rows) >= 0.8 * len(column)
    assert (owner[column[rows]] == rows).all()
    assert (owner >= 0).sum() == len(rows)
    net = values.astype(float) - prices
    assert net[rows, column[rows]] == pytest.approx(net[rows].max(axis=1), rel=1e-12)
