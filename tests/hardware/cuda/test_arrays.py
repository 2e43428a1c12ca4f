"""Arrays in a device's memory."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.hardware.cuda.arrays import picked
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, np.int64])
@pytest.mark.parametrize("count", [0, 1, 255, 257, 1000])
def test_values_are_picked_at_their_places(kind, count):
    """Whatever the type, and however many there are, each value is that of its place."""
    rng = np.random.default_rng(0)
    values = rng.integers(-(2**20), 2**20, 5000).astype(kind)
    place = rng.integers(0, 5000, count)
    found = picked(EmulatedDevice(), values.ctypes.data, values.dtype, place)
    assert found.dtype == values.dtype
    assert (found == values[place]).all()
