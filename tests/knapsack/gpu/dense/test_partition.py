"""How several devices split passes and cells."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from prunus.knapsack.gpu.dense.partition import split
from prunus.knapsack.gpu.dense.passes import ranges


def plans(rng, devices, exchange):
    """Split random passes."""
    count = int(rng.integers(1, 60))
    passes = SimpleNamespace(span=rng.integers(1, 50, count))
    capacity = int(rng.integers(1, passes.span.sum() + 1))
    low, high = ranges(passes, capacity, int(rng.integers(0, capacity + 1)))
    return passes, low, high, split(passes, low, high, np.ones(count), devices, exchange)


@pytest.mark.parametrize("devices", [1, 2, 3, 5])
def test_every_pass_and_cell_is_somebodys(devices):
    """Stretches follow one another, and the cells of the row after each are divided in order."""
    rng = np.random.default_rng(devices)
    for _ in range(100):
        passes, low, high, plan = plans(rng, devices, float(rng.choice([0, 50, 5000])))
        assert plan.begin[0] == 0
        assert plan.begin[-1] == len(passes.span)
        assert (np.diff(plan.begin) > 0).all()
        last = plan.begin[1:] - 1
        assert len(plan) == len(last)
        assert (plan.cuts[:, 0] == low[last]).all()
        assert (plan.cuts[:, -1] == high[last] + 1).all()
        assert (np.diff(plan.cuts, axis=1) >= 0).all()


def test_dearer_exchanges_are_fewer():
    """A free exchange is made after every pass, one that costs more than all of it never."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        seed = int(rng.integers(1000))
        counts = []
        for exchange in (0.0, 100.0, 1000.0, 1e12):
            passes, *_, plan = plans(np.random.default_rng(seed), 2, exchange)
            counts.append(len(plan))
        assert counts == sorted(counts, reverse=True)
        assert counts[0] == len(passes.span)
        assert counts[-1] == 1
