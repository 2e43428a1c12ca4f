"""The dense recursion: its values and items, whatever is trimmed, tiled, shared out or halved."""

from __future__ import annotations

import numpy as np
import pytest

from prunus._native.knapsack import (
    DenseLimits,
    DenseStop,
    dense_choice,
    dense_cost,
    dense_profile,
)
from tests.knapsack.brute import optimum
from tests.knapsack.gpu.instances import plain


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("threads", [1, 3])
def test_values_and_items_of_every_wanted_capacity(wide, threads):
    """Values from ``need`` on are the plain recursion's, and bits lead to items of that worth."""
    rng = np.random.default_rng(threads)
    for _ in range(150):
        reach = int(rng.choice([2, 30, 300]))
        n = int(rng.integers(1, 25))
        w, p = rng.integers(1, reach + 1, n), rng.integers(1, 1000, n)
        limits = DenseLimits(
            threads,
            1 << 30,
            1 << 31 if wide else int(p.sum()),
            tile_cells=int(rng.integers(1, 200)),
            reach_cells=int(rng.integers(1, 900)),
            slice_cells=int(rng.integers(1, 2000)),
            shared_cells=0,
            apart_weight=int(rng.integers(5, 900)),
        )
        capacity = int(rng.integers(int(w.max()), int(w.sum()) + 3))
        need = int(rng.integers(0, capacity + 1))
        expected = plain(w, p, capacity)
        stop, values, chosen = dense_profile(w, p, capacity, limits, need)
        assert stop is DenseStop.DONE
        assert values.dtype == (np.int64 if wide else np.int32)
        least = min(need, len(values) - 1)
        assert np.array_equal(values[least:], expected[least : len(values)])
        assert values[-1] == expected[-1]
        assert chosen is not None
        assert len(set(chosen.tolist())) == len(chosen)
        assert w[chosen].sum() <= capacity
        assert p[chosen].sum() == expected[-1]


@pytest.mark.parametrize("weight", [40, 1000])
def test_tables_of_some_tiles(weight):
    """Across many blocks of lanes, on one thread and two: the plain recursion's values."""
    rng = np.random.default_rng(weight)
    w, p = rng.integers(1, weight, 60), rng.integers(1, 10**6, 60)
    capacity = int(w.sum()) // 2
    for threads in (1, 2):
        limits = DenseLimits(threads, 1 << 30, int(p.sum()), tile_cells=512, shared_cells=0)
        values = dense_profile(w, p, capacity, limits)[1]
        assert np.array_equal(values, plain(w, p, capacity)[: len(values)])


def chosen_within(w, p, capacity, memory):
    """Return the items that are chosen, and how many cells were computed."""
    cells = []
    limits = DenseLimits(1, memory, int(p.sum()))
    stop, chosen = dense_choice(w, p, capacity, limits, lambda work: bool(cells.append(work)))
    assert stop is DenseStop.DONE
    return chosen, sum(cells)


def test_halving_finds_the_items_for_at_most_twice_the_cells():
    """Where only the table fits, the items are as good as by bits, at up to 2.3 times the cells."""
    rng = np.random.default_rng(0)
    for n in (2, 3, 4, 7, 30, 60):
        for _ in range(8):
            w = rng.integers(1, 200, n)
            p = w + rng.integers(1, 100, n)
            capacity = int(rng.integers(int(w.max()), int(w.sum())))
            best = optimum(p.tolist(), w.tolist(), capacity)
            done = {}
            for memory in (1 << 30, 4 * (capacity + 1)):
                chosen, done[memory] = chosen_within(w, p, capacity, memory)
                assert len(set(chosen.tolist())) == len(chosen)
                assert w[chosen].sum() <= capacity
                assert p[chosen].sum() == best
            by_bits, by_halving = done.values()
            assert by_halving < 2.3 * by_bits


def test_what_it_costs_is_what_is_computed():
    """The estimate has the cells of the table, twice if items are halved, and of heavy items."""
    rng = np.random.default_rng(2)
    w = rng.integers(1, 400, 50)
    capacity = int(w.sum()) // 2
    for memory in (1 << 30, 4 * (capacity + 1)):
        cost = dense_cost(w, w, capacity, DenseLimits(1, memory, int(w.sum())))
        assert cost.fits
        assert cost.heavy_cells == 0
        computed = chosen_within(w, w, capacity, memory)[1]
        assert cost.cells <= computed < 2.3 * cost.work  # passes reach beyond live cells
    assert cost.work == 2 * cost.cells
    all_heavy = dense_cost(w, w, capacity, DenseLimits(1, 1 << 30, 9), heavy=0)
    assert all_heavy.heavy_cells == all_heavy.cells
    assert not dense_cost(w, w, capacity, DenseLimits(1, 99, 9)).fits


def test_light_items_at_both_ends_leave_a_third_of_the_cells():
    """On the paper's class a third of n · C is live, with descending weights .39 of it."""
    rng = np.random.default_rng(1)
    w = rng.integers(1, 1001, 2000)
    capacity = int(w.sum()) // 2
    cost = dense_cost(w, w + 50, capacity, DenseLimits(1, 1 << 40, 1))
    assert 0.32 < cost.cells / (len(w) * capacity) < 0.345


def test_a_table_that_does_not_fit_is_refused():
    """Below the size of the table nothing is allocated."""
    w = np.array([10**6, 10**6 + 1, 10**6 + 2])
    limits = DenseLimits(1, 10**6, 10**7)
    assert dense_choice(w, w, 2 * 10**6, limits)[0] is DenseStop.MEMORY
    assert dense_profile(w, w, 2 * 10**6, limits)[0] is DenseStop.MEMORY


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("bits", [0, 1 << 25])
def test_it_stops_when_told_to(threads, bits):
    """No look comes after the one that says stop, and not many cells lie between two looks."""
    w = np.random.default_rng(3).integers(50, 400, 40)
    capacity, slices = int(w.sum()) // 2, 300
    limits = DenseLimits(threads, 1 << 30, int(w.sum()), 16, 1 << 14, slices, 500, 1 << 20, bits)
    total = dense_cost(w, w, capacity, limits).work
    for looks in (0, 1, 5, 30, 100):
        asked = []

        def look(work, looks=looks, asked=asked):
            asked.append(work)
            return len(asked) > looks

        stop, chosen = dense_choice(w, w, capacity, limits, look)
        assert stop is DenseStop.STOPPED
        assert len(chosen) == 0
        assert len(asked) == looks + 1
    asked.clear()
    assert (
        dense_choice(w, w, capacity, limits, lambda work: bool(asked.append(work)))[0]
        is DenseStop.DONE
    )
    assert len(asked) > total / slices / 4 / threads


def test_what_the_look_raises_comes_out():
    """An error in the look ends the recursion."""
    w = np.arange(1, 400)

    def look(work):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        dense_choice(w, w, 20_000, DenseLimits(1, 1 << 30, int(w.sum())), look)
