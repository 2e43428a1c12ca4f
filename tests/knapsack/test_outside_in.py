"""From the outside inwards: the optimum of plain Python, or a bound on it when given up."""

from __future__ import annotations

import numpy as np
import pytest

from prunus import Knapsack, read, solve
from prunus._native.knapsack import Reduced, Relaxation, fix_outside_in
from tests.knapsack.brute import optimum, random_instance


def relaxed(problem):
    """Return the items of a problem, and their relaxation."""
    items = Reduced(problem.weights, problem.profits, problem.capacity).items
    return items, Relaxation(items)


def circle(rng, n):
    """Items whose profit is a concave function of their weight."""
    w = rng.integers(1, 2000, n)
    p = np.sqrt(4.0 * (4 * 2000**2 - (w - 4000.0) ** 2)).astype(np.int64) // 3
    return p, w, int(w.sum()) // int(rng.integers(2, 5))


@pytest.mark.parametrize("slack", [0, 1, 50])
def test_it_finds_the_optimum_of_plain_python(slack):
    """From any value that is reached: the optimum and its items."""
    rng = np.random.default_rng(slack)
    for k in range(300):
        p, w, capacity = circle(rng, 14) if k % 2 else random_instance(rng, 12)
        problem = Knapsack(p, w, capacity)
        items, root = relaxed(problem)
        if len(items) == 0 or items.weights.sum() <= items.capacity:
            continue
        best = optimum(items.profits.tolist(), items.weights.tolist(), items.capacity)
        value = max(0, best - slack)
        found = fix_outside_in(root, value, 1 << 30, 10**6, 10**9)
        assert found.done
        assert found.value == found.limit == best
        assert found.improved == (best > value)
        if found.improved:
            assert found.chosen().value == best
            chosen = found.chosen().items
            assert len(set(chosen.tolist())) == len(chosen)
            assert items.weights[chosen].sum() <= items.capacity
            assert items.profits[chosen].sum() == best


def test_given_up_anywhere_the_limit_holds():
    """Stopped by the clock, by long lists, by states or by memory: value <= optimum <= limit."""
    rng = np.random.default_rng(4)
    unfinished = 0
    for k in range(200):
        problem = Knapsack(*circle(rng, 14))
        items, root = relaxed(problem)
        best = optimum(items.profits.tolist(), items.weights.tolist(), items.capacity)
        looks = iter(range(int(rng.integers(0, 12))))
        limits = [
            (1 << 30, 10**6, 10**9, lambda work, looks=looks: next(looks, None) is None),
            (1 << 30, int(rng.integers(1, 12)), 10**9),
            (1 << 30, 10**6, int(rng.integers(1, 60))),
            (int(rng.integers(1, 2000)), 10**6, 10**9),
        ]
        found = fix_outside_in(root, best - 20, *limits[k % 4], between_looks=5)
        unfinished += not found.done
        assert found.value <= best <= found.limit
        assert not found.done or found.value == best
    assert unfinished > 50


def test_where_one_list_from_the_inside_would_explode():
    """Circle with large coefficients: few states are looked at for a thousand items."""
    problem = read("knapsack:circle:1000:1000000:50")
    r = solve(problem, method="core", devices="cpu:1")
    assert r.status == "optimal"
    assert r.statistics["longest_list"] < 1000
    assert r.nodes < 500_000
    assert problem.evaluate(r.solution) == r.objective == 489512080
