"""Passes: every item is in one, nothing reaches too far, and every number of copies is possible."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.knapsack.gpu.dense.kernels import (
    CHAIN,
    IDENTICAL,
    LONG_CHAIN,
    TILE,
    ChainCut,
    KernelCuts,
)
from prunus.knapsack.gpu.dense.passes import arrange, ranges

CUTS = KernelCuts(
    few=ChainCut(4, 4, 32),
    many=ChainCut(8, 4, 32),
    identical=ChainCut(100, 8, 32),
    rows=12,
    threads=32,
    traced_rows=12,
    steps=6,
)


def everything(passes):
    """What the way back notes of passes of which all items are used."""
    return np.where(passes.kind == TILE, (1 << passes.count) - 1, passes.reach)


def sums(parts):
    """All sums of some of the parts."""
    found = {0}
    for part in parts:
        found |= {total + part for total in found}
    return found


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.tuples(st.integers(1, 4000), st.integers(1, 50)), min_size=1, max_size=60),
    st.integers(1, 300),
    st.sampled_from([1, 2**40]),
    st.floats(0, 1),
)
def test_passes_hold_what_the_kernels_take(items, copies, dear, share):
    """Whatever the items are, no pass is larger than its kernel, and steps are the useful items."""
    w, p = (np.array(column) for column in zip(*items, strict=True))
    w[0] = w[: len(w) // 3 + 1].min()
    w, p = np.concatenate([w, np.full(copies, w[0])]), np.concatenate([p, np.full(copies, p[0])])
    p *= dear
    capacity = max(int(w.max()), int(share * w.sum()))
    passes = arrange(w, p, capacity, capacity, CUTS, 64 if dear > 1 else 32)
    chosen = passes.expand(everything(passes))
    assert len(set(chosen.tolist())) == len(chosen)
    for weight in set(w.tolist()):  # of each weight the most valuable that fit
        here = np.sort(p[chosen][w[chosen] == weight])
        most = min(capacity // weight, int((w == weight).sum()))
        assert np.array_equal(here, np.sort(p[w == weight])[-most:])
    assert passes.span.sum() == w[chosen].sum()
    assert passes.count.sum() == len(passes.steps)
    for k in range(len(passes)):
        steps = passes.steps[int(passes.first[k]) : int(passes.first[k] + passes.count[k])]
        kind, reach = int(passes.kind[k]), int(passes.reach[k])
        if kind == TILE:
            assert passes.count[k] <= CUTS.steps
            assert reach == passes.span[k] == steps["weight"].sum() <= CUTS.reach
        else:
            assert reach <= {CHAIN: 4, LONG_CHAIN: 8, IDENTICAL: 100}[kind]
            assert passes.span[k] == reach * passes.weight[k]
            assert passes.count[k] == (1 if kind == IDENTICAL else reach)
            assert (np.diff(steps["profit"]) <= 0).all()
    low, high = ranges(np.cumsum(passes.span), capacity, capacity)
    assert (low <= high).all()
    assert high[-1] == min(capacity, w[chosen].sum())


@pytest.mark.parametrize("weight", [3, 300])
@pytest.mark.parametrize("copies", [1, 2, 3, 49, 50, 99, 100, 101, 150, 1000, 8129, 99999])
def test_bundles_leave_every_number_possible(copies, weight):
    """Of m identical items 0 to m can be chosen, by bundles of which there are few."""
    w, p = np.full(copies, weight), np.full(copies, 5)
    passes = arrange(w, p, weight * copies, weight * copies, CUTS, 32)
    assert len(passes) <= 3 * copies.bit_length()
    times = np.where(passes.kind == IDENTICAL, passes.reach, passes.count)
    parts = np.repeat(passes.size[passes.first], times)
    parts = passes.size if (passes.kind == TILE).any() else parts
    assert len(sums(parts.tolist())) == copies + 1
    assert np.array_equal(np.sort(passes.expand(everything(passes))), np.arange(copies))


def test_items_that_do_not_fit_in_a_key():
    """Weights and profits too large to sort in one word are packed like small ones."""
    rng = np.random.default_rng(0)
    w, p = rng.integers(1, 9, 200), rng.integers(1, 9, 200)
    small = arrange(w, p, 300, 300, CUTS, 32)
    large = arrange(w << 40, p << 40, 300 << 40, 300 << 40, CUTS, 64)
    assert small.span.sum() << 40 == large.span.sum()
    assert (large.kind != TILE).all()
    kept = [np.sort(passes.expand(everything(passes))) for passes in (small, large)]
    assert np.array_equal(*([np.sort(w[some] * 100 + p[some]) for some in kept]))
