"""Bounds are never below the optimum, with a constraint on the number of items or without."""

from __future__ import annotations

import numpy as np
import pytest

from prunus._native.knapsack import Items, Relaxation
from tests.knapsack.brute import optimum, random_instance


def test_no_bound_is_below_the_optimum():
    """Relaxed, with a constraint on the number, and with any one item forced, bounds hold."""
    rng = np.random.default_rng(0)
    cut = 0
    for _ in range(1500):
        p, w, capacity = random_instance(rng, 9)
        fit = (w > 0) & (w <= capacity) & (p > 0)
        p, w = p[fit], w[fit]
        if not len(w) or w.sum() <= capacity:
            continue
        best = optimum(p.tolist(), w.tolist(), capacity)
        root = Relaxation(Items(w, p, capacity))
        relaxations = [root]
        value = int(rng.integers(0, best))
        if root.cardinality(value) is not None:
            cut += 1
            tighter = root.tightened(value)
            if tighter is not None:
                relaxations.append(tighter)
                assert tighter.bound < root.bound
        for r in relaxations:
            assert r.bound + r.slack >= best
            assert r.limit() >= best
            assert np.array_equal(w[r.order], r.w)
            assert np.array_equal(p[r.order], r.p)
            forced = r.forced() + r.profit + r.slack
            for k, item in enumerate(r.order.tolist()):
                rest = np.delete(np.arange(len(w)), item)
                inside = k < r.middle
                room = capacity if inside else capacity - int(w[item])
                best_forced = optimum(p[rest].tolist(), w[rest].tolist(), room)
                best_forced += 0 if inside else int(p[item])
                if best_forced > value:
                    assert forced[k] >= best_forced
    assert cut > 100


@pytest.mark.parametrize("n", [3, 99, 101, 3000, 9000])
def test_items_are_sorted_by_efficiency_and_equal_ones_stay_in_order(n):
    """The order is NumPy's stable one, for any number of items."""
    rng = np.random.default_rng(n)
    w, p = rng.integers(1, 60, n), rng.integers(1, 10 ** int(rng.integers(1, 9)), n)
    root = Relaxation(Items(w, p, int(w.sum()) // 2))
    order = np.argsort(-(p / w), kind="stable")
    assert np.array_equal(root.order, order)
    assert np.array_equal(root.e, np.append((p / w)[order], 0.0))
    assert root.profit == p[order[: root.middle]].sum()
    assert 0 <= root.room < root.w[root.middle]


def test_long_sums_of_great_profits_lose_nothing():
    """Where sums of profits are beyond what floats hold exactly, bounds lose no more than slack."""
    rng = np.random.default_rng(3)
    w = rng.integers(1, 1001, 2000)
    p = (w << 41) + 127 + 256 * rng.integers(0, 50, 2000)
    items = dict(enumerate(zip(w.tolist(), p.tolist(), strict=True)))
    for capacity in range(int(w.sum()) // 3, int(w.sum()), 50_000):
        r = Relaxation(Items(w, p, capacity))
        before, item = r.order[: r.middle].tolist(), int(r.order[r.middle])
        exact = sum(items[j][1] for j in before) + r.room * items[item][1] // items[item][0]
        assert exact <= r.bound + r.slack <= exact + 3 * r.slack
    left = r.free_items(0)
    for k in (100, 1000, 2000):
        assert abs(int(left.cq[k]) - sum(left.p[:k].tolist())) <= r.slack


def test_one_of_the_first_items_that_follow_is_exchanged_for_the_cheapest_that_makes_room():
    """The greedy choice fits, is worth what it says, and is the best of those it looks at."""
    rng = np.random.default_rng(5)
    exchanged = 0
    for _ in range(500):
        w = rng.integers(1, 100, 30)
        p = w + rng.integers(5, 15, 30)
        capacity = int(rng.integers(50, w.sum()))
        r = Relaxation(Items(w, p, capacity))
        free, filled = r.room, 0
        for j in range(r.middle, 30):
            if r.w[j] <= free:
                free, filled = free - int(r.w[j]), filled + int(r.p[j])
        best = [filled]
        for k in range(r.middle, min(r.middle + 4, 30)):
            drops = [j for j in range(r.middle) if r.w[k] - r.w[j] <= r.room]
            best.append(max((int(r.p[k] - r.p[j]) for j in drops), default=0))
        found = r.greedy(0, exchanges=4)
        assert found is not None
        assert found.value == r.profit + max(best) == p[found.items].sum()
        assert w[found.items].sum() <= capacity
        assert len(set(found.items.tolist())) == len(found.items)
        assert r.greedy(found.value, exchanges=4) is None
        exchanged += max(best[2:], default=0) > max(best[:2])
    assert exchanged > 20
