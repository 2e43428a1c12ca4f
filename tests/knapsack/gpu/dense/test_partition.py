"""How several devices divide passes and cells."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.knapsack.gpu.dense.partition import Share, divide
from prunus.knapsack.gpu.dense.passes import arrange, costs, pass_ps, ranges
from tests.knapsack.gpu.dense.test_passes import CUTS


def division(rng, devices, exchange, most=1e18):
    """Divide random passes."""
    count = int(rng.integers(1, 60))
    w = rng.integers(1, 50, count)
    capacity = int(rng.integers(w.max(), w.sum() + 50))
    passes = arrange(w, w + rng.integers(1, 9, count), capacity, capacity, CUTS, 32)
    low, high = ranges(np.cumsum(passes.span), capacity, int(rng.integers(0, capacity + 1)))
    return divide(passes, low, high, devices, exchange, most)


@pytest.mark.parametrize("devices", [1, 2, 3, 5])
def test_every_pass_and_cell_is_somebodys(devices):
    """Phases follow one another, and the cells of the row after each are divided in order."""
    rng = np.random.default_rng(devices)
    for _ in range(100):
        whole = division(rng, devices, float(rng.choice([0, 1e3, 1e6])))
        assert whole.begin[0] == 0
        assert whole.begin[-1] == len(whole.passes)
        assert (np.diff(whole.begin) > 0).all()
        last = whole.begin[1:] - 1
        assert (whole.cuts[:, 0] == whole.low[last]).all()
        assert (whole.cuts[:, -1] == whole.high[last] + 1).all()
        assert (np.diff(whole.cuts, axis=1) >= 0).all()


@pytest.mark.parametrize("devices", [1, 2, 3, 5])
def test_a_device_has_all_that_its_cells_depend_on(devices):
    """Each pass of a phase computes what the next one reads; the first reads live cells alone."""
    rng = np.random.default_rng(devices)
    for _ in range(60):
        whole = division(rng, devices, float(rng.choice([0, 1e3, 1e6])))
        span, low, high = whole.passes.span, whole.low, whole.high
        for index in range(devices):
            share = Share(whole, index, 0)
            for phase, (begin, end) in enumerate(zip(whole.begin, whole.begin[1:], strict=False)):
                first, until = whole.cuts[phase, index : index + 2]
                if first < until:
                    assert share.low[end - 1] <= first
                    assert share.high[end - 1] >= until - 1
                for k in range(begin, end):
                    lowest = max(share.low[k] - span[k], 0)
                    before = low[k - 1] if k else 0
                    top = high[k - 1] if k else 0
                    had = share.source_low[phase] if k == begin else share.low[k - 1]
                    assert had <= max(min(lowest, top), before)
                    assert share.top[k] >= min(share.high[k], top)


def test_dearer_exchanges_are_fewer():
    """A free exchange is made after every pass, one that costs more than all of it never."""
    for seed in range(20):
        counts = []
        for exchange in (0.0, 1e3, 1e5, 1e15):
            whole = division(np.random.default_rng(seed), 2, exchange)
            counts.append(len(whole.cuts))
        assert counts == sorted(counts, reverse=True)
        assert counts[0] == len(whole.passes)
        assert counts[-1] == 1


def test_no_phase_takes_long():
    """One device exchanges nothing; its phases are as long as nobody waits for the clock."""
    whole = division(np.random.default_rng(3), 1, 0.0)
    assert len(whole.cuts) == 1
    most = 2e7
    whole = division(np.random.default_rng(3), 1, 0.0, most)
    cost = costs(whole.passes, pass_ps(int(whole.high[-1])))
    takes = np.add.reduceat((whole.high - whole.low + 1) * cost, whole.begin[:-1])
    long = np.diff(whole.begin) > 1
    assert len(whole.cuts) > 1
    assert long.any()
    assert (takes[long] <= most).all()
