"""The sets of reachable sums in the memory of a GPU, several items added in a pass."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prunus.hardware.device import Device, DeviceArray
from prunus.model.arrays import UInt64Array
from prunus.subsetsum.dynamic_programming.bitset import ReachableSums

_THREADS = 256
_SHIFTS = 4
_TOGETHER = 2
"""Items in a pass: a word is read at four shifts and written once, not read and written twice."""
_PASSES = 4
"""Passes before it is looked whether the target was reached, which takes as long as a pass."""


class GpuReachableSums(ReachableSums[DeviceArray]):
    """See ``ReachableSums``; the sets are device arrays."""

    def __init__(self, weights: Sequence[int], target: int, closest: bool, device: Device) -> None:
        super().__init__(weights, target, closest)
        self._device = device
        constants = {"THREADS": _THREADS, "SHIFTS": _SHIFTS}
        module = device.compile("subsetsum/gpu/bitset.cu", constants)
        self._kernel, resident = device.prepare(module, "add_items", _THREADS, 0)
        self._most = max(1, resident) * device.multiprocessors
        self._search = device.empty(5 + _SHIFTS, np.uint64)

    def first(self) -> DeviceArray:
        bits = self.blank()
        self._device.write(bits, np.ones(1, np.uint64))
        return bits

    def blank(self) -> DeviceArray:
        return self._device.full(self._size, 0, np.uint64)

    def copy(self, bits: DeviceArray) -> DeviceArray:
        new = self._device.empty(self._size, np.uint64)
        self._add(bits, new, (0, self._size), [0])
        return new

    def advance(
        self, steps: int, current: DeviceArray, spare: DeviceArray
    ) -> tuple[int, DeviceArray, DeviceArray]:
        """Add some items."""
        for _ in range(_PASSES):
            last = min(steps + _TOGETHER, len(self.weights))
            if last == steps:
                break
            shifts = [0]
            for weight in self.weights[steps:last]:
                shifts += [shift + weight for shift in shifts]
            self._add(current, spare, self.range_of_interest(last), shifts)
            current, spare, steps = spare, current, last
        return steps, current, spare

    def add(self, step: int, old: DeviceArray, new: DeviceArray) -> None:
        self._add(old, new, self.range_of_interest(step + 1), [0, self.weights[step]])

    def words(self, bits: DeviceArray, first: int, last: int) -> UInt64Array:
        found: UInt64Array = self._device.read(bits[first:last])
        return found

    def _add(
        self, old: DeviceArray, new: DeviceArray, words: tuple[int, int], shifts: list[int]
    ) -> None:
        device = self._device
        low, high = words
        if low >= high:
            return
        told = [device.address(old), device.address(new), low, high, len(shifts), *shifts]
        device.write(self._search, np.array(told, np.uint64))
        blocks = min(self._most, -(-(high - low) // _THREADS))
        device.launch(self._kernel, blocks, _THREADS, device.address(self._search), 0)
