"""The driver's own functions, during which no other thread gets the interpreter.

CuPy gives the interpreter away at each call, and waits until it gets it back: from others that
search on cores or fill buffers, each of whom may be first.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeAlias

Launch: TypeAlias = tuple[Any, int, int, int, int]
"""A kernel, blocks, threads of each, the address that is its only argument, shared memory."""

_POINTER = ctypes.c_void_p


class Driver:
    """Some of its functions, for the device that is current in a thread.

    Each returns the driver's status, 0 if all went well. Streams and events are given by the
    addresses that CuPy has for them.
    """

    def __init__(self) -> None:
        # Unlike ``CDLL``, it keeps the interpreter.
        library = ctypes.PyDLL("libcuda.so.1")
        self._launch = library.cuLaunchKernel
        self._launch.argtypes = [_POINTER, *[ctypes.c_uint] * 7, _POINTER, _POINTER, _POINTER]
        self.copy = library.cuMemcpyAsync
        """Copy bytes: ``copy(target, source, count, stream)``."""
        self.copy.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_size_t, _POINTER]
        self.record = library.cuEventRecord
        """Record an event: ``record(event, stream)``."""
        self.record.argtypes = [_POINTER, _POINTER]
        self.ask = library.cuEventQuery
        """Return 0 if an event has happened: ``ask(event)``."""
        self.ask.argtypes = [_POINTER]

    def launch_in_turn(self, launches: Sequence[Launch], times: int, stream: int) -> int:
        """Start kernels one after the other, and all again, so many times."""
        arguments = [ctypes.c_uint64(each[3]) for each in launches]
        places = [(_POINTER * 1)(ctypes.addressof(each)) for each in arguments]
        calls = [
            (kernel.kernel.ptr, blocks, 1, 1, threads, 1, 1, shared, stream, place, None)
            for (kernel, blocks, threads, _, shared), place in zip(launches, places, strict=True)
        ]
        for _ in range(times):
            for call in calls:
                if status := self._launch(*call):
                    return int(status)
        return 0


@cache
def _load() -> Driver | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        return Driver()
    except (OSError, AttributeError):
        return None


def driver(cupy: Any) -> Driver | None:
    """Return the driver; None where it is not at hand, and CuPy is asked instead."""
    return None if cupy.cuda.runtime.is_hip else _load()
