"""Entries of a matrix on a device that are within a limit, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.hardware.cuda.within_limit import entries_within


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, np.int64])
@pytest.mark.parametrize("at_least", [False, True])
def test_entries_within_a_limit_are_those_that_numpy_finds(device, kind, at_least):
    """In their order, from none to all of them, also of some columns of a wider matrix."""
    rng = np.random.default_rng(1)
    wide = rng.integers(-50, 50, (37, 300)).astype(kind)
    if np.dtype(kind).kind == "f":
        wide[3, 5:8] = np.inf, -np.inf, np.finfo(kind).smallest_subnormal
    there = device.put(wide)
    for columns in (1, 31, 64, 299, 300):
        values, array = wide[:, :columns], there[:, :columns]
        for limit in (-51, -40, 0, 49):
            inside = values >= limit if at_least else values <= limit
            start, heads, found = entries_within(
                device, array, limit, at_least=at_least, most=values.size
            )
            rows, wanted = np.nonzero(inside)
            assert (np.diff(start) == inside.sum(axis=1)).all()
            assert (heads == wanted).all()
            assert found.dtype == kind
            assert (found == values[rows, wanted]).all()


def test_too_many_entries_are_not_listed(device):
    """One more than asked for is too many."""
    array = device.put(np.arange(400, dtype=np.float32).reshape(20, 20))
    assert entries_within(device, array, 9, at_least=False, most=9) is None
    start, heads, values = entries_within(device, array, 9, at_least=False, most=10)
    assert start.tolist() == [0] + 20 * [10]
    assert heads.tolist() == values.tolist() == list(range(10))
