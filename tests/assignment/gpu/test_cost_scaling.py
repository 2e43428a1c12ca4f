"""Raising prices to the optimum on a GPU, and the cycles on the way."""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from prunus.assignment.gpu import cost_scaling, portfolio
from tests.assignment.gpu.instances import maximised, put, retune, solve


def cycles_of(following):
    """The cycles of a map, -1 for nowhere, each from its smallest member on."""
    found = []
    for start in range(len(following)):
        walk, at = [], start
        while at >= start and at not in walk:
            walk.append(at)
            at = following[at]
        if at == start:
            found.append(walk)
    return found


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_cycles_in_the_links_are_turned_if_they_gain_and_cut_if_not(device, seed, linked):
    """Random links: every cycle is found, however long the way to it; nothing else changes."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 200))
    matrix = rng.integers(0, 50, (n, n)).astype(np.float32)
    instance, _ = put(device, matrix, True)
    column = rng.permutation(n).astype(np.int32)
    parent = rng.integers(-1, n, n).astype(np.int32)
    if seed % 2:
        parent = rng.permutation(n).astype(np.int32)
    instance.write("column", column)
    prices = rng.integers(-50, 50, n).astype(float)
    words = prices.view(np.int64) | (parent + 1) if linked else prices
    instance.write("price", words.view(float))
    if not linked:
        instance.write("raised_by", parent)
    instance.write("price_at_look", prices)
    instance.set(tolerance=0, prices_carry_links=linked)
    for kernel in ("adopt_columns", "follow_links", "apply_cycles"):
        instance.run(kernel)
    wanted, links = column.copy(), parent.copy()
    following = [-1 if row < 0 else int(column[row]) for row in parent]
    gained = 0
    for cycle in cycles_of(following):
        rows = parent[cycle]
        gain = (matrix[rows, cycle] - matrix[rows, column[rows]]).sum()
        links[cycle] = -1
        if gain > 0:
            wanted[rows] = cycle
            gained += 1
    assert (instance.read("column") == wanted).all()
    if linked:
        words = instance.read("price").view(np.int64)
        assert ((words & (2**17 - 1)) - 1 == links).all()
    else:
        assert (instance.read("raised_by") == links).all()
    instance.run("end_scale")
    assert (instance.read("price") == prices).all()
    assert instance.counters()["cycles"] == gained
    assert (instance.read("owner")[wanted] == np.arange(n)).all()
    assert (instance.read("row_benefit") == matrix[np.arange(n), wanted]).all()
    unseen = instance.read("price_at_look") != prices
    assert (unseen[wanted] == (wanted != column)).all()


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("n", [2, 30, 300])
def test_prices_rise_along_links_all_at_once(device, n, linked):
    """Every column costs what all rows on the way up would pay, one after the other."""
    rng = np.random.default_rng(n)
    matrix = rng.integers(0, 50, (n, n)).astype(np.float32)
    instance, _ = put(device, matrix, True)
    column = rng.permutation(n).astype(np.int32)
    order = rng.permutation(n)
    # Links of a forest: the row of an earlier column in the order, or nobody.
    parent = np.full(n, -1, np.int32)
    for place in range(1, n):
        above = order[rng.integers(max(0, place - n // 10 - 2), place)]
        if rng.random() < 0.95:
            parent[order[place]] = np.flatnonzero(column == above)[0]
    prices = rng.integers(-50, 50, n).astype(float)
    instance.write("column", column)
    if linked:
        instance.write("price", (prices.view(np.int64) | (parent + 1)).view(float))
    else:
        instance.write("price", prices)
        instance.write("raised_by", parent)
    ways = device.empty(48 * n, np.uint8)
    instance.set(prices_carry_links=linked, link_paths=device.address(ways), epsilon=3)
    instance.run("adopt_columns")
    for kernel in ("weigh_links", "sum_links", "raise_prices_by_links"):
        instance.run(kernel)
    wanted = prices.copy()
    for j in order:
        if parent[j] >= 0:
            i, t = parent[j], column[parent[j]]
            wanted[j] = max(prices[j], wanted[t] + matrix[i, j] - matrix[i, t])
    rises = wanted > prices + 3
    assert rises.any() or n == 2
    words = instance.read("price")
    if linked:
        assert ((words.view(np.int64) & (2**17 - 1)) - 1 == parent).all()
    instance.run("end_scale")
    assert (instance.read("price") == np.where(rises, wanted, prices)).all()


@pytest.mark.parametrize(
    ("n", "kind"), [(3, np.float32), (20, np.float32), (20, np.float64), (20, np.int64)]
)
def test_raising_prices_leads_from_any_assignment_to_the_optimum(device, n, kind):
    """From a random assignment without prices: the optimum, which the prices then prove."""
    rng = np.random.default_rng(n)
    points = rng.random((n, 2))
    distance = np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))
    matrix = distance if kind == np.float64 else np.rint(1e4 * distance)
    matrix = matrix.astype(kind)
    if kind == np.int64:
        # More digits than a float has.
        matrix = matrix * 10**10 + rng.integers(0, 10**10, (n, n))
    instance, _ = put(device, matrix, True, np.int64 if kind == np.int64 else np.float64)
    instance.write("column", rng.permutation(n).astype(np.int32))
    instance.run("fill_lists")
    solver = cost_scaling.CostScaling(instance, maximised(matrix), hurried=True)
    steps = set(solver.steps())
    assert steps <= {"cost scaling", "scale"}
    assert solver.finished
    column = instance.read("column")
    assert sorted(column) == list(range(n))
    wanted = prunus.solve(prunus.Assignment(matrix, maximize=True), devices="cpu").objective
    prices = instance.read("price")
    bound = prices.sum() + (matrix - prices).max(axis=1).sum()
    if kind == np.float64:
        wanted = pytest.approx(wanted, rel=1e-12)
    assert matrix[np.arange(n), column].sum() == wanted
    assert bound == wanted


def test_an_auction_that_all_rows_contest_is_given_up_for_switching(device, monkeypatch):
    """Rows that turn out to want the same: switching from a whole start, whatever slices were."""
    retune(monkeypatch, easy_bids=0, auction_slice_ns=1, guided_rows=10)
    monkeypatch.setattr(portfolio.SampledDuals, "contested", lambda *_: False)
    rng = np.random.default_rng(3)
    left, right = rng.random((2, 60, 2))
    matrix = np.rint(-1000 * np.sqrt(((left[:, None] - right) ** 2).sum(axis=2)))
    problem = prunus.Assignment(matrix.astype(np.float32), maximize=True)
    solution, outcome = solve(problem, device, "exact")
    assert outcome.complete
    assert "unplaced" not in outcome.statistics
    assert outcome.statistics["phases"] > 1
    assert problem.evaluate(solution) == prunus.solve(problem, devices="cpu").objective
