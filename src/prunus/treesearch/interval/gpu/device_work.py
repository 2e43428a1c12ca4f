"""Work that lies on a device, as entries of its pools."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.device import Device
from prunus.treesearch.interval.gpu.entries import intervals_of
from prunus.treesearch.interval.gpu.program import EntryLayout
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.packed import Packed


class DeviceWork:
    """Entries in a buffer on the device that gave them; ``Work``.

    Another device of the same search copies them and goes on with them as they are. Everybody else
    reads them as intervals; what was read is kept, and the buffer let go.

    The buffer lies on ``device``; ``entries`` is a device array of ``count`` entries, ``layout``
    what one looks like, ``leaves`` the length of all intervals together; ``pack`` packs such
    entries on the device.
    """

    def __init__(
        self,
        device: Device,
        entries: Any,
        count: int,
        layout: EntryLayout,
        leaves: int,
        pack: Callable[[Any, int], Packed],
    ) -> None:
        self.device = device
        self.layout = layout
        self.leaves = leaves
        self._entries = entries
        self._count = count
        self._words: NDArray[np.uint32] | None = None
        self._reading = threading.Lock()
        self._pack = pack

    def __len__(self) -> int:
        return self._count

    @property
    def entries(self) -> Any | None:
        """The device array, if it holds whole entries and nobody has read them from it."""
        entries = self._entries
        whole = entries is not None and len(entries) == self._count * self.layout.entry
        return entries if whole else None

    def intervals(self) -> Intervals:
        """Read the entries and decode them; may be called in any thread."""
        if self._count == 0:
            return Intervals.empty(self.layout.levels)
        with self._reading:
            if self._words is None:
                self._words = self.device.read_aside(self._entries).reshape(self._count, -1)
                self._entries = None
        return intervals_of(self._words, self.layout)

    def packed(self) -> Packed:
        """Return them as they are sent; while nothing runs on the device."""
        entries = self._entries
        if self._count == 0 or entries is None:
            return Packed.of(self.intervals())
        return self._pack(entries, self._count)
