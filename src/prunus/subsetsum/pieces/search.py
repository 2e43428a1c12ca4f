"""Search all pieces of some work: on an executor, on GPUs, on cores; with checkpoints."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from prunus.hardware.threads import run_together
from prunus.runtime.monitor import Monitor
from prunus.subsetsum.gpu.list_sizes import places
from prunus.subsetsum.pieces.accounting import PieceAccounting
from prunus.subsetsum.pieces.checkpoint import keep, resumed_ranges
from prunus.subsetsum.pieces.description import SearchDescription, count_pieces
from prunus.subsetsum.pieces.machine import MachineSearch, Worker, core_workers
from prunus.subsetsum.pieces.preparation import (
    PreparedCpuSearch,
    prepare_on_cores,
    prepare_on_gpu,
)
from prunus.subsetsum.tuning import TUNING

if TYPE_CHECKING:  # it imports processes and sockets
    from prunus.hardware.executor import ExecutorEngine

Look = Callable[[PieceAccounting | None], bool]


@dataclass(frozen=True, slots=True)
class SearchDevices:
    """What there is to search on."""

    cores: int
    """How many; 0 for none."""
    gpus: Sequence[Any] = ()
    """The GPUs."""
    engine: ExecutorEngine | None = None
    """Instead of both, as long as it works."""


@dataclass
class PieceSearch:
    """The search of all pieces of one work.

    ``look`` tells how things stand and asks whether to stop. ``keeping``: checkpoints are written,
    and a resumed run goes on with what an earlier one has left.
    """

    work: SearchDescription
    machine: SearchDevices
    monitor: Monitor
    look: Look
    keeping: bool
    devices: tuple[str, ...] = ()
    statistics: dict[str, Any] = field(default_factory=dict)

    def go(self) -> PieceAccounting:
        """Search; return the accounting."""
        made: PreparedCpuSearch | None = None
        pieces = count_pieces(self.work)
        if pieces is None or (self.machine.engine is None and not self.machine.gpus):
            # The pieces of a core's four lists are known only from the lists.
            with self.monitor.interruptible():
                made = self._plan()
            if made is None:
                return self._accounting(1)
            pieces = made.pieces
        accounting = self._accounting(max(1, pieces))
        if pieces == 0:
            return accounting
        ranges = resumed_ranges(self.monitor, self.work, pieces) if self.keeping else None
        if ranges is not None:
            accounting.resume(*ranges)

        def see() -> bool:
            if self.keeping:
                keep(self.monitor, self.work, accounting)
            return self.look(accounting)

        with self.monitor.interruptible():
            self._search(accounting, made, see)
        if self.keeping:
            with self.monitor.interrupts.deferred():
                keep(self.monitor, self.work, accounting, last=True)
        self.statistics |= {"pieces": accounting.pieces, "pieces_done": accounting.done}
        return accounting

    def _search(
        self, accounting: PieceAccounting, made: PreparedCpuSearch | None, see: Callable[[], bool]
    ) -> None:
        machine, held = self.machine, self.monitor.interrupts.deferred
        if machine.engine is not None:
            first = max(1, accounting.pieces // 4096)
            engine = machine.engine
            self.devices = (engine.name,)
            from prunus.subsetsum.pieces.executor import search_on_executor

            search_on_executor(engine, self.work, accounting, see, size=first)
            self.statistics |= {"tasks": engine.answered, "task_failures": engine.failed}
            if engine.broken is None:
                return
            self.statistics["executor_broken"] = True
        if accounting.finished or self.monitor.stop_token.requested:
            return
        if machine.gpus:
            self.devices += tuple(f"cuda:{device.index}" for device in machine.gpus)
            workers = self._workers(accounting.pieces)
        else:
            workers = core_workers(made or self._plan(), machine.cores)
        search = MachineSearch(workers, accounting, held, self._time_left)
        shares = search.search(see)
        if machine.gpus:
            self.statistics |= {"pieces_by_device": shares}
        helped = any(count for name, count in shares.items() if name.startswith("cpu"))
        if helped or not machine.gpus:
            self.devices += (f"cpu:{machine.cores}",)

    def _workers(self, pieces: int) -> list[Worker]:
        """Return the GPUs, and the cores beside them."""
        work, machine, partition = self.work, self.machine, self.work.partition
        slow = 0.0
        if partition is not None:
            keys = 2.0 ** len(partition.far) / partition.modulus
            rate = TUNING.gpu_keys_per_s / (3.0 * keys)
            runs = TUNING.core_run_s * 2.0 ** (len(partition.far) / 2)
            slow = 1 / 3 / (runs + TUNING.core_key_s * keys)
        else:
            closest = work.objective == "closest"
            sums = places(len(work.weights), work.fixed, closest=closest)
            rate = TUNING.gpu_sums_per_s * pieces / sums
        workers = [
            Worker(
                f"cuda:{device.index}",
                partial(prepare_on_gpu, work, device),
                rate=rate,
                least=min(TUNING.gpu_residues, max(1, pieces // 64)),
            )
            for device in machine.gpus
        ]
        if work.kind != "two-list-gpu":  # whose pieces cores do not know
            shared = _Once(lambda: prepare_on_cores(work))
            cores = range(machine.cores)
            workers += [Worker(f"cpu:{core}", shared, rate=slow, helper=True) for core in cores]
        return workers

    def _time_left(self) -> float:
        return self.monitor.time_left

    def _plan(self) -> PreparedCpuSearch:
        """Make the lists on the cores."""
        return prepare_on_cores(
            self.work, max(1, self.machine.cores), run_together, lambda: self.look(None)
        )

    def _accounting(self, pieces: int) -> PieceAccounting:
        """Return an empty account; subsets are valued by Python integers."""
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
