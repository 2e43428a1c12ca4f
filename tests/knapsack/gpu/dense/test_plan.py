"""Passes: every item is in one, nothing reaches too far, ties leave every number possible."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.knapsack.gpu.dense.passes import (
    CHAIN,
    IDENTICAL,
    LONG_CHAIN,
    TILE,
    PassLimits,
    extent,
    ranges,
)
from prunus.knapsack.gpu.dense.plan import arrange, halves

LIMITS = PassLimits(4, 8, window=100, worth=4000, row=32, rows=12, traced=400, steps=6)


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
    st.booleans(),
    st.floats(0, 1),
)
def test_passes_hold_what_the_kernels_take(items, copies, tie, share):
    """Whatever the items are, no pass is larger than its kernel, and steps are the useful items."""
    w, p = (np.array(column) for column in zip(*items, strict=True))
    w[0] = w[: len(w) // 3 + 1].min()
    w, p = np.concatenate([w, np.full(copies, w[0])]), np.concatenate([p, np.full(copies, p[0])])
    capacity = max(int(w.max()), int(share * w.sum()))
    limits = LIMITS._replace(tie=tie)
    passes = arrange(w, p, capacity, capacity, limits)
    chosen = passes.expand(np.ones(len(passes.steps)))
    assert len(set(chosen.tolist())) == len(chosen)
    for weight in set(w.tolist()):  # of each weight the most valuable that fit
        here = np.sort(p[chosen][w[chosen] == weight])
        most = min(capacity // weight, int((w == weight).sum()))
        assert np.array_equal(here, np.sort(p[w == weight])[-most:])
    assert passes.span.sum() == w[chosen].sum()
    seen = 0
    for k in range(len(passes)):
        steps = slice(int(passes.first[k]), int(passes.first[k] + passes.count[k]))
        kind, reach, lines = int(passes.kind[k]), int(passes.reach[k]), int(passes.lines[k])
        seen += int(passes.count[k])
        units = passes.steps["shift"][steps].astype(np.int64)
        if kind != TILE:
            assert reach == (1 << units).sum()
            assert reach <= {CHAIN: 4, LONG_CHAIN: 8, IDENTICAL: 100}[kind]
            assert passes.span[k] == reach * passes.unit[k]
            worth = passes.steps["profit"][steps] >> units
            if kind == IDENTICAL:
                assert (worth == worth[0]).all()
                assert reach * worth[0] < 4000
                assert sums((1 << units).tolist()) == set(range(reach + 1))
            else:
                assert (units == 0).all()
        else:
            assert passes.count[k] <= 6
            assert (lines + 1) * (reach + 1) <= 400
            weights = units * passes.unit[k] + passes.steps["weight"][steps]
            assert weights.sum() == passes.span[k] == lines * passes.unit[k] + reach
            assert (units == (lines > 0)).all()
            assert lines <= 12 >> passes.fold[k]
            assert reach < (32 << passes.fold[k] if lines else 32 * 12)
    assert seen == len(passes.steps)
    low, high = ranges(passes, capacity, capacity)
    assert (low <= high).all()
    assert high[-1] == min(capacity, w[chosen].sum())
    assert (extent(passes, np.full(6, 136), limits) >= 32).all()


@pytest.mark.parametrize("copies", [1, 2, 3, 63, 64, 126, 127, 128, 129, 1000, 8128, 8129, 99999])
def test_ties_leave_every_number_possible(copies):
    """Of m identical items 0 to m can be chosen, if there are many by steps as few as digits."""
    w, p = np.full(copies, 3), np.full(copies, 5)
    passes = arrange(w, p, 3 * copies, 3 * copies, LIMITS._replace(worth=2**30))
    assert len(passes.size) <= 3 * copies.bit_length() or copies < 32
    assert sums(passes.size.tolist()) == set(range(copies + 1))
    assert np.array_equal(passes.steps["profit"], 5 * passes.size)
    members = np.sort(passes.expand(np.ones(len(passes.size))))
    assert np.array_equal(members, np.arange(copies))


def test_units_of_chains_fit_in_their_words():
    """Weights from 2**31 on go to tiles, whose offsets have 64 bits."""
    w = np.repeat(np.array([2**31 - 1, 2**31, 5 * 2**31]), 9)
    passes = arrange(w, w, 40 * 2**31, 40 * 2**31, LIMITS)
    assert (passes.unit[passes.kind != TILE] < 2**31).all()
    assert (passes.kind == TILE).any()


def test_halves_share_the_passes_and_the_work():
    """Every pass is in one of two halves that each touch about half of the cells, or in neither."""
    w = np.random.default_rng(0).integers(1, 1001, 5000)
    capacity = int(w.sum()) // 2
    passes = arrange(w, w + 50, capacity, capacity, LIMITS)
    parts = halves(passes, capacity)
    assert parts is not None
    assert np.array_equal(np.sort(np.concatenate([part.first for part in parts])),
                          np.sort(passes.first))  # fmt: skip
    weigh = [part.span.sum() for part in parts]
    cells = [
        (high - low + 1).sum()
        for low, high in (
            ranges(part, capacity, max(0, capacity - other))
            for part, other in zip(parts, weigh[::-1], strict=True)
        )
    ]
    low, high = ranges(passes, capacity, capacity)
    assert max(cells) < 0.52 * (high - low + 1).sum()
    heavy = np.array([1000, 1])
    assert halves(arrange(heavy, heavy, 1000, 1000, LIMITS), 1000) is None
