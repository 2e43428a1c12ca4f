"""The real coordinator before simulated workers: an executor, a network, machines that fail.

The coordinator with its books, its engine and its lengths of units is the
library's; results are really checked, measured and divided, at the cost that this has here. What
is simulated is the network (a latency, and the bandwidth of the coordinator's own link, one way
after the other), and workers, which follow ``Exploration``. The executor is like Dask: one queue,
the processor time that Dask's client was measured to take for a call and for its bytes, and a unit
of a worker that is gone goes to another one when that is noticed.
"""

from __future__ import annotations

import pickle
import random
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, fields, replace
from time import sleep
from typing import Any

import numpy as np

from benchmarks.cluster.clockwork import Clockwork
from benchmarks.cluster.machines import Cluster
from benchmarks.cluster.simulated_worker import Call, SimulatedWorker
from prunus.hardware.executor import CallOutcome, ExecutorEngine
from prunus.treesearch.distributed.messages import Message
from prunus.treesearch.distributed.online_units import OnlineUnits
from prunus.treesearch.distributed.work_unit import WorkUnitResult
from prunus.treesearch.distributed.worker import explore
from prunus.treesearch.interval.packed import Packed


@dataclass
class Figures:
    """What happened."""

    bytes_out: int = 0
    bytes_in: int = 0
    """Of work units and results."""
    units: int = 0
    called_back: int = 0
    hosts_lost: int = 0
    units_lost: int = 0
    faults: int = 0
    """How many; faults are results that are lost, late or wrong, and units lost with machines."""
    useful_s: float = 0.0
    """Seconds that workers searched, less those of lost ones and those in which they ran dry."""
    wasted_nodes: int = 0
    """Searched by workers that were lost, for nothing."""
    busy_changes: list[tuple[float, int]] = field(default_factory=list)
    """Times at which the number of workers that search changed, with the new number."""


