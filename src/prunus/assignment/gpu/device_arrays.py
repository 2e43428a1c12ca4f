"""Arrays in one piece of a GPU's memory: to allocate each by itself takes as long as to launch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from prunus.hardware.device import Device

_ALIGNED = 256


class DeviceArrays:
    """Some arrays of undefined values, one after the other.

    Raises ``DeviceError`` if the card has too little memory. The lengths and types are given by
    name, in their order.
    """

    def __init__(self, device: Device, arrays: Mapping[str, tuple[int, DTypeLike]]) -> None:
        self._device = device
        self._places: dict[str, tuple[int, int, np.dtype[Any]]] = {}
        size = 0
        for name, (count, kind) in arrays.items():
            kind = np.dtype(kind)
            self._places[name] = size, count * kind.itemsize, kind
            size += -(-count * kind.itemsize // _ALIGNED) * _ALIGNED
        self._memory = device.empty(size, np.uint8)
        self._address = device.address(self._memory)

    def address(self, name: str) -> int:
        """Return where an array lies."""
        return int(self._address) + self._places[name][0]

    def view(self, name: str) -> Any:
        """Return an array as the device sees it."""
        begin, size, kind = self._places[name]
        return self._memory[begin : begin + size].view(kind)

    def fetch(self, *names: str) -> dict[str, NDArray[Any]]:
        """Return arrays as they will be, in one copy from first to last, without waiting."""
        places = [self._places[name] for name in names]
        begin = min(place[0] for place in places)
        end = max(place[0] + place[1] for place in places)
        device = self._device
        host = device.pinned(end - begin, np.uint8)
        device.fetch(self._memory[begin:end], host)
        return {
            name: host[first - begin : first - begin + size].view(kind)
            for name, (first, size, kind) in zip(names, places, strict=True)
        }
