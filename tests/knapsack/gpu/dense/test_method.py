"""The dense method on GPUs: the plain recursion's values, and items of that worth.

Run lane by lane on the processor with small kernels, and, marked ``gpu``, on the first GPU.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from prunus import Knapsack
from prunus.errors import DeviceError
from prunus.hardware.devices import Devices
from prunus.knapsack.gpu.dense import method as module
from prunus.knapsack.gpu.dense import passes as packing
from prunus.knapsack.gpu.dense.kernels import (
    CHAIN,
    IDENTICAL,
    LONG_CHAIN,
    TILE,
    ChainCut,
    KernelCuts,
)
from prunus.knapsack.gpu.dense.method import GpuDense
from prunus.knapsack.gpu.devices import LazyGpus
from prunus.knapsack.solve_state import SolveState
from prunus.knapsack.tuning import DEFAULT, GpuDenseTuning
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.stop_token import StoppedError
from tests.hardware.cuda.emulated import COMPILER, WARP, EmulatedDevice
from tests.knapsack.gpu.instances import check_choice, instance, plain
from tests.knapsack.starved import outcome_of

SMALL = KernelCuts(
    few=ChainCut(4, 4, WARP),
    many=ChainCut(16, 2, 4 * WARP),
    identical=ChainCut(127, 8, WARP),
    rows=12,
    threads=WARP,
    traced_rows=16,
    steps=6,
)
emulated = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler (g++ or clang++)")


@pytest.fixture(params=[pytest.param("emulated", marks=emulated),
                        pytest.param("cuda", marks=pytest.mark.gpu)])  # fmt: skip
def device(request):
    """A device, and how the kernels are cut to it."""
    if request.param == "emulated":
        return EmulatedDevice(), SMALL
    from prunus.hardware.cuda import CudaDevice

    return CudaDevice(0), None


def method(device, limit, memory=1 << 26, tuning=DEFAULT.gpu_dense):
    """The method on one device."""
    return GpuDense((device[0],), limit, memory, cuts=device[1], tuning=tuning)


def test_values_and_items_of_all_kinds_of_instances(device):
    """Optimum, profile and items agree with the plain recursion, for every kind of pass."""
    rng = np.random.default_rng(0)
    seen = Counter()
    for turn in range(60):
        w, p, capacity = instance(rng)
        expected = plain(w, p, capacity)
        # Wider values than the instance needs, every other time.
        limit = int(p.sum()) if turn % 2 else max(2**31, int(p.sum()))
        dense = method(device, limit)
        assert dense.value(w, p, capacity) == expected[-1]
        profile, _ = dense.profile(w, p, capacity)
        assert np.array_equal(profile, expected[: len(profile)])
        assert (expected[len(profile) :] == profile[-1]).all()
        check_choice(dense.choose(w, p, capacity), w, p, capacity, expected[-1])
        passes = dense.plan(w, p, capacity)
        seen.update([] if passes is None else passes.kind.tolist())
        seen[f"{profile.dtype}"] += 1
    kinds = {CHAIN, IDENTICAL, TILE, "int32", "int64"}
    assert set(seen) >= (kinds | {LONG_CHAIN} if device[1] is SMALL else kinds)


def test_items_where_few_rows_fit_in_memory(device):
    """With room for eight rows the passes are run again, piece by piece, to the same worth."""
    rng = np.random.default_rng(1)
    for _ in range(40):
        w, p, capacity = instance(rng)
        best, size = plain(w, p, capacity)[-1], 4 if p.sum() < 2**31 else 8
        dense = method(device, int(p.sum()), 8 * size * (capacity + 1) + 1000)
        check_choice(dense.choose(w, p, capacity), w, p, capacity, best)


@pytest.mark.parametrize("weights", [[1], [3, 5], [17, 40, 61], [1, 16, 250]])
@pytest.mark.parametrize("alike", [False, True])
def test_chains_of_any_length(device, weights, alike, monkeypatch):
    """Chains of many stretches or of one, many chains or one, and rows that begin anywhere."""
    monkeypatch.setattr(packing, "_TILE_STEP_PS", 1e12)
    rng = np.random.default_rng(len(weights))
    w = np.repeat(weights, 80)
    p = w + 50 if alike else rng.integers(1, 99, len(w)) + w
    for capacity in (int(w.sum()) // 2, int(w.sum()) - 1):
        expected = plain(w, p, capacity)
        for limit in (int(p.sum()), 2**31):
            dense = method(device, limit)
            assert (dense.plan(w, p, capacity).kind == (IDENTICAL if alike else LONG_CHAIN)).all()
            assert dense.value(w, p, capacity) == expected[-1]
            assert np.array_equal(dense.profile(w, p, capacity)[0], expected)
            check_choice(dense.choose(w, p, capacity), w, p, capacity, expected[-1])


def test_bundles_among_items_that_weigh_as_much(device):
    """Sixty-four light items bound together take their place among items of their weight."""
    w, p = np.repeat([1, 64], [400, 12]), np.r_[np.full(400, 2), np.arange(12) * 20 + 30]
    for capacity in (200, 640, 1000):
        expected = plain(w, p, capacity)
        dense = method(device, int(p.sum()))
        assert dense.value(w, p, capacity) == expected[-1]
        check_choice(dense.choose(w, p, capacity), w, p, capacity, expected[-1])


def test_every_boundary_of_32_bits(device):
    """Values that reach and pass 2**31, in the table and between cells of one tile, are exact."""
    rng = np.random.default_rng(2)
    for scale in (2**31 - 1, 2**31, 2**31 + 1, 2**32, 2**40):
        for n in (2, 5, 30):
            w = rng.integers(1, 60, n)
            p = rng.integers(1, 1000, n)
            p = np.maximum(p * scale // int(p.sum()), 1)
            p[0] += scale - int(p.sum())  # so that all items are worth exactly the scale
            for limit in (int(p.sum()), 2**50):
                for capacity in (int(w.sum()) - 1, int(w.sum()) // 2, int(w.max())):
                    expected = plain(w, p, capacity)
                    dense = method(device, limit)
                    assert dense.value(w, p, capacity) == expected[-1]
                    chosen = dense.choose(w, p, capacity)
                    check_choice(chosen, w, p, capacity, expected[-1])


def test_nothing_to_choose_from(device):
    """No items, none that fits, or all that fit together need no table."""
    none, w = np.empty(0, dtype=np.int64), np.array([5, 7])
    dense = method(device, 100)
    assert dense.value(none, none, 10) == 0
    assert dense.choose(w, w, 4).tolist() == []
    assert dense.profile(w, w, 4)[0].tolist() == [0]
    assert dense.choose(w, w, 12).tolist() == [0, 1]


def test_a_tick_stops_it(device):
    """Asked to stop between two launches, it stops."""
    w = np.arange(1, 60) * 997
    calls = []
    dense = GpuDense(
        (device[0],), 10**6, 1 << 26, lambda cells: len(calls) == 3 or bool(calls.append(cells)),
        cuts=device[1], tuning=GpuDenseTuning(look_ps=1.0),
    )  # fmt: skip
    assert len(dense.plan(w, w, 800_000)) > 4
    with pytest.raises(StoppedError):
        dense.value(w, w, 800_000)
    assert len(calls) == 3


def test_a_table_that_does_not_fit_is_refused(device):
    """Less memory than two rows take is a MemoryError before anything runs."""
    w = np.arange(10**4, 10**4 + 40)
    dense = method(device, 10**7, 10**5)
    assert not dense.fits(w, 2 * 10**5)
    with pytest.raises(MemoryError):
        dense.value(w, w, 2 * 10**5)


def gpus(device):
    """A user's choice of one device."""
    found = LazyGpus(Devices(0, (0,)))
    found._gpus = (device[0],)
    return found


