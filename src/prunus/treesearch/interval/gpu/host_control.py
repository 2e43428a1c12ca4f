"""What the host says to a running kernel: words in host memory that the device reads."""

from __future__ import annotations

import threading

from prunus.hardware.device import Device
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.gpu.memory import HOST_CONTROL

INCUMBENT, STOP = (HOST_CONTROL.offset(name) // 8 for name in ("incumbent", "stop"))


class HostControl:
    """A ``HostControl`` structure. All methods may be called by any thread.

    ``address`` is where the device sees it.
    """

    def __init__(self, device: Device) -> None:
        self._words, self.address = device.mapped(HOST_CONTROL.words)
        self._lock = threading.Lock()
        self._incumbent: Incumbent | None = None

    def follow(self, incumbent: Incumbent) -> None:
        """Tell the device of an incumbent, now and whenever it improves."""
        if incumbent is not self._incumbent:
            self._incumbent = incumbent
            incumbent.watch(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Write the incumbent as it is now: the last to write has read the latest."""
        with self._lock:
            if self._incumbent is not None:
                self._words[INCUMBENT] = self._incumbent.cutoff

    def request_stop(self) -> None:
        self._words[STOP] = 1

    def withdraw_stop(self) -> None:
        self._words[STOP] = 0
