"""The dense method alone: items by decision bits and by halving, and what both cost."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.knapsack.dense.method import CpuDense
from prunus.knapsack.dense.table import plan_recursion
from tests.knapsack.brute import optimum


def counted(memory, limit):
    """A dense method on one core that counts its cells."""
    cells = []
    method = CpuDense(1, memory, limit, lambda count: bool(cells.append(count)))
    return method, cells


def test_halving_finds_the_items_for_at_most_twice_the_cells():
    """Where only the table fits, the items are as good as by bits, at up to 2.3 times the cells."""
    rng = np.random.default_rng(0)
    for n in (2, 3, 4, 7, 30, 60):
        for _ in range(8):
            w = rng.integers(1, 200, n)
            p = w + rng.integers(1, 100, n)
            capacity = int(rng.integers(int(w.max()), int(w.sum())))
            best, limit = optimum(p.tolist(), w.tolist(), capacity), int(p.sum())
            plan = plan_recursion(w, p, capacity, capacity)
            table = 4 * (int(plan.most[-1]) + 1)
            roomy, cells_by_bits = counted(1 << 30, limit)
            tight, cells_by_halving = counted(table, limit)
            for method in (roomy, tight):
                chosen = method.choose(w, p, capacity)
                assert len(set(chosen.tolist())) == len(chosen)
                assert w[chosen].sum() <= capacity
                assert p[chosen].sum() == best
            assert sum(cells_by_halving) < 2.3 * sum(cells_by_bits)


def test_a_table_that_does_not_fit_is_refused():
    """Below the size of the table nothing is allocated."""
    w = np.array([10**6, 10**6 + 1, 10**6 + 2])
    with pytest.raises(MemoryError):
        CpuDense(1, 10**6, 10**7).choose(w, w, 2 * 10**6)
