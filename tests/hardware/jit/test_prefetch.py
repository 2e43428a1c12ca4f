"""What is fetched early is read as it is."""

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.hardware.jit.prefetch import prefetch


@outer
def total(values):
    """Add numbers up, each fetched before, and one beyond the end, where nothing need be."""
    found = 0
    for k in range(values.shape[0]):
        prefetch(values, k + 1)
        found += values[k]
    return found


def test_values_stay_as_they_are():
    """Nothing changes, and an address that is none does no harm."""
    values = np.arange(1000, dtype=np.int32)
    assert total(values) == 499_500
    assert (values == np.arange(1000)).all()
