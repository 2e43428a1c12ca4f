"""The dense method in one array on a card: emulated lane by lane, and on the first GPU."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from prunus.knapsack.gpu.dense_in_place.method import InPlaceDense, price_of, value_bytes
from prunus.knapsack.gpu.dense_in_place.tables import FILE, constants, groups
from prunus.knapsack.tuning import InPlaceTuning
from prunus.runtime.stop_token import StoppedError
from tests.hardware.cuda.compilers import ARCHITECTURES, check_compiles
from tests.knapsack.brute import optimum

ON_THE_GPU = InPlaceTuning(host_cells=20, host_weight=7, listed_items=4)
"""Lets the host apply hardly any items."""


def method(device, memory, known, tick=None, **more):
    """The method on a device; more is tuning."""
    return InPlaceDense(device, memory, known, tick, replace(ON_THE_GPU, **more))


def instance(rng, factor):
    """A small instance whose profits are about a multiple of the weights, times a factor."""
    n = int(rng.integers(1, 14))
    w = rng.integers(1, 60, n)
    p = (w * int(rng.integers(0, 4)) + rng.integers(1, 40, n)) * factor
    capacity = int(rng.integers(int(w.max()), int(w.sum()) + 5))
    return w, p, capacity


@pytest.mark.parametrize("factor", [1, 10**9])
def test_the_optimum_and_its_items(device, factor):
    """With values of 32 and of 64 bits: items worth the optimum, if it is not known."""
    rng = np.random.default_rng(1)
    for _ in range(15):
        w, p, capacity = instance(rng, factor)
        best = optimum(p.tolist(), w.tolist(), capacity)
        for known in (0, best - 1):
            items = method(device, 1 << 30, known).choose(w, p, capacity)
            assert len(set(items.tolist())) == len(items)
            assert w[items].sum() <= capacity
            assert p[items].sum() == best
            assert method(device, 1 << 30, known).value(w, p, capacity) == best
        assert len(method(device, 1 << 30, best).choose(w, p, capacity)) == 0


def test_the_other_share_may_be_far_lighter_than_its_room(device):
    """Where no choice is about as heavy as the capacity, the best lighter one is found."""
    w = np.array([50, 51, 300, 301, 302])
    for price in (0, 1, 1000):
        p = price * w + np.array([3, 1, 2, 5, 4])
        for capacity in (60, 290, 349, 380, 590, 640, 1200):
            items = method(device, 1 << 30, 0, searched_cells=7).choose(w, p, capacity)
            assert w[items].sum() <= capacity
            assert p[items].sum() == optimum(p.tolist(), w.tolist(), capacity)


def test_where_64_bits_begin(device):
    """On both sides of the boundary between 32 and 64 bits the optimum is the same."""
    rng = np.random.default_rng(2)
    sizes = set()
    for _ in range(10):
        w, p, capacity = instance(rng, 1)
        best = optimum(p.tolist(), w.tolist(), capacity)
        spread = int(np.abs(p - price_of(w, p) * w).sum())
        for most in (spread, spread + 1):
            how = replace(ON_THE_GPU, values_4=most)
            sizes.add(value_bytes(w, p, how))
            assert method(device, 1 << 30, 0, values_4=most).value(w, p, capacity) == best
    assert sizes == {4, 8}


def test_a_cell_that_no_choice_leads_to_is_no_choice(device):
    """However much a unit of weight is worth, only weights that choices have count."""
    w = np.array([60, 61])
    for price in (1, 10**9, 10**16):
        run = method(device, 1 << 30, 0)
        assert run.value(w, price * w, 100) == 61 * price
        assert run.choose(w, price * w, 100).tolist() == [1]


def test_too_little_memory_and_a_stop(device):
    """What does not fit is a MemoryError, and a tick ends a run."""
    w, p = np.array([30, 31, 32, 33]), np.array([30, 32, 33, 33])
    with pytest.raises(MemoryError):
        method(device, 100, 0).choose(w, p, 100)
    with pytest.raises(StoppedError):
        method(device, 1 << 30, 0, lambda cells: True).choose(w, p, 100)


def test_groups_are_runs_of_similar_weights():
    """No group has too many items, or one a quarter heavier than its lightest."""
    w = np.sort(np.random.default_rng(3).integers(1, 500, 100))
    found = groups(w, 3)
    assert np.array_equal(np.concatenate(found), np.arange(100))
    assert all(len(g) <= 3 and 4 * w[g[-1]] <= 5 * w[g[0]] for g in found)


@pytest.mark.parametrize("size", [4, 8])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_kernels_compile(architecture, size):
    """The kernels make machine code for every architecture, without a card."""
    check_compiles(FILE, constants(size), architecture)
