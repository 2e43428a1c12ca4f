"""The devices that assignment is tested on."""

from __future__ import annotations

import pytest

from prunus.assignment.gpu import cost_scaling, instance
from tests.hardware.cuda.emulated import EmulatedDevice


@pytest.fixture
def device(device, monkeypatch):
    """Return the device, an emulated one with small blocks and short slices."""
    if isinstance(device, EmulatedDevice):
        monkeypatch.setattr(instance, "THREADS", 64)
        # Its clock ticks whenever it is looked at.
        monkeypatch.setattr(cost_scaling, "_SLICE", 1000)
    return device
