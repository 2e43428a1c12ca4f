"""Which devices of a machine a worker process takes, so that all workers there have their share.

A worker knows who it is and what it may use; the coordinator tells it of all others. From that each
reckons its own share: a core, or a GPU, is shared by the workers that may use it. So a process pool
of as many workers as cores has one core each, a worker that has a machine for itself has all of it,
and workers that are bound to cores of their own, or see a GPU of their own, have those.
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

__all__ = ["Abreast", "Worker", "share", "this_worker"]


@dataclass(frozen=True, slots=True)
class Worker:
    """A process that explores slices.

    Attributes
    ----------
    host, pid
        Which one.
    abreast
        How many slices it explores at the same time, in threads.
    cores
        Those that it may use; bit i is core i.
    gpus
        The names of the GPUs that it sees, in its own order; the same in all processes.
    online
        It has a line to the coordinator.
    """

    host: str
    pid: int
    abreast: int = 1
    cores: int = 1
    gpus: tuple[str, ...] = ()
    online: bool = False

    @property
    def label(self) -> str:
        """What a result calls it."""
        return f"{self.host}:{self.pid}"


class Abreast:
    """Counts how many slices a process explores at the same time; a context for each."""

    def __init__(self) -> None:
        self.most = 1
        self._now = 0
        self._lock = threading.Lock()

    def __enter__(self) -> Abreast:
        """Begin one."""
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        return self

    def __exit__(self, *_: object) -> None:
        """End one."""
        with self._lock:
            self._now -= 1


def this_worker(abreast: int, gpus: bool) -> Worker:
    """Describe this process.

    Parameters
    ----------
    abreast
        How many slices it explores at the same time.
    gpus
        Look for GPUs.
    """
    if hasattr(os, "sched_getaffinity"):
        cores = sum(1 << core for core in os.sched_getaffinity(0))
    else:
        cores = (1 << available_cores()) - 1
    return Worker(socket.gethostname(), os.getpid(), abreast, cores, _gpus() if gpus else ())


@cache
def _gpus() -> tuple[str, ...]:
    from prunus.hardware.cuda import names

    try:
        return names()
    except (DeviceError, MissingExtraError):
        return ()


def share(me: Worker, known: Iterable[Worker], wanted: Devices) -> Devices:
    """Return the devices that a worker takes for a slice.

    Parameters
    ----------
    me
        The worker.
    known
        All that are known; it need not be among them.
    wanted
        What may be used of each machine. Automatically it is all GPUs, or all cores without any.
    """
    others = {w.pid: w for w in known if w.host == me.host} | {me.pid: me}
    near = sorted(others.values(), key=lambda worker: worker.pid)
    gpus = tuple(range(len(me.gpus))) if wanted.automatic else wanted.gpus
    if gpus:
        gpus = _dealt(gpus, me, near)
    cores = 0 if gpus and wanted.automatic else wanted.cores
    if cores:
        beside = [w for w in near if w.cores & me.cores]
        hands = sum(w.abreast for w in beside)
        place = sum(w.abreast for w in beside if w.pid < me.pid)
        cores = max(1, cores // hands + (place + me.abreast <= cores % hands))
    return Devices(cores, gpus)


def _dealt(gpus: tuple[int, ...], me: Worker, near: list[Worker]) -> tuple[int, ...]:
    """Deal the GPUs out among the workers that see them; some share one if they are too few."""
    names = {me.gpus[i] if i < len(me.gpus) else str(i): i for i in gpus}
    beside = [w for w in near if w.pid == me.pid or set(names) & set(w.gpus)]
    place = beside.index(me)
    there = sorted(names)
    mine = there[place :: len(beside)] or [there[place % len(there)]]
    return tuple(names[name] for name in mine)
