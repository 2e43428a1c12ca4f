"""Points whose distances are minimised: a tree in place of all pairs, and the same optimum."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

import prunus
from prunus._native.points import PointMatching, halve
from prunus.assignment.distances import METRICS
from prunus.assignment.points import applies
from prunus.assignment.points.orders import tree_orders
from prunus.assignment.points.solver import PointSolver, PointTuning
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
@pytest.mark.parametrize("dimensions", [2, 3, 5])
@pytest.mark.parametrize("count", [1, 7, 31, 300])
def test_the_tree_finds_the_cheapest_columns(metric, dimensions, count):
    """At prices that bids have raised: the best net values are those that all pairs show."""
    left, right = clouds(count, dimensions, "clusters", seed=count + metric)
    first, second, ordered = tree_orders(left, right)
    assert ordered
    assert sorted(first) == sorted(second) == list(range(count))
    left, right = left[first], right[second]
    kernel = PointMatching(left, right, metric)
    costs = cdist(left, right, METRICS[metric])
    kernel.begin_lists(9)
    kernel.list(0, count)
    assert kernel.nearest_distance() == pytest.approx(costs.min(axis=1).mean())
    kernel.open()
    kernel.bid(0.1, 2, 40 * count)
    kernel.begin_check()
    kernel.check(0, count)
    assert kernel.bids > 0
    costs += kernel.prices
    np.testing.assert_allclose(kernel.best, -costs.min(axis=1))
    own = np.where(kernel.column < 0, np.inf, costs[np.arange(count), kernel.column])
    wrong = np.flatnonzero(own > costs.min(axis=1) + 1e-9)
    assert kernel.collect(0.0) >= len(wrong)
    kernel.release()
    assert set(np.flatnonzero(kernel.column < 0)) >= set(wrong)


def test_lists_hold_an_assignment_of_nearest_columns():
    """Matching in lists of all columns is the optimum; a shorter list keeps a row's own column."""
    left, right = clouds(60, 3, "even")
    costs = cdist(left, right)
    kernel = PointMatching(left, right, 0)
    for listed in (60, 100):
        kernel.begin_lists(listed)
        kernel.list(0, 60)
        kernel.open()
        kernel.begin_matching()
        while not kernel.match(100):
            pass
        wanted = costs[linear_sum_assignment(costs)].sum()
        assert costs[np.arange(60), kernel.column].sum() == pytest.approx(wanted)
    kernel.begin_lists(1)
    kernel.list(0, 60)
    kernel.begin_matching()
    assert kernel.match(10)


def test_arguments_that_do_not_go_together_are_refused():
    """Nothing is read out of bounds: sets of different sizes, orders of other points, no lists."""
    with pytest.raises(ValueError, match="sizes"):
        PointMatching(np.zeros((3, 2)), np.zeros((4, 2)), 0)
    with pytest.raises(ValueError, match="metric"):
        PointMatching(np.zeros((3, 2)), np.zeros((3, 2)), 4)
    wrong = np.full(40, 40, np.int32)
    with pytest.raises(ValueError, match="order"):
        halve(np.zeros((40, 2)), np.zeros((40, 2)), 0, wrong, wrong)
    kernel = PointMatching(np.zeros((3, 2)), np.zeros((3, 2)), 0)
    with pytest.raises(ValueError, match="lists"):
        kernel.bid(1.0, 1, 1)
    with pytest.raises(ValueError, match="begun"):
        kernel.match(1)
    with pytest.raises(ValueError, match="rows"):
        kernel.check(0, 4)


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
    *orders, _ = tree_orders(left, right)
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
    *orders, _ = tree_orders(left, right)
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
        *orders, _ = tree_orders(left, right, lambda some=left_over: next(some, None) is not None)
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
