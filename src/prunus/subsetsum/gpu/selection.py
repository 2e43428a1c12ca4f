"""The GPUs that a search may use: those that the user names, or the first that works."""

from __future__ import annotations

from typing import Any

from prunus.hardware.devices import Devices, first_gpu, open_gpu


def select_gpus(devices: Devices, *, worth_it: bool) -> list[Any]:
    """Return the GPUs to search on.

    An automatic choice takes the first GPU if there is one that can be used, and warns if there is
    CuPy but no usable GPU; it takes none where the search is shorter than a GPU needs to start
    (``worth_it``). Raises ``DeviceError`` if a GPU that was named cannot be used;
    ``MissingExtraError`` if a GPU was named and CuPy is not installed.
    """
    if not devices.automatic:
        return [open_gpu(index) for index in devices.gpus]
    found = first_gpu(lambda: open_gpu(0), "searching") if worth_it else None
    return [] if found is None else [found]