def test_search_uses_the_card(device, monkeypatch):
    """Where a GPU is given, the dense method and the profile come from it; weights of 0 as well."""
    monkeypatch.setattr(module, "GpuDense", partial(GpuDense, cuts=device[1]))
    rng = np.random.default_rng(3)
    for profile in (False, True):
        w, p = rng.integers(0, 30, 200) * 3, rng.integers(0, 40, 200)
        problem = Knapsack(p, w, 1000)
        monitor = Monitor(Incumbent(maximise=True))
        state = SolveState(problem, monitor, 1, gpus=gpus(device))
        outcome, best = outcome_of(state, "dense", profile=profile), monitor.incumbent.best
        assert outcome.complete
        assert outcome.devices == ("cuda:0",)
        expected = plain(w[w > 0], p[w > 0], 1000) + p[w == 0].sum()
        assert best.objective == expected[-1] == problem.evaluate(best.solution)
        if profile:
            assert np.array_equal(outcome.statistics["profile"], expected)


def test_a_card_that_is_asked_for_must_work():
    """A GPU that fails is an error if it was named, and a notice if it was the library's choice."""
    failure = DeviceError("it burns")
    with pytest.raises(DeviceError, match="burns"):
        LazyGpus(Devices(0, (0,))).fails(failure)
    automatic = LazyGpus(Devices(2, automatic=True))
    with pytest.warns(UserWarning, match="continuing on the CPU: it burns"):
        automatic.fails(failure)
    assert automatic.open(1e9) == ()
    assert LazyGpus(Devices(2, automatic=True)).open(0.1) == ()
    assert LazyGpus(Devices(2)).open(1e9) == ()


def test_a_card_without_room_leaves_the_work_to_the_cores():
    """Where the table does not fit on the GPU, the cores do it."""
    crowded = SimpleNamespace(index=0, free_memory=lambda: 10, shared_limit=2**17, warp=32)
    problem = Knapsack([9, 8, 7, 6], [5, 4, 3, 2], 9)
    monitor = Monitor(Incumbent(maximise=True))
    state = SolveState(problem, monitor, 1, gpus=gpus((crowded,)))
    assert outcome_of(state, "dense").devices == ("cpu:1",)
    assert monitor.incumbent.best.objective == 21
