"""Bounds are never below the optimum, with a constraint on the number of items or without."""

from __future__ import annotations

import numpy as np

from prunus.knapsack.bounds.cardinality import cardinality, tighten
from prunus.knapsack.bounds.free_items import free_items
from prunus.knapsack.bounds.relaxation import relax
from prunus.knapsack.expanding_core.core import ExpandingCore
from prunus.knapsack.two_list.tangents import TangentBound
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
        root = relax(w, p, np.ones_like(w), capacity)
        relaxations = [root]
        value = int(rng.integers(0, best))
        constraint = cardinality(root, capacity, value)
        if constraint is not None:
            cut += 1
            relaxations.append(tighten(root, capacity, constraint))
            assert relaxations[1].bound <= root.bound
        for r in relaxations:
            assert r.bound + r.slack >= best
            assert np.array_equal(w[r.order], r.w)
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


def test_long_sums_of_great_profits_lose_nothing():
    """Where sums of profits are beyond what floats hold exactly, bounds lose no more than slack."""
    rng = np.random.default_rng(3)
    w = rng.integers(1, 1001, 2000)
    p = (w << 41) + 127 + 256 * rng.integers(0, 50, 2000)
    items = dict(enumerate(zip(w.tolist(), p.tolist(), strict=True)))
    for capacity in range(int(w.sum()) // 3, int(w.sum()), 50_000):
        r = relax(w, p, np.ones_like(w), capacity)
        before, item = r.order[: r.middle].tolist(), int(r.order[r.middle])
        exact = sum(items[j][1] for j in before) + r.room * items[item][1] // items[item][0]
        assert exact <= r.bound + r.slack <= exact + 3 * r.slack
    left = free_items(r, 0)
    for k in (100, 1000, 2000):
        assert abs(int(left.cq[k]) - sum(left.p[:k].tolist())) <= r.slack
    rest = TangentBound(2000)
    core = ExpandingCore(r, 0, lambda: 10**9).state()
    rest.take_all_but(core, np.zeros(2000, dtype=np.uint8), 1)
    for k in (100, 1000, 2000):
        assert abs(int(rest.outside.cq[k]) - sum(left.p[:k].tolist())) <= r.slack
