"""Explorers on the devices of this machine, as the user chose them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prunus.crew import ready
from prunus.devices import Devices, first_gpu, open_gpu
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
    if devices.automatic and not small:
        found = first_gpu(lambda: gpu(open_gpu(0)), "searching")
        if found is not None:
            return [found]
    ready(devices.cores + len(devices.gpus))
    cards = [open_gpu(index) for index in devices.gpus]
    for card in cards:
        for other in cards:
            card.connect(other)
    return [*map(gpu, cards), *(core(f"cpu:{i}") for i in range(devices.cores))]
