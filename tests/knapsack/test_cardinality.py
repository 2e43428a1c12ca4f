"""A constraint on the number of items: a tighter bound, whenever the search for its price ends."""

from __future__ import annotations

import numpy as np

from prunus._native.knapsack import Items, Relaxation
from tests.knapsack.brute import optimum


def test_stopped_after_any_multiplier_the_bound_holds():
    """However few multipliers there is time for, the bound is one, and no worse than without."""
    rng = np.random.default_rng(6)
    bounds = set()
    for looks in range(12):
        w = rng.integers(1, 60, 9)
        p = w + 20 + rng.integers(0, 4, 9)
        capacity = int(w.sum()) // 2
        root = Relaxation(Items(w, p, capacity))
        if root.cardinality(0) is None:
            continue
        left = iter(range(looks))
        tighter = root.tightened(0, lambda work, left=left: next(left, None) is None)
        r = tighter or root
        best = optimum(p.tolist(), w.tolist(), capacity)
        assert best <= r.bound + r.slack <= root.bound + root.slack
        bounds.add(r.bound < root.bound)
    assert bounds == {False, True}


def test_strongly_correlated_items_close_the_gap():
    """For p = w + s the bound with the number of items is the capacity plus s for each of them."""
    rng = np.random.default_rng(2)
    w = rng.integers(1, 1001, 500)
    capacity = int(w.sum()) // 2
    root = Relaxation(Items(w, w + 100, capacity))
    side, at_most = root.cardinality(0)
    assert not at_most or side == np.searchsorted(np.cumsum(np.sort(w)), capacity, side="right")
    tight = root.tightened(0)
    assert tight.multiplier == 100
    assert abs(tight.bound - (capacity + 100 * side)) < 1e-3
    assert tight.bound < root.bound - 1
