"""The expanding core on a card: emulated lane by lane, and on the first GPU."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.knapsack.bounds.cardinality import cardinality, tighten
from prunus.knapsack.bounds.relaxation import relax
from prunus.knapsack.expanding_core.core import UNCOUNTED, ExpandingCore
from prunus.knapsack.expanding_core.states import DECISION_BITS
from prunus.knapsack.gpu.expanding_core import core
from prunus.knapsack.gpu.expanding_core.core import FILE, GpuExpandingCore, constants
from prunus.knapsack.tuning import GpuCoreTuning
from tests.hardware.cuda.compilers import ARCHITECTURES, check_compiles
from tests.hardware.cuda.emulated import WARP
from tests.knapsack.brute import optimum

SMALL = GpuCoreTuning(threads=2 * WARP, items=2, blocks=1)


def relaxed(w, p, capacity, value=0, *, counted=False):
    """Relax, with a constraint on the number of items if asked for."""
    root = relax(w, p, np.ones_like(w), capacity)
    constraint = cardinality(root, capacity, value) if counted else None
    return root if constraint is None else tighten(root, capacity, constraint)


def finish(relaxation, device, states):
    """Start a core on the processor, finish it on the card; return it. No bound was too low."""
    core, bounds = ExpandingCore(relaxation, 0, lambda: 1 << 30), []
    if not core.advance(states):
        bounds.append(core.bound())
        core = GpuExpandingCore(core, device, SMALL)
        while not core.advance(20):
            bounds.append(core.bound())
    assert core.done
    assert core.value <= min(bounds, default=core.value)
    return core


@pytest.mark.parametrize("counted", [False, True])
def test_the_optimum_and_its_items_come_back(device, counted):
    """Wherever the card takes over, the optimum is right and so are its items."""
    rng = np.random.default_rng(1 + counted)
    for _ in range(12):
        n = int(rng.integers(4, 40))
        w = rng.integers(1, 60, n)
        p = w + rng.integers(1, 12, n) if counted else rng.integers(1, 60, n)
        capacity = int(w.sum()) // 2
        relaxation = relaxed(w, p, capacity, counted=counted)
        core = finish(relaxation, device, int(rng.integers(1, 200)))
        assert core.value == optimum(p.tolist(), w.tolist(), capacity)
        items = relaxation.order[core.chosen()]
        assert len(set(items.tolist())) == len(items)
        assert w[items].sum() <= capacity
        assert p[items].sum() == core.value


def test_items_are_known_that_were_decided_before_words_were_emptied(device):
    """The two that are decided last lead to the capacity, with others decided long before."""
    w = np.array([*range(300, 474, 3), 301, 301])
    capacity = 3 * 3700 + 2
    relaxation = relaxed(w, w, capacity)
    core = finish(relaxation, device, 1)
    assert core.size > DECISION_BITS
    assert w[relaxation.order[core.chosen()]].sum() == core.value == capacity


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_kernels_compile(architecture):
    """The kernels make machine code for every architecture, without a card."""
    check_compiles(FILE, constants(), architecture)


def test_counts_of_items_are_looked_at_before_they_could_overflow(device, monkeypatch):
    """Few items that can be counted force a look at the lists, and only then an end."""
    monkeypatch.setattr(core, "COUNT_LIMIT", 8)
    rng = np.random.default_rng(5)
    ends = set()
    for _ in range(20):
        w = rng.integers(30, 60, 60)
        p = w + rng.integers(1, 12, 60)
        capacity = int(w.sum()) // 2
        started = ExpandingCore(relaxed(w, p, capacity, counted=True), 0, lambda: 1 << 30)
        if started.advance(100):
            continue
        on_card = GpuExpandingCore(started, device, SMALL)
        on_card.advance(10**9)
        if on_card.done:
            assert on_card.value == optimum(p.tolist(), w.tolist(), capacity)
        else:
            assert on_card.exhausted == UNCOUNTED
        ends.add((on_card.done, on_card.size > 8))
    assert (True, True) in ends
