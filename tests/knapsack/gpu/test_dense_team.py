"""Several GPUs: the same values and items, however the range is split and exchanged."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.knapsack.gpu import dense
from prunus.knapsack.gpu.dense import GpuDense
from tests.cuda.emulated import COMPILER, EmulatedDevice
from tests.knapsack.gpu.instances import check_choice, instance, plain
from tests.knapsack.gpu.test_dense import SMALL

emulated = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler (g++ or clang++)")


def agree(devices, options, monkeypatch, rounds):
    """Solve random instances on random numbers of devices."""
    rng = np.random.default_rng(len(devices))
    for turn in range(rounds):
        w, p, capacity = instance(rng)
        monkeypatch.setattr(dense, "EXCHANGE", float(rng.choice([0, 1e3, 1e5, 1e7])))
        monkeypatch.setattr(dense, "_KEPT", int(rng.integers(1, 8)))
        count = int(rng.integers(2, len(devices) + 1))
        limit = int(p.sum()) if turn % 2 else max(2**31, int(p.sum()))
        method = GpuDense(
            devices[:count], limit, 1 << 26, through_host=turn % 3 == 0, options=options
        )
        expected = plain(w, p, capacity)
        assert method.value(w, p, capacity) == expected[-1]
        profile, _ = method.profile(w, p, capacity)
        assert np.array_equal(profile, expected[: len(profile)])
        check_choice(method.choose(w, p, capacity), w, p, capacity, expected[-1])


@emulated
def test_any_number_of_devices_and_exchanges_gives_the_same(monkeypatch):
    """Two to five devices, exchanging after each pass or hardly ever, find the same table."""
    agree(tuple(EmulatedDevice() for _ in range(5)), SMALL, monkeypatch, 30)


@pytest.mark.gpu
def test_gpus_agree(monkeypatch):
    """So do the GPUs of this machine, as far as there are several."""
    from prunus.cuda import Device, devices

    if devices() < 2:
        pytest.skip("one GPU only")
    agree(tuple(Device(i) for i in range(devices())), {}, monkeypatch, 40)


@emulated
def test_a_table_that_fits_on_two_devices_only():
    """With memory for less than two rows a device, several devices solve what one refuses."""
    rng = np.random.default_rng(5)
    w, p = rng.integers(1, 200, 60), rng.integers(1, 100, 60)
    capacity = int(w.sum()) // 2
    memory = 4 * (capacity + 1) * 7 // 4
    with pytest.raises(MemoryError):
        GpuDense((EmulatedDevice(),), 10**6, memory, options=SMALL).value(w, p, capacity)
    four = tuple(EmulatedDevice() for _ in range(4))
    method = GpuDense(four, 10**6, memory, options=SMALL)
    assert method.value(w, p, capacity) == plain(w, p, capacity)[-1]
