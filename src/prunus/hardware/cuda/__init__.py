"""Compiling and launching kernels: the only place that knows CuPy.

A device is loaded when it is asked for: the structures that kernels and the host share stand in
this folder too, and are read by every solve.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prunus.hardware.cuda.device import CudaDevice, available, devices, names

__all__ = ["CudaDevice", "available", "devices", "names"]


def __getattr__(name: str) -> Any:
    """Load what is asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("prunus.hardware.cuda.device"), name)
