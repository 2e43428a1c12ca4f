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
    arguments = [ctypes.c_uint64(each[3]) for each in launches]
    places = [(ctypes.c_void_p * 1)(ctypes.addressof(each)) for each in arguments]
    calls = [
        (kernel.kernel.ptr, blocks, 1, 1, threads, 1, 1, shared, stream, place, None)
        for (kernel, blocks, threads, _, shared), place in zip(launches, places, strict=True)
    ]
    for _ in range(times):
        for call in calls:
            if error := start(*call):
                return error
    return 0
