"""Points whose distances are minimised: a tree in place of all pairs, and the same optimum."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

import prunus
from prunus.assignment.distances import METRICS
from prunus.assignment.exact.lists.auction import new_auction_state
from prunus.assignment.instance.benefits import of_arcs
from prunus.assignment.points import applies, rows
from prunus.assignment.points.solver import PointSolver, PointTuning
from prunus.assignment.points.tree import lower_bounds, new_point_tree, new_tree_search, tree_orders
from prunus.assignment.portfolio import points, small_matrix
from prunus.hardware.threads import Threads


@pytest.fixture
def by_tree(monkeypatch):
    """Few points are solved by way of a tree, too."""
    monkeypatch.setattr(applies, "_LEAST", 100)
    monkeypatch.setattr(small_matrix, "NO_LISTS", 0)


def clouds(count, dimensions, kind, seed=1):
    """Two sets of points: anywhere, in clusters of very different density, or many at one place."""
    rng = np.random.default_rng(seed)
    left, right = rng.random((2, count, dimensions))
    if kind == "clusters":
        left, right = left**5, np.concatenate([right[: count // 2] ** 3, 1 - right[count // 2 :]])
    if kind == "grid":
        left, right = np.rint(3 * left), np.rint(3 * right)
    return left, right


@pytest.mark.parametrize("metric", range(4))
@pytest.mark.parametrize("count", [1, 7, 300])
def test_the_tree_finds_the_cheapest_columns(metric, count):
    """At prices that have risen since the tree was told: those that all pairs show."""
    rng = np.random.default_rng(count + metric)
    left, right = clouds(count, 3, "clusters")
    orders, ordered = tree_orders((right, left))
    assert ordered
    assert [sorted(order) for order in orders] == [list(range(count))] * 2
    right = right[orders[0]]
    tree = new_point_tree(right, metric)
    auction = new_auction_state(of_arcs(count, count, np.float64, False))
    auction.prices[:] = rng.random(count) ** 4
    lower_bounds(tree, auction.prices)
    auction.prices[::2] += rng.random(len(auction.prices[::2]))
    auction.column[:] = rng.permutation(count)
    costs = cdist(left, right, METRICS[metric]) + auction.prices
    points = rows.PointRows(left, np.zeros(count, np.int64))
    lists = rows.new_nearest_lists(count, count, 9)
    search = new_tree_search(9)
    rows.list_nearest(tree, points, auction, search, lists, np.arange(count))
    held = min(9, count)
    for i in range(count):
        some = lists.columns[i * held : (i + 1) * held]
        assert auction.column[i] in some
        wanted = np.sort(costs[i])
        np.testing.assert_allclose(np.sort(costs[i, some])[: held - 1], wanted[: held - 1])
        assert (np.sort(costs[i])[held:] >= -lists.threshold[i] - 1e-12).all()
    best, more = np.zeros((2, count))
    known = np.full(count, np.nan)
    rows.find_better_columns(tree, points, auction, search, 0, best, more, known)
    np.testing.assert_allclose(best, -costs.min(axis=1))
    np.testing.assert_allclose(
        more, costs[np.arange(count), auction.column] - costs.min(axis=1), atol=1e-12
    )


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("kind", "dimensions"), [("even", 3), ("clusters", 2), ("grid", 2)])
def test_the_optimum_is_that_of_all_pairs(by_tree, metric, kind, dimensions):
    """SciPy's optimum, and prices that prove it for every pair, also those in no list."""
    left, right = clouds(250, dimensions, kind)
    problem = prunus.Assignment.from_points(left, right, metric=metric)
    result = prunus.solve(problem, devices="cpu:2")
    costs = cdist(left, right, metric)
    wanted = costs[linear_sum_assignment(costs)].sum()
    assert result.status is prunus.Status.OPTIMAL
    assert result.objective == pytest.approx(wanted, rel=1e-12)
    agents, jobs = result.duals
    slack = costs - agents[:, None] - jobs
    assert slack.min() > -1e-12
    assert abs(slack[np.arange(250), result.solution]).max() < 1e-12


