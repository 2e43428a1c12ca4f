"""The method of groups against plain Python."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus._native.knapsack import GROUP_SCALE, Items, classify
from tests.knapsack.brute import optimum


def grouped(rng, items=14):
    """Items in a few narrow bands of weight, and a capacity."""
    noise = int(rng.choice([1, 5, 30]))
    bases = [0, *(1000 * noise * 3 ** np.arange(int(rng.integers(1, 5))))]
    n = int(rng.integers(3, items + 1))
    band = np.append(rng.integers(0, len(bases), n), [0, len(bases) - 1])
    base = np.array(bases)[band]
    w = base + rng.integers(1, noise + 1, len(band))
    p = base * int(rng.choice([1, 1, 2])) + rng.integers(1, noise + 1, len(band))
    capacity = int(w.sum() * rng.random())
    fits = w <= capacity
    return w[fits], p[fits], capacity


def grouped_items(w, p, capacity):
    """Return the groups of some items, if they form any."""
    return classify(Items(w, p, capacity)) if len(w) else None


def run(w, p, capacity, value=0):
    """Run the method; its items must be worth what it says."""
    groups = grouped_items(w, p, capacity)
    if groups is None:
        return None
    found = groups.search(value, int(p.sum()))
    assert found.done
    assert found.limit == found.value
    if found.improved:
        chosen = found.chosen()
        assert chosen.value == found.value
        assert len(set(chosen.items.tolist())) == len(chosen.items)
        assert w[chosen.items].sum() <= capacity
        assert p[chosen.items].sum() == found.value
    else:
        assert found.value == value
    return found.value


def test_thousands_of_small_instances():
    """The optimum and its items are plain Python's."""
    rng = np.random.default_rng(3)
    solved = 0
    for _ in range(600):
        w, p, capacity = grouped(rng)
        best = optimum(p.tolist(), w.tolist(), capacity)
        value = run(w, p, capacity)
        assert value in (None, best)
        solved += value is not None
        if value is not None and best:
            assert run(w, p, capacity, best) == best
            assert run(w, p, capacity, best - 1) == best
    assert solved > 300


def test_finer_grids_lead_to_the_optimum():
    """Where there are too many vectors of counts on a grid, one that is finer misses none."""
    rng = np.random.default_rng(4)
    solved = 0
    for _ in range(200):
        w, p, capacity = grouped(rng)
        groups = grouped_items(w, p, capacity)
        if groups is None:
            continue
        best = optimum(p.tolist(), w.tolist(), capacity)
        found = groups.search(0, int(p.sum()), refused=1)
        solved += found.done
        assert found.value <= best <= found.limit
        assert not found.done or found.value == best
    assert solved > 50


def test_stopped_anywhere_the_limit_holds():
    """No look comes after the one that says stop; value <= optimum <= limit."""
    rng = np.random.default_rng(9)
    stopped = 0
    for looks in (0, 1, 2, 5, 20, 60, 150, 300):
        w, p, capacity = grouped(rng)
        groups = grouped_items(w, p, capacity)
        if groups is None:
            continue
        asked = []

        def look(work, looks=looks, asked=asked):
            asked.append(work)
            return len(asked) > looks

        found = groups.search(0, int(p.sum()), look, slice=50)
        stopped += not found.done
        assert len(asked) <= looks + 1
        assert found.value <= optimum(p.tolist(), w.tolist(), capacity) <= found.limit
    assert stopped > 2


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 9), st.integers(1, 9)), max_size=12),
    st.integers(1, 3),
    st.floats(0, 1),
)
def test_any_bands(items, factor, share):
    """Hypothesis finds no bands of weight for which the optimum is missed."""
    w = np.array([1000 * band + a for band, a, _ in items], dtype=np.int64)
    p = np.array([1000 * factor * band + b for band, _, b in items], dtype=np.int64)
    capacity = int(w.sum() * share)
    w, p = w[w <= capacity], p[w <= capacity]
    value = run(w, p, capacity)
    assert value in (None, optimum(p.tolist(), w.tolist(), capacity))


def every_vector(groups):
    """All vectors of counts."""
    return product(*(range(most + 1) for most in groups.most))


def best_with(groups, counts, w, p, capacity):
    """The best choice with given counts, by plain Python; -1 if nothing fits."""
    best = {(0, *(0 for _ in counts)): 0}
    for c, members in [*enumerate(groups.members), (-1, groups.free)]:
        for j in members:
            for (weight, *k), profit in list(best.items()):
                taken = tuple(x + (i == c) for i, x in enumerate(k))
                key = (weight + int(w[j]), *taken)
                if key[0] <= capacity:
                    best[key] = max(best.get(key, 0), profit + int(p[j]))
    return max((v for (_, *k), v in best.items() if tuple(k) == tuple(counts)), default=-1)


def test_bounds_of_counts_hold_and_fills_are_best():
    """No choice with given counts is worth more than their bound; `fill` finds the best one."""
    rng = np.random.default_rng(5)
    tried = 0
    while tried < 60:
        w, p, capacity = grouped(rng, 8)
        groups = grouped_items(w, p, capacity)
        if groups is None:
            continue
        for vector in every_vector(groups):
            best = best_with(groups, vector, w, p, capacity)
            if best < 0:
                continue
            tried += 1
            price, bound = groups.least(list(vector))
            others = [groups.bound_at(list(vector), q) for q in range(0, 8000, 250)]
            assert GROUP_SCALE * best <= bound <= min(others)
            found = groups.fill(list(vector), price, bound, best)
            assert found.value == best == p[found.items].sum()
            assert w[found.items].sum() <= capacity
            assert groups.fill(list(vector), price, bound, best + 1) is None
            whole, near, bounds = groups.near(4, GROUP_SCALE * best)
            assert whole >= GROUP_SCALE * best
            assert list(vector) in near
            assert min(bounds) >= GROUP_SCALE * best
            assert bounds == sorted(bounds, reverse=True)


def test_items_without_bands_are_left_alone():
    """Weights drawn evenly form no classes, and neither does a single weight."""
    rng = np.random.default_rng(7)
    w = rng.integers(1, 10**6, 1000)
    assert grouped_items(w, w, 10**8) is None
    assert grouped_items(np.full(5, 3), np.arange(5) + 1, 9) is None
    assert grouped_items(np.array([5]), np.array([5]), 9) is None


@pytest.mark.parametrize("unit", [2**30, 2**36, 2**43, 2**50])
def test_large_numbers_are_exact_or_left_alone(unit):
    """Weights near the limit of exact sums are solved rightly, heavier ones not at all."""
    rng = np.random.default_rng(8)
    solved = 0
    for _ in range(20):
        count = rng.integers(0, 3, 10)
        w, p = (count * unit + rng.integers(1, 90, 10) for _ in range(2))
        capacity = int(w.sum()) // 2
        value = run(w, p, capacity)
        assert value in (None, optimum(p.tolist(), w.tolist(), capacity))
        solved += value is not None
    assert solved > 10 or unit > 2**40
    assert solved == 0 or unit < 2**50


def test_too_many_counts_are_given_up():
    """Bands with very many items are left to the other methods, at once."""
    w = np.repeat([1000, 3001], 20_000) + np.arange(40_000) % 7
    groups = grouped_items(w, w + np.arange(40_000) % 5, int(w.sum()) // 2)
    assert groups is not None
    assert not groups.search(0, int(2 * w.sum())).done
