"""Several GPUs: the same values and items, however the range is split and exchanged."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.knapsack.gpu.dense.method import GpuDense
from prunus.knapsack.tuning import GpuDenseTuning
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice
from tests.knapsack.gpu.dense.test_method import SMALL
from tests.knapsack.gpu.instances import check_choice, instance, plain

emulated = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler (g++ or clang++)")


def agree(devices, cuts, rounds, memory=1 << 26):
    """Solve random instances on random numbers of devices."""
    rng = np.random.default_rng(len(devices))
    for turn in range(rounds):
        w, p, capacity = instance(rng)
        how = GpuDenseTuning(exchange_ps=float(rng.choice([0, 1e3, 1e5, 1e7])))
        count = int(rng.integers(2, len(devices) + 1))
        limit = int(p.sum()) if turn % 2 else max(2**31, int(p.sum()))
        method = GpuDense(
            devices[:count], limit, memory, through_host=turn % 3 == 0, cuts=cuts, tuning=how
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


@pytest.mark.gpu
def test_gpus_agree():
    """So do the GPUs of this machine, each of which has two parts, with a stream for each."""
    from prunus.hardware.cuda import CudaDevice, devices

    agree(tuple(CudaDevice(i) for i in 2 * list(range(devices()))), None, 40)


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
def test_items_where_few_rows_fit_on_each_device():
    """With memory for two rows and a half a device, halves are run until their rows fit."""
    rng = np.random.default_rng(5)
    w, p = rng.integers(1, 200, 60), rng.integers(1, 100, 60)
    capacity = int(w.sum()) // 2
    three = tuple(EmulatedDevice() for _ in range(3))
    method = GpuDense(three, 10**6, 10 * (capacity + 1), cuts=SMALL)
    check_choice(method.choose(w, p, capacity), w, p, capacity, plain(w, p, capacity)[-1])
