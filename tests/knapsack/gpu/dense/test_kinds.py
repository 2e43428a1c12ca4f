"""Kinds of items: each counted, the best of a weight kept, however they are sorted."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.knapsack.gpu.dense import kinds as item_kinds
from prunus.knapsack.gpu.dense.kinds import bundle, count_kinds


def check(w, p, capacity, kinds):
    """Compare kinds with a plain count of the items that fit together, the best of a weight."""
    expected: Counter = Counter()
    for weight in set(w.tolist()):
        fit = np.sort(p[w == weight])[::-1][: capacity // weight]
        expected.update((weight, profit) for profit in fit.tolist())
    columns = zip(kinds.unit.tolist(), kinds.profit.tolist(), kinds.copies.tolist(), strict=True)
    found = {(unit, profit): copies for unit, profit, copies in columns}
    assert found == expected
    assert len(found) == len(kinds.unit)
    order = list(zip(kinds.unit, -kinds.profit, strict=True))
    assert order == sorted(order)


def members_agree(w, p, kinds):
    """Tell whether the members are different items of the right kinds."""
    assert len(set(kinds.members.tolist())) == len(kinds.members) == kinds.copies.sum()
    for k in range(len(kinds.unit)):
        here = kinds.members[kinds.start[k] : kinds.start[k] + kinds.copies[k]]
        assert (w[here] == kinds.unit[k]).all()
        assert (p[here] == kinds.profit[k]).all()


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.tuples(st.integers(1, 40), st.integers(1, 5)), min_size=1, max_size=80),
    st.integers(1, 300),
    st.booleans(),
    st.sampled_from([1, 1000, 2**40]),
)
def test_items_of_each_kind_are_counted(items, capacity, same, times):
    """Weight by weight the best items that fit are counted, and named if that is asked for."""
    w, p = (np.array(column) for column in zip(*items, strict=True))
    w = w * times
    if same:
        p = w + 3
    kinds = count_kinds(w, p, capacity * times, items=True)
    check(w, p, capacity * times, kinds)
    members_agree(w, p, kinds)
    unnamed = count_kinds(w, p, capacity * times, items=False)
    assert np.array_equal(unnamed.copies, kinds.copies)


@pytest.mark.parametrize("most", [1, 30, 10**4, 2**20, 2**27, 2**40, 2**61])
def test_many_items_are_sorted_digit_by_digit_or_otherwise(most, monkeypatch):
    """Whatever the range of weights and profits is, they are sorted as NumPy sorts them."""
    monkeypatch.setattr(item_kinds, "_FEW", 50)
    rng = np.random.default_rng(0)
    w, p = rng.integers(1, most + 1, 300), rng.integers(1, 200, 300)
    weights, profits, items = item_kinds._by_weight(w, p)
    order = np.lexsort((-p, w))
    assert np.array_equal(weights, w[order])
    assert np.array_equal(profits, p[order])
    assert np.array_equal(items, order)


@pytest.mark.parametrize("copies", [1, 127, 128, 200, 10**4, 10**6])
def test_copies_are_bound_until_a_pass_can_take_them(copies):
    """No kind keeps more than 127 copies, they weigh as much, and each stands for other items."""
    w, p = np.repeat([2, 3], [copies, 5]), np.repeat([7, 8], [copies, 5])
    kinds = bundle(count_kinds(w, p, 10**9, items=True))
    assert (kinds.copies <= 127).all()
    assert (kinds.unit[1:] >= kinds.unit[:-1]).all()
    total = kinds.copies * kinds.size
    assert total.sum() == copies + 5
    assert (kinds.copies * kinds.unit).sum() == w.sum()
    assert (kinds.copies * kinds.profit).sum() == p.sum()
    covered = np.zeros(copies + 5, np.int64)
    for start, size in zip(kinds.start, total, strict=True):
        covered[start : start + size] += 1
    assert (covered == 1).all()
