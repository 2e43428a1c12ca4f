"""Several GPUs: the same values and items, however the range is split and exchanged."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.knapsack.gpu.dense import method as dense
from prunus.knapsack.gpu.dense.kernels import CHOSEN
from prunus.knapsack.gpu.dense.method import GpuDense
from prunus.knapsack.gpu.dense.two_ended import TwoEnded
from prunus.knapsack.tuning import GpuDenseTuning
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice
from tests.knapsack.gpu.dense.test_method import SMALL
from tests.knapsack.gpu.instances import check_choice, instance, plain

emulated = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler (g++ or clang++)")


def agree(devices, cuts, rounds):
    """Solve random instances on random numbers of devices."""
    rng = np.random.default_rng(len(devices))
    for turn in range(rounds):
        w, p, capacity = instance(rng)
        exchange, kept = float(rng.choice([0, 1e3, 1e5, 1e7])), int(rng.integers(1, 8))
        how = GpuDenseTuning(exchange_ps=exchange, kept_rows=kept)
        count = int(rng.integers(2, len(devices) + 1))
        limit = int(p.sum()) if turn % 2 else max(2**31, int(p.sum()))
        method = GpuDense(
            devices[:count], limit, 1 << 26, through_host=turn % 3 == 0, cuts=cuts, tuning=how
        )
        expected = plain(w, p, capacity)
        assert method.value(w, p, capacity) == expected[-1]
        profile, _ = method.profile(w, p, capacity)
        assert np.array_equal(profile, expected[: len(profile)])
        check_choice(method.choose(w, p, capacity), w, p, capacity, expected[-1])


@emulated
def test_any_number_of_devices_and_exchanges_gives_the_same():
    """Two to five devices, exchanging after each pass or hardly ever, find the same table."""
    agree(tuple(EmulatedDevice() for _ in range(5)), SMALL, 30)


@emulated
@pytest.mark.parametrize("count", [2, 4])
def test_two_teams_with_half_of_the_items_meet_at_the_optimum(count, monkeypatch):
    """Each half from the empty knapsack, on devices of its own: value and items."""
    rng = np.random.default_rng(count)
    used = []
    monkeypatch.setattr(
        dense, "TwoEnded", lambda *how, **more: used.append(how) or TwoEnded(*how, **more)
    )
    for turn in range(6):
        w, p = rng.integers(1, 60, 150), rng.integers(1, 100, 150)
        capacity = int(rng.uniform(0.2, 0.9) * w.sum())
        how = GpuDenseTuning(copied_cells=int(rng.integers(100, 2 * capacity)))
        limit = 2**40 if turn % 2 else 10**6
        devices = tuple(EmulatedDevice(warps=24) for _ in range(count))
        if turn % 3 == 1:
            devices[0].connect = lambda other: False
        memory = 64 * (capacity + 1) if turn < 3 else 1 << 26  # for some rows, or for all
        method = GpuDense(
            devices, limit, memory, through_host=turn % 3 == 0, cuts=SMALL, tuning=how
        )
        best = plain(w, p, capacity)[-1]
        assert method.value(w, p, capacity) == best
        check_choice(method.choose(w, p, capacity), w, p, capacity, best)
    assert len(used) >= 10


@pytest.mark.gpu
def test_gpus_agree():
    """So do the GPUs of this machine, each of which has two parts, with a stream for each."""
    from prunus.hardware.cuda import CudaDevice, devices

    agree(tuple(CudaDevice(i) for i in 2 * list(range(devices()))), CHOSEN, 40)


@emulated
def test_a_table_that_fits_on_two_devices_only():
    """With memory for less than two rows a device, several devices solve what one refuses."""
    rng = np.random.default_rng(5)
    w, p = rng.integers(1, 200, 60), rng.integers(1, 100, 60)
    capacity = int(w.sum()) // 2
    memory = 4 * (capacity + 1) * 7 // 4
    with pytest.raises(MemoryError):
        GpuDense((EmulatedDevice(),), 10**6, memory, cuts=SMALL).value(w, p, capacity)
    four = tuple(EmulatedDevice() for _ in range(4))
    method = GpuDense(four, 10**6, memory, cuts=SMALL)
    assert method.value(w, p, capacity) == plain(w, p, capacity)[-1]


@emulated
def test_only_so_many_rows_are_kept_as_there_is_room_for():
    """With memory for two rows and a half a device, items come back from few rows."""
    rng = np.random.default_rng(5)
    w, p = rng.integers(1, 200, 60), rng.integers(1, 100, 60)
    capacity = int(w.sum()) // 2
    three = tuple(EmulatedDevice() for _ in range(3))
    method = GpuDense(three, 10**6, 10 * (capacity + 1), cuts=SMALL)
    check_choice(method.choose(w, p, capacity), w, p, capacity, plain(w, p, capacity)[-1])
