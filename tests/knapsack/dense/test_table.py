"""The dense table: the recursion's values, whatever is trimmed, tiled or shared out."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.knapsack.dense.table import DecisionBits, plan_recursion, run_table
from prunus.knapsack.tuning import DenseTuning
from prunus.runtime.stop_token import StoppedError
from tests.knapsack.gpu.instances import plain


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("cores", [1, 3])
def test_values_and_items_of_every_wanted_capacity(dtype, cores):
    """Values from ``need`` on are the plain recursion's, and bits lead to items of that worth."""
    rng = np.random.default_rng(cores)
    for _ in range(150):
        how = DenseTuning(
            shared_cells=0,
            tile_cells=int(rng.integers(1, 200)),
            reach_cells=int(rng.integers(1, 900)),
            apart_weight=int(rng.integers(5, 900)),
        )
        reach = int(rng.choice([2, 30, 300]))
        n = int(rng.integers(1, 25))
        w, p = rng.integers(1, reach + 1, n), rng.integers(1, 1000, n)
        capacity = int(rng.integers(int(w.max()), int(w.sum()) + 3))
        need = int(rng.integers(0, capacity + 1))
        plan = plan_recursion(w, p, capacity, need)
        bits, expected = DecisionBits(plan, how), plain(w, p, capacity)
        values = run_table(plan, dtype, cores=cores, bits=bits, tuning=how)
        least = min(need, len(values) - 1)
        assert np.array_equal(values[least:], expected[least : len(values)])
        for c in (need, capacity):
            chosen = bits.trace(c)
            assert len(set(chosen.tolist())) == len(chosen)
            assert w[chosen].sum() <= c
            assert p[chosen].sum() == expected[c]


def test_light_items_at_both_ends_leave_a_third_of_the_cells():
    """On the paper's class a third of n · C is live, with descending weights .39 of it."""
    rng = np.random.default_rng(1)
    w = rng.integers(1, 1001, 2000)
    capacity = int(w.sum()) // 2
    plan = plan_recursion(w, w + 50, capacity, capacity)
    assert 0.32 < plan.cells / (len(w) * capacity) < 0.345


def test_a_tick_stops_the_table():
    """The table ends at the first pass after which the tick says so."""
    w = np.arange(1, 400)
    plan = plan_recursion(w, w, 20_000, 20_000)
    with pytest.raises(StoppedError):
        run_table(plan, np.int32, tick=lambda cells: True)
