"""The memory of a GPU for lists of states, and for the copies of them that remember decisions."""

from __future__ import annotations

import numpy as np

from prunus.hardware.device import Device, DeviceArray


def empty_list(device: Device, states: int) -> list[DeviceArray]:
    """Return room for weights, profits and words."""
    return [device.empty(states, kind) for kind in (np.int64, np.int64, np.uint64)]


class Copies:
    """Weights and words of earlier lists, in pieces of memory that hold many of them.

    Memory is asked for in slabs of so many states.
    """

    def __init__(self, device: Device, slab: int) -> None:
        self._device, self._slab_states = device, slab
        self._slab: tuple[DeviceArray, DeviceArray] | None = None
        self._used = self._size = 0

    def take(self, states: int) -> tuple[DeviceArray, DeviceArray] | None:
        """Return where weights and words of so many states go; None if there is no memory."""
        if self._used + states > self._size:
            free = self._device.free_memory()
            size = next(
                (n for n in (max(self._slab_states, states), states) if 16 * n <= 0.5 * free), None
            )
            if size is None:
                return None
            kinds = np.int64, np.uint64
            weights, words = (self._device.empty(size, kind) for kind in kinds)
            self._slab, self._used, self._size = (weights, words), 0, size
        begin = self._used
        self._used += states
        assert self._slab is not None
        weights, words = self._slab
        return weights[begin : self._used], words[begin : self._used]
