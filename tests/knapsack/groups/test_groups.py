"""The method of groups against plain Python."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.knapsack.groups.classes import SCALE, classify
from prunus.knapsack.groups.counts import Counts
from prunus.knapsack.groups.dual import Dual
from prunus.knapsack.groups.fill import fill
from prunus.knapsack.groups.method import Groups
from prunus.knapsack.groups.sums import Sums
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


def run(w, p, capacity, value=0):
    """Run the method; its items must be worth what it says."""
    classes = classify(w, p, capacity)
    if classes is None:
        return None
    found = Groups(classes, value, int(p.sum()), lambda: False)
    assert found.run()
    assert found.limit == found.value
    if found.chosen is not None:
        assert len(set(found.chosen.tolist())) == len(found.chosen)
        assert w[found.chosen].sum() <= capacity
        assert p[found.chosen].sum() == found.value
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


class Refusing(Groups):
    """Takes the vectors of counts for too many until the grid has become finer."""

    finer = 0

    def _climb_down(self, counts):
        self.finer += 1
        return self.finer > 1 and super()._climb_down(counts)


def test_finer_grids_lead_to_the_optimum():
    """Where there are too many vectors of counts on a grid, one that is finer misses none."""
    rng = np.random.default_rng(4)
    solved = 0
    for _ in range(200):
        w, p, capacity = grouped(rng)
        classes = classify(w, p, capacity)
        if classes is None:
            continue
        best = optimum(p.tolist(), w.tolist(), capacity)
        found = Refusing(classes, 0, int(p.sum()), lambda: False)
        solved += found.run() and found.finer > 1
        assert found.value <= best <= found.limit
        assert not found.done or found.value == best
    assert solved > 50


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


def every_vector(classes):
    """All vectors of counts."""
    return product(*(range(int(most) + 1) for most in classes.most))


def best_with(classes, counts, w, p):
    """The best choice with given counts, by plain Python; -1 if nothing fits."""
    best = {(0, *(0 for _ in counts)): 0}
    for c, members in [*enumerate(classes.members), (-1, classes.free)]:
        for j in members.tolist():
            for (weight, *k), profit in list(best.items()):
                taken = tuple(x + (i == c) for i, x in enumerate(k))
                key = (weight + int(w[j]), *taken)
                if key[0] <= classes.capacity:
                    best[key] = max(best.get(key, 0), profit + int(p[j]))
    return max((v for (_, *k), v in best.items() if tuple(k) == tuple(counts)), default=-1)


def test_bounds_of_counts_hold_and_fills_are_best():
    """No choice with given counts is worth more than their bound; `fill` finds the best one."""
    rng = np.random.default_rng(5)
    tried = 0
    while tried < 60:
        w, p, capacity = grouped(rng, 8)
        classes = classify(w, p, capacity)
        if classes is None:
            continue
        dual, sums = Dual(classes), Sums(classes, 0, 4)
        whole = Counts(classes, sums)
        for vector in every_vector(classes):
            counts = np.array(vector)
            best = best_with(classes, vector, w, p)
            if best < 0:
                continue
            tried += 1
            price, bound = dual.least(counts)
            assert (
                SCALE * best <= bound <= min(dual.value(counts, q)[0] for q in range(0, 8000, 250))
            )
            assert whole.bound >= SCALE * best
            value, items = fill(classes, counts, price, bound, best)
            assert value == best == p[items].sum()
            assert w[items].sum() <= capacity
            assert fill(classes, counts, price, bound, best + 1) is None
            near, bounds = whole.narrowed(SCALE * best).near(SCALE * best, 10**4)
            assert tuple(vector) in {tuple(row) for row in near.tolist()}
            assert bounds.min() >= SCALE * best


def test_items_without_bands_are_left_alone():
    """Weights drawn evenly form no classes, and neither does a single weight."""
    rng = np.random.default_rng(7)
    w = rng.integers(1, 10**6, 1000)
    assert classify(w, w, 10**8) is None
    assert classify(np.full(5, 3), np.arange(5) + 1, 9) is None
    assert classify(np.array([5]), np.array([5]), 9) is None


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
    classes = classify(w, w + np.arange(40_000) % 5, int(w.sum()) // 2)
    assert classes is not None
    assert not Groups(classes, 0, int(2 * w.sum()), lambda: False).run()
