"""GPUs that fall off the bus while work moves between them: those that are left end the search."""

from __future__ import annotations

import dataclasses
import random
import time

import numpy as np
import pytest

import prunus
import prunus.hardware.cuda
from prunus.errors import DeviceError
from prunus.treesearch.driver import tuning
from prunus.treesearch.interval.gpu import GpuExplorer
from prunus.treesearch.interval.gpu import explorer as gpu
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")


def frail_devices(rng, frail):
    """Return a kind of devices of which some are soon gone, once they have given work away."""
    left = dict.fromkeys(frail, 10**9)  # kernels until then

    class Frail(EmulatedDevice):
        _step = 20

        def __init__(self, index=0):
            super().__init__()
            self.index = index

        def be_there(self):
            if left.get(self.index, 1) <= 0:
                raise DeviceError(f"cuda:{self.index} fell off the bus")

        def launch(self, *arguments):
            self.be_there()
            if self.index in left:
                left[self.index] -= 1
            time.sleep(2e-4)  # others have time to ask
            super().launch(*arguments)

        def read_aside(self, array):
            self.be_there()
            return super().read_aside(array)

        def copy(self, target, source, count, origin):
            origin.be_there()
            super().copy(target, source, count, origin)

    split = GpuExplorer.split

    def split_and_fail(explorer, fraction):
        part, index = split(explorer, fraction), explorer.search.device.index
        if len(part) and index in left:
            left[index] = min(left[index], rng.randrange(6))
        return part

    return Frail, split_and_fail


@pytest.mark.parametrize("seed", range(6))
def test_gpus_fail_while_work_moves(monkeypatch, seed):
    """Whoever is gone, and whatever it had given to whom: every node is branched once."""
    rng = random.Random(seed)
    tour = prunus.ATSP(np.random.default_rng(5).integers(1, 100, (12, 12)))
    ub = prunus.solve(tour, devices="cpu:1").objective
    whole = prunus.solve(tour, method="interval", devices="cpu:1", upper_bound=ub)
    kind, split = frail_devices(rng, rng.sample(range(3), 2))
    monkeypatch.setattr(prunus.hardware.cuda, "CudaDevice", kind)
    monkeypatch.setattr(GpuExplorer, "split", split)
    monkeypatch.setattr(GpuExplorer, "_has_spare_work", lambda self, active: active > 0)
    monkeypatch.setitem(GpuExplorer.__init__.__kwdefaults__, "slice_seconds", 2e-7)
    monkeypatch.setattr(gpu, "MIN_SLICE_S", 1e-7)
    record = dataclasses.replace(
        tuning.DEFAULT_TUNING, snapshot_interval_s=rng.choice((0, 0.05, 10))
    )
    monkeypatch.setattr(tuning, "DEFAULT_TUNING", record)
    cores = rng.choice(("", ",cpu:1"))
    devices = f"cuda:0,cuda:1,cuda:2{cores}"
    result = prunus.solve(tour, method="interval", devices=devices, upper_bound=ub)
    assert (result.status, result.nodes) == (whole.status, whole.nodes)
    assert result.explored == 1.0