@pytest.mark.parametrize("few", [0, 10_000])
def test_sets_that_lie_apart_are_solved_too(by_tree, monkeypatch, few):
    """All rows want the same columns: all pairs are looked at, or a tree if there are too many."""
    monkeypatch.setattr(points, "_FEW_POINTS", few)
    left, right = np.random.default_rng(3).random((2, 150, 2)) ** 6
    problem = prunus.Assignment.from_points(left, 1 - right)
    costs = cdist(left, 1 - right)
    result = prunus.solve(problem, devices="cpu:1")
    assert result.status is prunus.Status.OPTIMAL
    wanted = costs[linear_sum_assignment(costs)].sum()
    assert result.objective == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("short", [2, 3])
def test_columns_that_lists_leave_out_are_found(short):
    """With lists of two or three the check finds better columns, and paths go on with these."""
    left, right = clouds(200, 2, "clusters")
    tuning = PointTuning(listed=short, last_epsilon=1.0)
    orders, _ = tree_orders((left, right))
    points = PointSolver(left, right, orders, 0, Threads(1), tuning=tuning)
    checks = list(points.steps()).count("checked")
    assert checks > 1
    assert points.finished
    costs = cdist(left, right)
    wanted = costs[linear_sum_assignment(costs)].sum()
    assert costs[np.arange(200), points.column].sum() == pytest.approx(wanted, rel=1e-12)
    assert -(points.best.sum() + points.prices.sum()) == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("kind", ["even", "clusters"])
def test_bounds_and_assignments_are_there_early(kind):
    """Whenever it pauses there is an assignment, and every bound holds; the first is of distances
    to nearest points, and the phases make it nearly the optimum.
    """
    left, right = clouds(400, 2, kind)
    costs = cdist(left, right)
    wanted = costs[linear_sum_assignment(costs)].sum()
    tuning = PointTuning(bids=100, portion=50, bound_bids=2)
    orders, _ = tree_orders((left, right))
    points = PointSolver(left, right, orders, 0, Threads(1), bounded=True, tuning=tuning)
    bounds, gaps = [], []
    for phase in points.steps():
        assert sorted(points.column) == list(range(400))
        if phase == "bound":
            bounds.append(-points.best.sum() - points.prices.sum())
        if phase == "phase":
            gaps.append(costs[np.arange(400), points.column].sum() / wanted - 1)
    assert bounds[0] == pytest.approx(costs.min(axis=1).sum())
    assert len(bounds) > 1 + 2 * len(gaps)  # one at first, some in the first phase, two after each
    assert 0.95 * wanted < max(bounds) <= wanted * (1 + 1e-12)
    assert -1e-12 < gaps[-1] < 0.05
    if kind == "even":  # cheaper columns give the better bound at the end of the last phase
        assert bounds[-1] > bounds[-2]


def test_points_that_are_halved_together_are_near_each_other():
    """Longer is better, until the time is up: then there still is an order."""
    left, right = clouds(2000, 3, "even")
    far = []
    for levels in (0, 3, 20):
        left_over = iter(range(levels))
        orders, _ = tree_orders((left, right), lambda some=left_over: next(some, None) is not None)
        assert [sorted(order) for order in orders] == [list(range(2000))] * 2
        far.append(np.linalg.norm(left[orders[0]] - right[orders[1]], axis=1).sum())
    assert far[0] > 1.5 * far[1] > 2 * far[2]


def test_a_limit_leaves_an_assignment(by_tree):
    """At a limit of 0 there is one; with time the optimum is proven as without a limit."""
    left, right = clouds(300, 2, "even")
    problem = prunus.Assignment.from_points(left, right)
    first = prunus.solve(problem, devices="cpu:1", time_limit=0)
    last = prunus.solve(problem, devices="cpu:1", time_limit=600)
    assert first.status is prunus.Status.FEASIBLE
    assert problem.evaluate(first.solution) == first.objective >= last.objective
    assert last.status is prunus.Status.OPTIMAL


@pytest.mark.parametrize(
    ("shape", "others", "maximise", "wanted"),
    [
        ((50_000, 3), 50_000, False, True),
        ((50_000, 2), 50_000, False, False),
        ((50_000, 3), 50_001, False, False),
        ((50_000, 3), 50_000, True, False),
    ],
)
def test_many_points_in_space_are_for_cores(shape, others, maximise, wanted):
    """Whoever names a GPU has them solved on cores, too; not in the plane, or rectangles."""
    left, right = np.zeros(shape), np.zeros((others, shape[1]))
    problem = prunus.Assignment.from_points(left, right, maximize=maximise)
    assert applies.sooner_by_tree(problem) is wanted
