"""The levels of beams on a GPU: how many nodes each has, and arrays for the widest so far."""

from __future__ import annotations

from collections.abc import Mapping

from prunus.hardware.device import Device, DeviceArray


def most_nodes(items: int, width: int) -> list[int]:
    """Return how many nodes each level has at most, from the root to the leaves."""
    most = [1]
    for level in range(items):
        most.append(min(width, most[-1] * (items - level)))
    return most


class LevelArrays:
    """Arrays by name, which are made anew for a wider beam; ``width`` is what they are made for."""

    def __init__(self, device: Device) -> None:
        self.width = 0
        self._device = device
        self._arrays: dict[str, DeviceArray] = {}

    def __getitem__(self, name: str) -> DeviceArray:
        return self._arrays[name]

    def hold(self, width: int, sizes: Mapping[str, tuple[int, str]]) -> None:
        """Have arrays for so many nodes a level, of these numbers of elements and types."""
        # What there is goes first: both at once may be more than the device has.
        self._arrays.clear()
        self.width = 0
        for name, (count, kind) in sizes.items():
            self._arrays[name] = self._device.empty(count, kind)
        self.width = width

    def addresses(self) -> dict[str, int]:
        """Return where each begins."""
        return {name: self._device.address(array) for name, array in self._arrays.items()}

    def release(self) -> None:
        """Give the memory of all levels back to the driver: other programs may want it."""
        if self.width:
            self._arrays.clear()
            self.width = 0
            self._device.trim()
