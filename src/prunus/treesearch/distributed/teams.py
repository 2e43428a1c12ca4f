"""Teams of explorers that a worker process keeps from one slice to the next."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from prunus.hardware.devices import Devices
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.model import ExplorerFactory
from prunus.treesearch.scheduler.local_explorers import local_explorers
from prunus.treesearch.scheduler.scheduler import Scheduler

__all__ = ["Teams"]

KEPT = 2
"""Trees whose teams are kept."""


class Teams:
    """Compiled kernels, tables and device buffers, by tree and devices; losing them costs time."""

    def __init__(self) -> None:
        self._idle: dict[str, dict[Devices, list[Scheduler]]] = {}
        self._factories: dict[str, ExplorerFactory] = {}
        self._lock = threading.Lock()
        self._cards: dict[int, threading.Lock] = {}

    @contextmanager
    def borrow(self, factory: bytes, digest: str, devices: Devices) -> Iterator[Scheduler]:
        """Have a scheduler and its GPUs for oneself: slices side by side would slow each other.

        One whose devices have failed is not kept.
        """
        with ExitStack() as held:
            for index in sorted(devices.gpus):
                held.enter_context(self._card(index))
            scheduler = self._take(factory, digest, devices)
            yield scheduler
            if not scheduler.failures:
                with self._lock:
                    self._idle.get(digest, {}).setdefault(devices, []).append(scheduler)

    def _card(self, index: int) -> threading.Lock:
        with self._lock:
            return self._cards.setdefault(index, threading.Lock())

    def _take(self, factory: bytes, digest: str, devices: Devices) -> Scheduler:
        with self._lock:
            made = self._factories.pop(digest, None) or pickle.loads(factory)
            self._factories[digest] = made  # the one used last is the last one
            while len(self._factories) > KEPT:
                oldest = next(iter(self._factories))
                del self._factories[oldest]
                self._idle.pop(oldest, None)
            idle = self._idle.setdefault(digest, {}).setdefault(devices, [])
            if idle:
                return idle.pop()
        return Scheduler(local_explorers(devices, made), Incumbent(), policy=made.policy)
