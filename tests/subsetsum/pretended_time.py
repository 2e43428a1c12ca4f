"""Time that passes only when everybody who searches waits for it: speeds are what a test says."""

from __future__ import annotations

import threading
from contextlib import contextmanager

import pytest

from prunus.subsetsum.pieces import machine as module


class _Time:
    def __init__(self) -> None:
        self.now = 0.0
        self._searching = 1
        self._until: dict[int, float] = {}
        self._changed = threading.Condition()

    def sleep(self, seconds: float) -> None:
        """Wait until so much time has passed."""
        here = threading.get_ident()
        with self._changed:
            self._until[here] = self.now + seconds
            self._go_on()
            self._changed.wait_for(lambda: self.now >= self._until[here])
            del self._until[here]

    def count(self, by: int) -> None:
        """Note that more search, or fewer."""
        with self._changed:
            self._searching += by
            self._go_on()

    def _go_on(self) -> None:
        if self._until and len(self._until) == self._searching:
            self.now = min(self._until.values())
            self._changed.notify_all()


@contextmanager
def pretended_time():
    """Give one search of ``MachineSearch`` its own time, and its lists what they sleep by."""
    time, work, start = _Time(), module.MachineSearch._work, module.start_task

    def work_and_leave(*arguments):
        try:
            return work(*arguments)
        finally:
            time.count(-1)

    def come_and_start(*arguments):
        time.count(1)
        return start(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "perf_counter", lambda: time.now)
        patch.setattr(module.MachineSearch, "_work", work_and_leave)
        patch.setattr(module, "start_task", come_and_start)
        yield time.sleep
