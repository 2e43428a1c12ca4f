"""Search all pieces of some work: on an executor, on GPUs, on cores; with checkpoints."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from prunus.hardware.executor import ExecutorEngine
from prunus.hardware.threads import run_together
from prunus.runtime.monitor import Monitor
from prunus.subsetsum.gpu.two_list import places
from prunus.subsetsum.pieces.accounting import PieceAccounting
from prunus.subsetsum.pieces.checkpoint import keep, resumed_ranges
from prunus.subsetsum.pieces.description import (
    PreparedCpuSearch,
    SearchDescription,
    count_pieces,
    plan,
    prepare_on_gpu,
)
from prunus.subsetsum.pieces.executor import search_on_executor
from prunus.subsetsum.pieces.machine import Worker, search_on_cores, search_on_machine

__all__ = ["PieceSearch", "SearchDevices"]

_GPU_KEYS = 3e11
"""Keys a second that a GPU is expected to run through, until it is measured."""
_GPU_PLACES = 1e11
"""Sums of both sides of the two lists a second, likewise: a quarter of what one H200 does."""
_CORE_RUN, _CORE_KEY = 6e-9, 4.4e-9
"""Seconds in which a core finds a run of the keys of a residue, and runs through one of them."""
_LEAST = 512
"""Residues that keep a GPU busy."""

Look = Callable[[PieceAccounting | None], bool]


@dataclass(frozen=True, slots=True)
class SearchDevices:
    """What there is to search on.

    Attributes
    ----------
    cores
        How many; 0 for none.
    gpus : sequence of Device
        The GPUs.
    engine
        Instead of both, as long as it works.
    """

    cores: int
    gpus: Sequence[Any] = ()
    engine: ExecutorEngine | None = None


@dataclass
class PieceSearch:
    """The search of all pieces of one work.

    Attributes
    ----------
    work
        What is searched.
    machine, monitor
        Where, and who watches.
    look
        Tells how things stand, asks whether to stop.
    keeping
        Checkpoints are written, and a resumed run goes on with what an earlier one has left.
    devices, statistics
        What was used, and how it went.
    """

    work: SearchDescription
    machine: SearchDevices
    monitor: Monitor
    look: Look
    keeping: bool
    devices: tuple[str, ...] = ()
    statistics: dict[str, Any] = field(default_factory=dict)

    def go(self) -> PieceAccounting:
        """Search; return the books."""
        made: PreparedCpuSearch | None = None
        pieces = count_pieces(self.work)
        if pieces is None or (self.machine.engine is None and not self.machine.gpus):
            # The pieces of a core's four lists are known only from the lists.
            with self.monitor.interruptible():
                made = self._plan()
            if made is None:
                return self._ledger(1)
            pieces = made.pieces
        ledger = self._ledger(max(1, pieces))
        if pieces == 0:
            return ledger
        ranges = resumed_ranges(self.monitor, self.work, pieces) if self.keeping else None
        if ranges is not None:
            ledger.resume(*ranges)

        def see() -> bool:
            if self.keeping:
                keep(self.monitor, self.work, ledger)
            return self.look(ledger)

        with self.monitor.interruptible():
            self._search(ledger, made, see)
        if self.keeping:
            with self.monitor.interrupts.deferred():
                keep(self.monitor, self.work, ledger, last=True)
        self.statistics |= {"pieces": ledger.pieces, "pieces_done": ledger.done}
        return ledger

    def _search(
        self, ledger: PieceAccounting, made: PreparedCpuSearch | None, see: Callable[[], bool]
    ) -> None:
        machine, held = self.machine, self.monitor.interrupts.deferred
        if machine.engine is not None:
            first = max(1, ledger.pieces // 4096)
            engine = machine.engine
            self.devices = (engine.name,)
            search_on_executor(engine, self.work, ledger, see, size=first)
            self.statistics |= {"tasks": engine.answered, "task_failures": engine.failed}
            if engine.broken is None:
                return
            self.statistics["executor_broken"] = True
        if ledger.finished or self.monitor.stop_token.requested:
            return
        if machine.gpus:
            self.devices += tuple(f"cuda:{device.index}" for device in machine.gpus)
            members = self._members(ledger.pieces)
            shares = search_on_machine(members, ledger, see, held, self._time_left)
            if any(count for name, count in shares.items() if name.startswith("cpu")):
                self.devices += (f"cpu:{machine.cores}",)
            self.statistics |= {"pieces_by_device": shares}
            return
        self.devices += (f"cpu:{machine.cores}",)
        search_on_cores(made or self._plan(), ledger, machine.cores, see, held, self._time_left)

    @property
    def _cores_know_it(self) -> bool:
        return self.work.kind != "two-list-gpu"

    def _members(self, pieces: int) -> list[Worker]:
        """Return the GPUs, and the cores beside them."""
        work, machine, partition = self.work, self.machine, self.work.partition
        slow = 0.0
        if partition is not None:
            keys = 2.0 ** len(partition.far) / partition.modulus
            rate = _GPU_KEYS / (3.0 * keys)
            slow = 1 / 3 / (_CORE_RUN * 2.0 ** (len(partition.far) / 2) + _CORE_KEY * keys)
        else:
            closest = work.objective == "closest"
            sums = places(len(work.weights), work.fixed, closest=closest)
            rate = _GPU_PLACES * pieces / sums
        members = [
            Worker(
                f"cuda:{device.index}",
                partial(prepare_on_gpu, work, device),
                rate=rate,
                least=min(_LEAST, max(1, pieces // 64)),
            )
            for device in machine.gpus
        ]
        if self._cores_know_it:
            shared = _Once(lambda: plan(work))
            cores = range(machine.cores)
            members += [Worker(f"cpu:{core}", shared, rate=slow, helper=True) for core in cores]
        return members

    def _time_left(self) -> float:
        return self.monitor.time_left

    def _plan(self) -> PreparedCpuSearch:
        """Make the lists on the cores."""
        return plan(self.work, max(1, self.machine.cores), run_together, lambda: self.look(None))

    def _ledger(self, pieces: int) -> PieceAccounting:
        """Return empty books; subsets are valued by Python integers."""
        weights, objective = self.work.weights, self.work.objective

        def value(subset: tuple[int, ...]) -> int:
            return sum(weights[item] for item in subset)

        return PieceAccounting(pieces, value, None if objective == "count" else self.work.target)


class _Once:
    """Makes the lists that all cores share when the first of them asks."""

    def __init__(self, make: Callable[[], PreparedCpuSearch]) -> None:
        self._make, self._lock = make, threading.Lock()
        self._made: PreparedCpuSearch | None = None

    def __call__(self) -> PreparedCpuSearch:
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made
