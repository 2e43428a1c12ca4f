"""Explorers on the devices of this machine, as the user chose them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from prunus.devices import Devices
from prunus.errors import DeviceError, InputError
from prunus.treesearch.crew import ready
from prunus.treesearch.explorer import Explorer

__all__ = ["explorers_on"]


def explorers_on(
    devices: Devices,
    *,
    core: Callable[[str], Explorer],
    gpu: Callable[[Any], Explorer],
    small: bool = False,
) -> list[Explorer]:
    """Make an explorer for each core and each GPU.

    Parameters
    ----------
    devices
        The user's choice. An automatic one takes the first GPU if it can be used, else all cores;
        it warns if there is CuPy but no usable GPU.
    core
        Makes an explorer on a core, given its name.
    gpu
        Makes an explorer on a GPU, given a ``cuda.Device``.
    small
        The problem is solved before a GPU has started: an automatic choice takes cores.

    Raises
    ------
    DeviceError
        If a GPU that was asked for cannot be used.
    MissingExtraError
        If a GPU was asked for and CuPy is not installed.
    """
    ready(devices.cores + max(1, len(devices.gpus)))
    if devices.automatic and not small:
        found = _first_gpu(gpu)
        if found is not None:
            return [found]
    if devices.gpus:
        from prunus.cuda import Device

        cards = [Device(index) for index in devices.gpus]
        for card in cards:
            for other in cards:
                card.connect(other)
        gpus = [gpu(card) for card in cards]
    else:
        gpus = []
    return gpus + [core(f"cpu:{i}") for i in range(devices.cores)]


def _first_gpu(gpu: Callable[[Any], Explorer]) -> Explorer | None:
    """Return an explorer on the first GPU, or None, with a warning if one might have worked."""
    if find_spec("cupy") is None:
        return None
    from prunus.cuda import Device

    try:
        return gpu(Device(0))
    except (DeviceError, InputError, ImportError) as error:
        warnings.warn(f"searching on the CPU: {error}", stacklevel=2)
        return None
