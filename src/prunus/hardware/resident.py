"""Arrays that others have put into a GPU's memory: what is known of them without CuPy."""

from __future__ import annotations

from typing import Any, NamedTuple

_GPUS = (2, 10, 13)
"""DLPack's numbers of memory on CUDA devices, ROCm devices, and managed by CUDA."""


class Extremes(NamedTuple):
    """What one pass over an array tells."""

    low: int | float
    high: int | float
    """The least and the largest finite value; 0 if there is none."""
    integral: bool
    """All finite values are whole numbers."""
    missing: bool
    """There is a NaN."""
    plus: bool
    minus: bool
    """There is an infinite value of this sign."""


def is_resident(values: Any) -> bool:
    """Tell whether an array lies in a GPU's memory."""
    place = getattr(values, "__dlpack_device__", None)
    if place is None:
        return hasattr(values, "__cuda_array_interface__")
    try:
        return int(place()[0]) in _GPUS
    except (TypeError, ValueError, RuntimeError, BufferError):
        return False
