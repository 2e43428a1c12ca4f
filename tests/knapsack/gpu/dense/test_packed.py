"""Two values in a word: exact whatever they are, by going again where they do not fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from prunus.knapsack.gpu.dense import method as dense
from prunus.knapsack.gpu.dense.kernels import PACKED, PackedCut
from prunus.knapsack.gpu.dense.launches import PassRunner
from prunus.knapsack.gpu.dense.method import GpuDense
from prunus.knapsack.gpu.dense.passes import LONG_CHAIN
from prunus.knapsack.gpu.dense.structures import JOB
from prunus.knapsack.tuning import GpuDenseTuning
from tests.hardware.cuda.emulated import COMPILER, WARP, EmulatedDevice
from tests.knapsack.gpu.dense.test_method import SMALL
from tests.knapsack.gpu.instances import check_choice, plain

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler (g++ or clang++)")

CUTS = [
    PackedCut(2, WARP, 1, 1, 1, 0),
    PackedCut(4, 2 * WARP, 1, 2, 2, 2),
    PackedCut(3, 3 * WARP, 1, 3, 1, 1),
]


LIFT = GpuDenseTuning().packed_lift


@pytest.fixture
def launches(monkeypatch):
    """All items go through chains, packed; notes every launch and the device that it was on."""
    monkeypatch.setattr("prunus.knapsack.gpu.dense.plan.tile_cost", lambda _: 1e12)
    noted = []
    start = PassRunner.start

    def note(self, launch):
        noted.append((self.device, launch))
        start(self, launch)

    monkeypatch.setattr(PassRunner, "start", note)
    return noted


def redone(launches):
    """How many blocks have walked up segments again."""
    count = 0
    for device, launch in launches:
        at = (launch.address - device.address(launch.table)) // 8
        job = launch.table[at : at + JOB.words].view(JOB.dtype)[0]
        count += int(job["redone"])
    return count


def method(limit, devices=1, cut=CUTS[1], **tuning):
    """The method on some devices, every item by itself."""
    how = GpuDenseTuning(**{"packed_items": 0, **tuning})
    some = tuple(EmulatedDevice() for _ in range(devices))
    cuts = replace(SMALL, packed=cut, tie=False)
    return GpuDense(some, limit, 1 << 26, cuts=cuts, tuning=how)


def check(w, p, limit, **how):
    """Values of all capacities, and the items, are those of the plain recursion."""
    capacity = int(w.sum()) - 1
    expected = plain(w, p, capacity)
    some = method(limit, **how)
    kernel_sets, passes = some._planned(w, p, capacity, 0)
    assert (passes.kind == LONG_CHAIN).any()
    assert kernel_sets[0].configs[LONG_CHAIN] is kernel_sets[0].configs[PACKED]
    profile, _ = some.profile(w, p, capacity)
    assert np.array_equal(profile, expected[: len(profile)])
    assert some.value(w, p, capacity) == expected[-1]
    check_choice(some.choose(w, p, capacity), w, p, capacity, expected[-1])


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("devices", [1, 2, 4])
def test_values_that_fit(launches, cut, devices):
    """Where profits follow weights, nothing goes again but what begins with an empty knapsack."""
    rng = np.random.default_rng(devices)
    for weights in ([3], [11, 2], [40, 7, 23], [90, 91]):
        w = np.repeat(weights, rng.integers(9, 40, len(weights)))
        for limit in (10**6, 2**40):
            check(w, w + rng.integers(40, 60, len(w)), limit, cut=cut, devices=devices)
    assert redone(launches) == 0


@pytest.mark.parametrize("cut", CUTS)
def test_values_that_do_not_fit(launches, cut, monkeypatch):
    """Steep rows, and items worth far more or less than what they displace, are exact."""
    monkeypatch.setattr(dense, "_values_are_small", lambda passes, p, how: int(p.max()) <= LIFT)
    rng = np.random.default_rng(3)
    for weights in ([1, 2, 3], [7, 300], [25, 60, 61]):
        w = np.repeat(weights, rng.integers(20, 60, len(weights)))
        for p in (rng.integers(1, LIFT, len(w)), np.where(rng.random(len(w)) < 0.1, 7000, 1)):
            check(w, p, 2**31 - 1, cut=cut)
    assert redone(launches) > 0


def test_who_is_tried(launches):
    """Neither few items a pass, nor profits that differ by more than fits in half a word."""
    w = np.repeat([5, 9, 30], 20)
    many = np.where(np.arange(60) % 2, 1, 4000)
    for p, enough, packed in (
        (w + 50, 0, True), (w + 50, 20, False), (many, 0, False), (w + 10_000, 0, False)
    ):  # fmt: skip
        some = method(2**31 - 1, packed_items=enough)
        kernel_sets, passes = some._planned(w, p, 300, 300)
        assert (passes.kind == LONG_CHAIN).any()
        assert (kernel_sets[0].configs[LONG_CHAIN] is kernel_sets[0].configs.get(PACKED)) == packed


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize(("steep", "heavy"), [(20, 300), (60, 25)])
def test_rows_with_a_kink(launches, cut, steep, heavy, monkeypatch):
    """Rows that rise steeply and then hardly are exact at the kink, below it and above it."""
    monkeypatch.setattr(dense, "_values_are_small", lambda passes, p, how: int(p.max()) <= LIFT)
    w = np.repeat([1, 7, heavy], [600, steep, 20])
    p = np.repeat([1, 7900, heavy], [600, steep, 20])
    check(w, p, 2**31 - 1, cut=cut)
    assert redone(launches) > 0
