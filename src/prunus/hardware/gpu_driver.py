"""The driver of NVIDIA GPUs is begun in a thread of its own: it takes a third of a second.

Meanwhile Python imports CuPy and the rest. Whoever needs the driver waits for it, as always.
"""

from __future__ import annotations

import ctypes
import re
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache


@cache
def begin(index: int) -> None:
    """Begin with a GPU; what is wrong with it is said where it is used."""
    # Not a daemon: a process must not end in the midst of it.
    threading.Thread(target=_begin, args=(index,), name="prunus-driver").start()


def begin_as_told(words: Sequence[str]) -> None:
    """Begin with the GPUs that the words of a command line name, if this process will use them.

    A GPU may be for one process alone: the workers' GPUs are left to them.
    """
    if not words or words[0] not in ("solve", "resume"):
        return
    if any(word.startswith("--dask") for word in words):
        return
    pairs = zip(words, [*words[1:], ""], strict=False)
    values = [word.partition("=")[2] or following for word, following in pairs if _asks(word)]
    for number in re.findall(r"\bcuda(?::([0-9]{1,3}))?(?![^,])", ",".join(values)):
        begin(int(number or 0))


def _asks(word: str) -> bool:
    return word == "--devices" or word.startswith("--devices=")


def _begin(index: int) -> None:
    name = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    with suppress(OSError, AttributeError):
        driver = ctypes.CDLL(name)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        if driver.cuInit(0) == 0 and driver.cuDeviceGet(ctypes.byref(device), index) == 0:
            # Kept to the end: it is the context that the CUDA runtime shares with everybody.
            driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
