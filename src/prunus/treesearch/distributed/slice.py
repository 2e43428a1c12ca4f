"""A slice: a part of a tree, explored for some time; what a worker anywhere can do, and redo."""

from __future__ import annotations

import contextlib
import warnings
from dataclasses import dataclass, replace
from time import sleep
from typing import Any

from numpy.typing import NDArray

import prunus
from prunus.errors import DeviceError, InputError
from prunus.hardware import clock
from prunus.hardware.devices import Devices, check_gpus, parse_devices
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.distributed.line import Line, Talk, line_to
from prunus.treesearch.distributed.share import Abreast, Worker, share, this_worker
from prunus.treesearch.distributed.teams import Teams
from prunus.treesearch.distributed.wire import Address
from prunus.treesearch.interval.packed import Packed, pack
from prunus.treesearch.scheduler.scheduler import Scheduler

__all__ = ["Answer", "Greeting", "Slice", "explore", "introduce"]

_abreast = Abreast()
_teams = Teams()


@dataclass(frozen=True, slots=True)
class Slice:
    """What is to be explored.

    Attributes
    ----------
    ticket, copy
        Whose answer it will be; how often it was sent before.
    factory, digest
        A pickled ``ExplorerFactory``, and what tells it from others.
    devices
        In words, as for `prunus.solve`.
    workers
        Those that are known.
    intervals
        The part of the tree.
    cutoff
        The incumbent's objective.
    seconds
        When to come back, at the latest; earlier if there is nothing left, or if it is asked to.
    address
        Where the coordinator can be told what is found meanwhile, and says what is new.
    """

    ticket: int
    copy: int
    factory: bytes
    digest: str
    devices: str
    workers: tuple[Worker, ...]
    intervals: Packed
    cutoff: int
    seconds: float
    address: Address | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a slice.

    Attributes
    ----------
    intervals
        What is left.
    passed
        Leaves that are done.
    nodes, leaves
        Nodes branched; leaves reached, or for counting problems solutions.
    found
        The best solution that was found, if it beats what was known, with its objective.
    worker, devices
        Who, with what.
    searched, took
        Seconds of search; seconds altogether; without those in which code was compiled.
    """

    intervals: Packed
    passed: int
    nodes: int
    leaves: int
    found: tuple[int, NDArray[Any]] | None
    worker: Worker
    devices: tuple[str, ...]
    searched: float
    took: float


@dataclass(frozen=True, slots=True)
class Greeting:
    """Who a worker is, and which version of prunus it has."""

    version: str
    worker: Worker


MOMENT = 0.005
"""Seconds that an introduction takes at least: the next one is for another worker."""


def introduce(number: int, devices: str, address: Address | None = None) -> Greeting:
    """Say who a worker is, with these devices; the number only tells one call from another.

    Raises
    ------
    DeviceError
        If a GPU that is asked for cannot be used here.
    """
    wanted = parse_devices(devices)
    check_gpus(wanted)
    sleep(MOMENT)
    return Greeting(prunus.__version__, _me(wanted, line_to(address)))


def _me(wanted: Devices, line: Line | None) -> Worker:
    """Return who this worker is."""
    gpus = bool(wanted.gpus or (wanted.automatic and not _shunned))
    return replace(this_worker(_abreast.most, gpus), online=line is not None)


_shunned: list[str] = []
"""Why this process has no use for GPUs unless it is told to use them."""


def explore(part: Slice) -> Answer:
    """Explore a part of a tree, in a worker process.

    It changes nothing that anybody sees: whoever has lost an answer may ask again. Teams of
    explorers are kept for the next call; losing them costs time only.
    """
    began = clock.seconds()
    wanted = parse_devices(part.devices)
    line = line_to(part.address)
    with _abreast, Talk(line, part.ticket) as talk:
        me = _me(wanted, line)
        devices = share(me, part.workers, wanted)
        try:
            return _explore(part, me, devices, began, talk)
        except (DeviceError, InputError) as error:
            if not (wanted.automatic and devices.gpus):
                raise
            _shunned.append(str(error))
            warnings.warn(f"searching on the CPU: {error}", stacklevel=2)
        me = _me(wanted, line)
        return _explore(part, me, share(me, part.workers, wanted), began, talk)


def _explore(part: Slice, me: Worker, devices: Devices, began: float, talk: Talk) -> Answer:
    with _teams.borrow(part.factory, part.digest, devices) as scheduler:
        return _search(part, scheduler, me, began, talk)


def _search(part: Slice, scheduler: Scheduler, me: Worker, began: float, talk: Talk) -> Answer:
    scheduler.incumbent = incumbent = Incumbent(part.cutoff)
    before, start = scheduler.final_snapshot(), clock.seconds()
    # Ctrl-C is for all processes of a terminal: what is done is handed in.
    with contextlib.suppress(KeyboardInterrupt), talk.about(incumbent, scheduler.stop):
        scheduler.run(part.intervals, lambda now: talk.returns, until=start + part.seconds)
    stopped = clock.seconds()
    after = scheduler.final_snapshot()
    left = pack(after.work)
    scheduler.clear()
    best = incumbent.best
    return Answer(
        intervals=left,
        passed=after.fathomed - before.fathomed,
        nodes=after.nodes - before.nodes,
        leaves=after.leaves - before.leaves,
        found=None if best is None else (int(best.objective), best.solution),
        worker=me,
        devices=tuple(member.explorer.name for member in scheduler.members),
        searched=stopped - start,
        took=clock.seconds() - began,
    )
