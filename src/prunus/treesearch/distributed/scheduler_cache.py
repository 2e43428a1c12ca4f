"""Schedulers that a worker process keeps from one work unit to the next."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from prunus.hardware.devices import Devices
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.distributed.tuning import DEFAULT_TUNING
from prunus.treesearch.model import ExplorerFactory
from prunus.treesearch.scheduler.local_explorers import local_explorers
from prunus.treesearch.scheduler.scheduler import Scheduler


class SchedulerCache:
    """Compiled kernels, tables and device buffers, by tree and devices; losing them costs time."""

    def __init__(self, kept_trees: int = DEFAULT_TUNING.kept_trees) -> None:
        self._kept_trees = kept_trees
        self._idle: dict[str, dict[Devices, list[Scheduler]]] = {}
        self._factories: dict[str, ExplorerFactory] = {}
        self._lock = threading.Lock()
        self._gpu_locks: dict[int, threading.Lock] = {}

    @contextmanager
    def borrow(self, factory: bytes, digest: str, devices: Devices) -> Iterator[Scheduler]:
        """Lend a scheduler, and its GPUs: units side by side would slow each other.

        One whose devices have failed is not kept.
        """
        with ExitStack() as held:
            for index in sorted(devices.gpus):
                held.enter_context(self._gpu_lock(index))
            scheduler = self._take(factory, digest, devices)
            yield scheduler
            if not scheduler.team.failures:
                with self._lock:
                    self._idle.get(digest, {}).setdefault(devices, []).append(scheduler)

    def _gpu_lock(self, index: int) -> threading.Lock:
        with self._lock:
            return self._gpu_locks.setdefault(index, threading.Lock())

    def _take(self, factory: bytes, digest: str, devices: Devices) -> Scheduler:
        with self._lock:
            made = self._factories.pop(digest, None) or pickle.loads(factory)
            self._factories[digest] = made  # the one used last is the last one
            while len(self._factories) > self._kept_trees:
                oldest = next(iter(self._factories))
                del self._factories[oldest]
                self._idle.pop(oldest, None)
            idle = self._idle.setdefault(digest, {}).setdefault(devices, [])
            if idle:
                return idle.pop()
        explorers = local_explorers(devices, made)
        return Scheduler(explorers, Incumbent(), policy=made.policy, patient=True)
