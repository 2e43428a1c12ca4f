"""Explorers where the user wants them: on the devices of this machine, or over an executor."""

from __future__ import annotations

from prunus.hardware.devices import Devices, first_gpu, open_gpu
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.model import Explorer, ExplorerFactory
from prunus.treesearch.scheduler.local_explorers import local_explorers


def explorers_on(devices: Devices, factory: ExplorerFactory, monitor: AnyMonitor) -> list[Explorer]:
    """Make an explorer for each core and each GPU, or one for all workers of an executor.

    An automatic choice takes the first GPU if it can be used, else all cores; it warns if there is
    CuPy but no usable GPU. Raises ``DeviceError`` if a GPU that was asked for cannot be used, or no
    worker of an executor; ``MissingExtraError`` if a GPU was asked for and CuPy is not installed.
    """
    if devices.engine is not None:
        from prunus.treesearch.distributed import Coordinator

        return [Coordinator(devices.engine, factory, devices.words, monitor)]
    if devices.automatic and not factory.prefers_cores:
        found = first_gpu(lambda: factory.on_gpu(open_gpu(0)), "searching")
        if found is not None:
            return [found]
    return local_explorers(devices, factory)
