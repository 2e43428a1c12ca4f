"""A folder for compiled kernels: CuPy cannot even be imported where it cannot make its own."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import warnings
from pathlib import Path

from prunus.errors import DeviceError
from prunus.hardware.private_folder import is_trusted, is_writable

_VARIABLE = "CUPY_CACHE_DIR"
_USUAL = os.path.join("~", ".cupy", "kernel_cache")


def find_cache_folder() -> None:
    """See to it that CuPy finds a folder that it can write: its own, else one for this process.

    Raises ``DeviceError`` if there is none.
    """
    folder = Path(os.environ.get(_VARIABLE) or os.path.expanduser(_USUAL))
    if is_writable(folder) and is_trusted(folder.stat(), folder.parent):
        return
    advice = f"set {_VARIABLE} to a writable folder"
    try:
        other = tempfile.mkdtemp(prefix="prunus-kernels-")
    except OSError:
        raise DeviceError(f"there is no writable folder for compiled kernels; {advice}") from None
    atexit.register(shutil.rmtree, other, ignore_errors=True)
    os.environ[_VARIABLE] = other
    warnings.warn(
        f"compiled kernels cannot be kept in {folder}: every run compiles again; {advice}",
        stacklevel=4,
    )
