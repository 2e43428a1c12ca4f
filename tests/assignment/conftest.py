"""The devices that assignment is tested on."""

from __future__ import annotations

import pytest

from tests.assignment.gpu.instances import retune
from tests.hardware.cuda.emulated import EmulatedDevice


@pytest.fixture
def device(device, monkeypatch):
    """Return the device, an emulated one with small blocks and short slices."""
    if isinstance(device, EmulatedDevice):
        retune(monkeypatch, threads=64)
        # Its clock ticks whenever it is looked at.
        retune(monkeypatch, scaling_slice_ns=1000, auction_slice_ns=5000)
    return device
