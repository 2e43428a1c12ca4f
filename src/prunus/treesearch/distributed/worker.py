"""What a worker process does: it says who it is, and explores work units."""

from __future__ import annotations

import contextlib
import pickle
from dataclasses import replace
from functools import lru_cache
from time import sleep

import prunus
from prunus.errors import DeviceError, InputError
from prunus.hardware import clock
from prunus.hardware.devices import Devices, check_gpus, parse_devices, warn_of_cpu
from prunus.hardware.executor import end_with_parent
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.distributed.device_sharing import (
    ConcurrencyCounter,
    WorkerInfo,
    share_devices,
    this_worker,
)
from prunus.treesearch.distributed.messages import Address
from prunus.treesearch.distributed.messaging import connect_to
from prunus.treesearch.distributed.scheduler_cache import SchedulerCache
from prunus.treesearch.distributed.tuning import DEFAULT_TUNING
from prunus.treesearch.distributed.unit_channel import UnitChannel
from prunus.treesearch.distributed.work_unit import Hello, WorkUnit, WorkUnitResult

_concurrency = ConcurrencyCounter()
_schedulers = SchedulerCache()
_gpu_failures: list[str] = []
"""Why this process has no use for GPUs unless it is told to use them."""


def say_hello(number: int, devices: str, address: Address | None) -> Hello:
    """Say who a worker is, with these devices; the number only tells one call from another.

    Raises ``DeviceError`` if a GPU that is asked for cannot be used here.
    """
    end_with_parent()
    wanted = parse_devices(devices)
    check_gpus(wanted)
    sleep(DEFAULT_TUNING.hello_hold_s)
    return Hello(prunus.__version__, _this_worker(wanted, connect_to(address) is not None))


def _this_worker(wanted: Devices, online: bool) -> WorkerInfo:
    gpus = bool(wanted.gpus or (wanted.automatic and not _gpu_failures))
    return replace(this_worker(_concurrency.most, gpus), online=online)


@lru_cache(maxsize=4)
def _known_workers(packed: bytes) -> tuple[WorkerInfo, ...]:
    """Unpack them once for all units that tell of the same ones."""
    workers: tuple[WorkerInfo, ...] = pickle.loads(packed)
    return workers


def explore(unit: WorkUnit) -> WorkUnitResult:
    """Explore a part of a tree, in a worker process.

    It has no lasting effect: if a result is lost, the unit may be sent again. Schedulers with
    their explorers are kept for the next call; losing them costs time only.
    """
    began = clock.seconds()
    end_with_parent()
    wanted = parse_devices(unit.devices)
    connection = connect_to(unit.address)
    with _concurrency, UnitChannel(connection, unit.ticket) as channel:
        me = _this_worker(wanted, connection is not None)
        devices = share_devices(me, _known_workers(unit.workers), wanted)
        try:
            return _search(unit, me, devices, began, channel)
        except (DeviceError, InputError) as error:
            if not (wanted.automatic and devices.gpus):
                raise
            _gpu_failures.append(str(error))
            warn_of_cpu("searching", error)
        me = _this_worker(wanted, connection is not None)
        devices = share_devices(me, _known_workers(unit.workers), wanted)
        return _search(unit, me, devices, began, channel)


def _search(
    unit: WorkUnit, me: WorkerInfo, devices: Devices, began: float, channel: UnitChannel
) -> WorkUnitResult:
    with _schedulers.borrow(unit.factory, unit.digest, devices) as scheduler:
        scheduler.incumbent = incumbent = Incumbent(unit.cutoff)
        before, start = scheduler.final_snapshot(), clock.seconds()
        # Ctrl-C is for all processes of a terminal: what is done is handed in.
        stop = scheduler.team.stop
        with contextlib.suppress(KeyboardInterrupt), channel.attached(incumbent, stop):
            scheduler.run(unit.work, lambda now: channel.called_back, until=start + unit.seconds)
        stopped = clock.seconds()
        after = scheduler.final_snapshot()
        left = scheduler.space.pack(after.work)
        bounds = [bound for bound in (unit.bound, scheduler.bound()) if bound is not None]
        scheduler.clear()
        best = incumbent.best
        return WorkUnitResult(
            left=left,
            fathomed=after.fathomed - before.fathomed,
            cutoff=incumbent.cutoff,
            bound=max(bounds, default=None),
            nodes=after.nodes - before.nodes,
            leaves=after.leaves - before.leaves,
            found=None if best is None else (int(best.objective), best.solution),
            worker=me,
            devices=tuple(member.explorer.name for member in scheduler.members),
            search_s=stopped - start,
            total_s=clock.seconds() - began,
        )
