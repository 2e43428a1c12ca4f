"""The memory of a card for lists of states, and for the copies of them that remember decisions."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.hardware.device import Device

__all__ = ["Copies", "empty_list"]

_SLAB = 1 << 23
"""States for which copies get memory at a time: to ask the driver takes some .1 ms."""


def empty_list(device: Device, states: int) -> list[Any]:
    """Return room for weights, profits and words."""
    return [device.empty(states, kind) for kind in (np.int64, np.int64, np.uint64)]


class Copies:
    """Weights and words of earlier lists, in pieces of memory that hold many of them.

    Parameters
    ----------
    device
        The card.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self._slab: tuple[Any, Any] = (None, None)
        self._used = self._size = 0

    def take(self, states: int) -> tuple[Any, Any] | None:
        """Return where weights and words of so many states go; None if there is no memory."""
        if self._used + states > self._size:
            free = self._device.free_memory()
            size = next((n for n in (max(_SLAB, states), states) if 16 * n <= 0.5 * free), None)
            if size is None:
                return None
            kinds = np.int64, np.uint64
            weights, words = (self._device.empty(size, kind) for kind in kinds)
            self._slab, self._used, self._size = (weights, words), 0, size
        begin = self._used
        self._used += states
        weights, words = self._slab
        return weights[begin : self._used], words[begin : self._used]
