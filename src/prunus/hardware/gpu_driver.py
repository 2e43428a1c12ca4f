"""The driver of NVIDIA GPUs starts in a thread: it takes a third of a second, like the imports.

Nobody waits for the thread. Whoever needs the driver, for example CuPy, waits inside the driver.
"""

from __future__ import annotations

import ctypes
import re
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_DRIVER = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
_AMD = Path("/dev/kfd")
"""There if AMD's driver is, for CuPy as it is built for that."""


@cache
def is_installed() -> bool:
    """Tell whether this machine has a driver: cheaper than to import CuPy, which would tell too."""
    with suppress(OSError):
        ctypes.CDLL(_DRIVER)
        return True
    return _AMD.exists()


@cache
def start(index: int) -> None:
    """Create the context of a GPU that this process will use.

    Errors are ignored: whoever opens the GPU gets them again, and reports them.
    """
    if find_spec("cupy") is not None:
        # Not a daemon: a process must not end while the driver starts.
        threading.Thread(target=_start, args=(index,), name="prunus-gpu-driver").start()


def start_for(words: Sequence[str]) -> None:
    """Start the GPUs that the words of a command line name, if this process will search on them.

    With ``--dask`` the workers do, and a GPU may be reserved for one process. A problem in a Python
    file may start processes or set ``CUDA_VISIBLE_DEVICES`` before the driver reads it.
    """
    if not words or words[0] not in ("solve", "resume"):
        return
    if any(word.startswith("--dask") or ".py" in word for word in words):
        return
    pairs = zip(words, [*words[1:], ""], strict=False)
    values = [word.partition("=")[2] or following for word, following in pairs if _names(word)]
    for number in re.findall(r"\bcuda(?::([0-9]{1,3}))?(?![^,])", ",".join(values)):
        start(int(number or 0))


def _names(word: str) -> bool:
    return word == "--devices" or word.startswith("--devices=")


def _start(index: int) -> None:
    with suppress(OSError, AttributeError):
        driver = ctypes.CDLL(_DRIVER)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        if driver.cuInit(0) == 0 and driver.cuDeviceGet(ctypes.byref(device), index) == 0:
            # The primary context, which the CUDA runtime shares; it is kept until the process ends.
            driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
