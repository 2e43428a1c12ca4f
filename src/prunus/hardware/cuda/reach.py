"""What one GPU can do with another one's memory, as the driver says."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

__all__ = ["atomics_reach"]

NATIVE_ATOMIC_SUPPORTED = 3
"""``CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED``; CuPy does not ask for it."""


@cache
def atomics_reach(cupy: Any, origin: int, target: int) -> bool:
    """Tell whether atomic operations of one GPU work in another one's memory (over NVLink, say)."""
    if cupy.cuda.runtime.is_hip:
        return False
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    value = ctypes.c_int(0)
    error = driver.cuDeviceGetP2PAttribute(
        ctypes.byref(value), NATIVE_ATOMIC_SUPPORTED, origin, target
    )
    return error == 0 and value.value == 1
