"""The GPUs that a search may use: those that the user names, or the first that works."""

from __future__ import annotations

import warnings
from importlib.util import find_spec
from typing import Any

from prunus.devices import Devices
from prunus.errors import DeviceError, MissingExtraError

__all__ = ["gpus_for"]


def gpus_for(devices: Devices, *, worth_it: bool) -> list[Any]:
    """Return the GPUs to search on, as ``cuda.Device``.

    Parameters
    ----------
    devices
        The user's choice. An automatic one takes the first GPU if there is one that can be used; it
        warns if there is CuPy but no usable GPU.
    worth_it
        The search takes longer than a GPU needs to start; else an automatic choice takes none.

    Raises
    ------
    DeviceError
        If a GPU that was named cannot be used.
    MissingExtraError
        If a GPU was named and CuPy is not installed.
    """
    if not devices.automatic:
        if not devices.gpus:
            return []
        from prunus.cuda import Device

        return [Device(index) for index in devices.gpus]
    if not worth_it or find_spec("cupy") is None:
        return []
    from prunus.cuda import Device

    try:
        return [Device(0)]
    except (DeviceError, MissingExtraError) as error:
        warnings.warn(f"searching on the CPU: {error}", stacklevel=2)
        return []
