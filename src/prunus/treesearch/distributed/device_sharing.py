"""Which devices of a machine a worker process takes, so that all workers there have their share.

A worker knows who it is and what it may use; the coordinator tells it of all others. From that each
works out its own share: a core, or a GPU, is shared by the workers that may use it. So a process
pool of as many workers as cores has one core each, a worker that has a machine for itself has all
of it, and workers that are bound to cores of their own, or see a GPU of their own, have those.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from prunus.errors import DeviceError, MissingExtraError
from prunus.hardware.devices import Devices, available_cores


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """A process that explores work units."""

    host: str
    pid: int
    """Which one."""
    concurrency: int = 1
    """How many work units it explores at the same time, in threads."""
    cores: int = 1
    """Those that it may use; bit i is core i."""
    gpus: tuple[str, ...] = ()
    """The names of the GPUs that it sees, in its own order; the same in all processes."""
    online: bool = False
    """It is connected to the coordinator."""

    @property
    def label(self) -> str:
        """What a result calls it."""
        return f"{self.host}:{self.pid}"


class ConcurrencyCounter:
    """Counts how many work units a process explores at the same time; a context for each."""

    def __init__(self) -> None:
        self.most = 1
        self._now = 0
        self._lock = threading.Lock()

    def __enter__(self) -> ConcurrencyCounter:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._now -= 1


def this_worker(concurrency: int, gpus: bool) -> WorkerInfo:
    """Describe this process.

    It explores ``concurrency`` work units at the same time; ``gpus``: look for GPUs.
    """
    if hasattr(os, "sched_getaffinity"):
        cores = sum(1 << core for core in os.sched_getaffinity(0))
    else:
        cores = (1 << available_cores()) - 1
    return WorkerInfo(
        socket.gethostname(), os.getpid(), concurrency, cores, _gpus() if gpus else ()
    )


@cache
def _gpus() -> tuple[str, ...]:
    from prunus.hardware.cuda import names

    try:
        return names()
    except (DeviceError, MissingExtraError):
        return ()


def share_devices(me: WorkerInfo, known: Iterable[WorkerInfo], wanted: Devices) -> Devices:
    """Return the devices that a worker takes for a work unit.

    ``known`` are all workers that are known, ``me`` or not; ``wanted`` is what may be used of each
    machine. Automatically it is all GPUs, or all cores without any.
    """
    others = {w.pid: w for w in known if w.host == me.host} | {me.pid: me}
    near = sorted(others.values(), key=lambda worker: worker.pid)
    gpus = tuple(range(len(me.gpus))) if wanted.automatic else wanted.gpus
    if gpus:
        gpus = _share_of_gpus(gpus, me, near)
    cores = 0 if gpus and wanted.automatic else wanted.cores
    if cores:
        beside = [w for w in near if w.cores & me.cores]
        takers = sum(w.concurrency for w in beside)
        place = sum(w.concurrency for w in beside if w.pid < me.pid)
        cores = max(1, cores // takers + (place + me.concurrency <= cores % takers))
    return Devices(cores, gpus)


def _share_of_gpus(
    gpus: tuple[int, ...], me: WorkerInfo, near: list[WorkerInfo]
) -> tuple[int, ...]:
    """Divide the GPUs among the workers that see them; some share one if they are too few."""
    names = {me.gpus[i] if i < len(me.gpus) else str(i): i for i in gpus}
    beside = [w for w in near if w.pid == me.pid or set(names) & set(w.gpus)]
    place = beside.index(me)
    there = sorted(names)
    mine = there[place :: len(beside)] or [there[place % len(there)]]
    return tuple(names[name] for name in mine)
