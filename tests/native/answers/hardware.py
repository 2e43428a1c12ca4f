"""Numbers narrowed on their way to a device."""

import numpy as np

from prunus._native.hardware import narrow


def answers():
    """Return what is written, and whether a number has changed."""
    found = []
    for values, kind in (
        (np.arange(-50, 51) * 2**24, np.int32),
        (np.arange(-50, 51) * 2**26, np.int32),
        (np.arange(101) / 4, np.float32),
        (np.arange(101) / 3, np.float32),
    ):
        to = np.zeros(len(values), kind)
        found.append((narrow(values, to), to.tolist()))
    return found
