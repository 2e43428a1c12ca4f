"""Kernels started in a row while no other thread gets the interpreter.

CuPy gives the interpreter away at each launch, and waits until it gets it back: from others that
search on cores, each of whom may be first.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np

Launch: TypeAlias = tuple[Any, int, int, int, int]
"""A kernel, blocks, threads of each, the address that is its only argument, shared memory."""


@cache
def driver_launch() -> Callable[..., int] | None:
    """Return the driver's function that starts a kernel; None where it is not at hand."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        # Unlike ``CDLL``, it keeps the interpreter.
        start = ctypes.PyDLL("libcuda.so.1").cuLaunchKernel
    except (OSError, AttributeError):
        return None
    pointer = ctypes.c_void_p
    start.argtypes = [pointer, *[ctypes.c_uint] * 7, pointer, pointer, pointer]
    start.restype = ctypes.c_int
    return start


def start_in_turn(
    start: Callable[..., int], launches: Sequence[Launch], times: int, stream: int
) -> int:
    """Start kernels one after the other, and all again, so many times; return the first error."""
    addresses = np.array([each[3] for each in launches], np.uint64)
    arguments = addresses.ctypes.data + 8 * np.arange(len(launches), dtype=np.uint64)
    first = arguments.ctypes.data
    calls = [
        (each[0].kernel.ptr, each[1], 1, 1, each[2], 1, 1, each[4], stream, first + 8 * k, None)
        for k, each in enumerate(launches)
    ]
    for _ in range(times):
        for call in calls:
            if error := start(*call):
                return error
    return 0
