"""The search's memory on the device: twins of the structures in ``search.cuh``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from prunus.hardware.device import Device

__all__ = ["CONTROL", "Memory"]

CONTROL = np.dtype(
    [("incumbent", "i8"), ("stop", "i4"), ("waiting", "u4")]
    + [(name, "u8") for name in ("nodes", "leaves", "steals", "batches", "longest")]
    + [("least", "i8")]
    + [(name, "i4") for name in ("bag_next", "bag_size", "active", "given")]
    + [(name, "i4") for name in ("overflow", "lock", "entries", "peak")]
    + [("gate", "u4"), ("visits", "i4"), ("hungry", "u4"), ("padding", "u4"), ("starved", "u8")]
)

_FIELDS = [
    "control",
    "pools",
    "bottom",
    "top",
    "bag",
    "tables",
    "idle",
    "values",
    "solutions",
    "digits",
    "directions",
    "depth",
    "end_level",
    "end_digit",
    "starts",
    "out",
    "widths",
    "order",
    "lengths",
    "weights",
    "victims",
    "taken",
    "explorers",
    "capacity",
    "intervals",
    "budget",
    "bag_capacity",
    "out_capacity",
    "trigger",
    "grab",
    "share",
    "out_words",
    "rule",
    "window",
    "shift",
    "modest",
    "incumbent",
    "refill",
    "bag_start",
    "peers",
    "come",
    "gone",
    "peer_count",
    "slot",
    "linked",
    "hungry",
    "sated",
]
_PLACES = {name: place for place, name in enumerate(_FIELDS)}


class Memory:
    """Named device arrays and numbers, and the structure through which kernels reach them.

    Parameters
    ----------
    device
        The GPU.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self._arrays: dict[str, Any] = {}
        self._fields = np.zeros(len(_FIELDS), np.int64)
        self._search = device.full(len(_FIELDS), 0, np.int64)
        self._changed = True

    def hold(self, name: str, array: Any) -> Any:
        """Make a device array known to the kernels under a name."""
        self._arrays[name] = array
        self.set(name, self._device.address(array))
        return array

    def point(self, name: str, address: int) -> None:
        """Make memory that is somebody else's known to the kernels under a name."""
        self.set(name, address)

    def put(self, name: str, values: NDArray[Any]) -> Any:
        """Copy a host array to the device under a name."""
        return self.hold(name, self._device.put(np.ascontiguousarray(values)))

    def full(self, name: str, count: int, value: int, kind: DTypeLike) -> Any:
        """Allocate ``count`` equal values under a name."""
        return self.hold(name, self._device.full(count, value, kind))

    def empty(self, name: str, count: int, kind: DTypeLike) -> Any:
        """Allocate ``count`` undefined values under a name."""
        return self.hold(name, self._device.empty(count, kind))

    def array(self, name: str) -> Any:
        """Return a device array."""
        return self._arrays[name]

    def drop(self, name: str) -> Any:
        """Forget an array, and return it."""
        return self._arrays.pop(name)

    def set(self, name: str, value: int) -> None:
        """Set a number."""
        place = _PLACES[name]
        if self._fields[place] != value:
            self._fields[place] = value
            self._changed = True

    def number(self, name: str) -> int:
        """Return a number."""
        return int(self._fields[_PLACES[name]])

    def read(self, name: str) -> NDArray[Any]:
        """Return an array's values, when the kernels before are done."""
        return np.asarray(self._device.read(self._arrays[name]))

    def write(self, name: str, values: NDArray[Any]) -> None:
        """Overwrite the beginning of an array."""
        self._device.write(self._arrays[name], values)

    def address(self) -> int:
        """Return the address of the structure, up to date."""
        if self._changed:
            self._device.write(self._search, self._fields)
            self._changed = False
        return int(self._device.address(self._search))