class SimulatedExecutor(Executor):
    """Workers that pretend to search."""

    def __init__(self, cluster: Cluster, clock: Clockwork, seed: int = 1) -> None:
        self._max_workers = cluster.workers  # how the engine learns how many there are
        self.cluster, self.clock, self.figures = cluster, clock, Figures()
        self.rng, self._random = np.random.default_rng(seed), random.Random(seed)
        self.units: OnlineUnits | None = None
        self._queue: deque[Call] = deque()
        per_host = cluster.workers_per_host
        self._workers = [
            SimulatedWorker(self, n // per_host, n + 1) for n in range(cluster.workers)
        ]
        self._idle = deque(self._workers)
        self._next_pid = cluster.workers + 1
        self._link_free = {"in": 0.0, "out": 0.0}
        self._searching = 0
        if cluster.host_lost_every_s < float("inf"):
            clock.after(cluster.host_lost_every_s, self._lose_a_host)

    def submit(self, function: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        """Send a call; the coordinator pays for the pickling."""
        self.clock.rest()
        unit = args[0] if function is explore else None
        size = 0 if unit is None else _size(replace(unit, work=None), unit.work)
        self.clock.work()
        self._charge(size)
        call = Call(Future(), unit, size, seconds=args[0] if function is sleep else 0.0)
        self.clock.after(0.0, lambda: self._enqueue(call))
        return call.future

    def _charge(self, size: int) -> None:
        """Charge the coordinator with what the executor does for a message of so many bytes."""
        self.clock.charge(self.cluster.executor_s / 2 + size * self.cluster.executor_byte_s)

    def _enqueue(self, call: Call) -> None:
        self._queue.append(call)
        self.dispatch()

    def dispatch(self) -> None:
        """Give queued calls to idle workers."""
        while self._queue and self._idle:
            call = self._queue.popleft()
            if call.started or call.future.set_running_or_notify_cancel():
                call.started = True
                worker = self._idle.popleft()
                self.figures.bytes_out += call.size
                worker.calls(call, self._over_the_link("out", call.size))

    def _over_the_link(self, way: str, size: int) -> float:
        """Return when so many bytes will have arrived."""
        begin = max(self.clock.now(), self._link_free[way])
        self._link_free[way] = begin + size / self.cluster.bandwidth
        return self._link_free[way] + self.cluster.latency_s

    def answer(self, worker: SimulatedWorker, call: Call, value: object) -> None:
        """Send an answer to the coordinator."""
        fault = self._fault() if isinstance(value, WorkUnitResult) else None
        if fault == "wrong" and isinstance(value, WorkUnitResult):
            value = replace(value, fathomed=value.fathomed + 1)
        if isinstance(value, WorkUnitResult):
            size = _size(replace(value, left=()), value.left)
        else:
            size = _size(value)
        self.figures.bytes_in += size

        def arrive() -> None:
            self._charge(size)
            if fault == "lost":
                self.figures.units_lost += 1
                call.future.set_exception(OSError("lost on its way"))
                return
            call.future.set_result(value)

        late_s = self.cluster.late_s if fault == "late" else 0.0
        self.clock.at(self._over_the_link("in", size) + late_s, arrive)
        self._idle.append(worker)
        self.dispatch()

    def _fault(self) -> str | None:
        one_in = self.cluster.fault_one_in
        if not one_in or self._random.random() * one_in > 1:
            return None
        self.figures.faults += 1
        # A worker that is often wrong is left out for good, and soon nobody would be left.
        return self._random.choices(["lost", "late", "wrong"], [10, 10, 1])[0]

    def say(self, worker: SimulatedWorker, message: Message) -> None:
        """Have the coordinator hear something."""
        if not self.cluster.connected:
            return

        def arrive() -> None:
            self.clock.charge(self.cluster.message_s)
            if self.units is not None:
                self.units.note(worker, message)

        self.clock.after(self.cluster.latency_s, arrive)

    def note_searching(self, change: int) -> None:
        """Note that one more worker searches, or one less."""
        self._searching += change
        self.figures.busy_changes.append((self.clock.now(), self._searching))

    def _lose_a_host(self) -> None:
        cluster, clock = self.cluster, self.clock
        host = self._random.choice(self._workers).host if self._workers else -1
        self.figures.hosts_lost += 1
        for worker in [w for w in self._workers if w.host == host]:
            call = worker.die()
            self._workers.remove(worker)
            if worker in self._idle:
                self._idle.remove(worker)
            if call is not None:
                self.figures.units_lost += 1
                self.figures.faults += 1
                clock.after(cluster.loss_noticed_s, lambda call=call: self._again(call))
            clock.after(cluster.host_back_s, lambda: self._add_worker(host))
            if self.units is not None:
                self.units.forget(worker)
        clock.after(cluster.host_lost_every_s, self._lose_a_host)

    def _again(self, call: Call) -> None:
        self._queue.appendleft(call)
        self.dispatch()

    def _add_worker(self, host: int) -> None:
        worker = SimulatedWorker(self, host, self._next_pid)
        self._next_pid += 1
        self._workers.append(worker)
        self._idle.append(worker)
        self.dispatch()


def _size(message: object, work: object = None) -> int:
    """Return the bytes of a message when it is pickled, with the arrays of its work."""
    arrays = [getattr(work, field.name) for field in fields(Packed)] if work is not None else []
    sizes = [array.nbytes for array in arrays if isinstance(array, np.ndarray)]
    return len(pickle.dumps(message, 5)) + sum(sizes)


class SimulatedEngine(ExecutorEngine):
    """The library's engine, on a clock that goes from one event to the next."""

    def __init__(self, executor: SimulatedExecutor, clock: Clockwork) -> None:
        self.clock = clock
        super().__init__(executor)

    def now(self) -> float:
        """Return the simulated time."""
        return self.clock.now()

    def collect(self, seconds: float) -> list[CallOutcome]:
        """Let things happen until there is an outcome, or something else to do, or it is late."""
        self.clock.rest()
        until = self.clock.now() + max(0.0, seconds)
        self.clock.advance(until, lambda: not self._ended.empty())
        self.clock.work()
        return super().collect(0.0)
