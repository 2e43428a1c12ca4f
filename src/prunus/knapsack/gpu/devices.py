"""The GPUs that a knapsack may be solved on, opened when there is enough to do for them."""

from __future__ import annotations

from prunus.errors import DeviceError
from prunus.hardware.device import Device
from prunus.hardware.devices import Devices, select_gpus, warn_of_cpu

_WORTH_S = 2.0
"""Seconds on cores from which an automatic choice starts a GPU: that alone takes half a second."""


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

    def open(self, seconds: float) -> tuple[Device, ...]:
        """Return the GPUs for work that would take some seconds on cores; perhaps none.

        Raises ``DeviceError`` if a GPU that was asked for cannot be used.
        """
        if self._gpus is None:
            if self._devices.automatic and seconds < _WORTH_S:
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
