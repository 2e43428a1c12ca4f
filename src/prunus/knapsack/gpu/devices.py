"""The GPUs that a knapsack may be solved on, opened when there is enough to do for them."""

from __future__ import annotations

from prunus.errors import DeviceError
from prunus.hardware.device import Device
from prunus.hardware.devices import Devices, select_gpus, warn_of_cpu

_WORTH_CELLS = 1.6e10
"""Cells a core from which an automatic choice starts a GPU: two seconds, which alone takes half a
second."""


class LazyGpus:
    """GPUs.

    An automatic choice takes the first GPU once the work is worth it, if it can be used; it warns
    if there is CuPy but no usable GPU.
    """

    def __init__(self, devices: Devices) -> None:
        self._devices = devices
        self._gpus: tuple[Device, ...] | None = None

    @property
    def asked(self) -> bool:
        """Whether the user named them."""
        return bool(self._devices.gpus)

    def open(self, cells: float) -> tuple[Device, ...]:
        """Return the GPUs for so many cells of a table a core; perhaps none.

        Raises ``DeviceError`` if a GPU that was asked for cannot be used.
        """
        if self._gpus is None:
            if self._devices.automatic and cells < _WORTH_CELLS:
                return ()
            self._gpus = select_gpus(self._devices, "solving")
        return self._gpus

    def fails(self, error: DeviceError) -> None:
        """Go on without GPUs; raise the error if they were asked for."""
        if not self._devices.automatic:
            raise error
        warn_of_cpu("continuing", error)
        self._gpus = ()


NO_GPUS = LazyGpus(Devices(1))
