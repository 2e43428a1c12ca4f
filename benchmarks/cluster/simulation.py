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

import prunus
from benchmarks.cluster.clockwork import Clockwork
from benchmarks.cluster.exploration import Exploration
from benchmarks.cluster.factory import SyntheticFactory, SyntheticProblem
from benchmarks.cluster.synthetic import leaves_of
from benchmarks.cluster.task_list import TaskExploration
from benchmarks.cluster.trees import Machine, TreeKind
from prunus.hardware.executor import CallOutcome, ExecutorEngine
from prunus.treesearch.distributed.device_sharing import WorkerInfo
from prunus.treesearch.distributed.messages import Message, MessageKind
from prunus.treesearch.distributed.online_units import OnlineUnits
from prunus.treesearch.distributed.work_unit import Hello, WorkUnit, WorkUnitResult
from prunus.treesearch.distributed.worker import explore
from prunus.treesearch.interval.packed import Packed
from prunus.treesearch.options import StealingPolicy


@dataclass(frozen=True)
class Cluster:
    """What there is to search with.

    Attributes
    ----------
    workers, workers_per_host
        How many there are in all, and on a machine, where they fail together.
    machine, kind, total
        What each has, what the tree is like, and how many nodes it has.
    latency_s, bandwidth
        Of the network: seconds one way, bytes a second of the coordinator's link each way.
    executor_s
        Seconds of the coordinator's process that the executor takes for a work unit and its result:
        1.9 ms of Dask's client with ten units on their way.
    executor_byte_s
        The same for each byte, either way, pickling included: 6.2 ms for 5.8 MB there and back.
    message_s
        Seconds that a message takes to be sent or received, encryption and threads included.
    connected
        Whether workers are connected to the coordinator; if not, there are no messages.
    host_lost_every_s, host_back_s, loss_noticed_s
        How often a machine is lost, how soon another takes its place, and how soon it is noticed.
    tasks
        Of the list that the tree is, as for queens; 0 if it is a deeper tree.
    fault_one_in
        Of so many results one is lost, late, or now and then wrong; none if it is 0.
    late_s
        Seconds that a late result comes late, so that its unit has been given to others.
    """

    workers: int
    machine: Machine
    kind: TreeKind
    total: int
    workers_per_host: int = 4
    latency_s: float = 50e-6
    bandwidth: float = 3e9
    executor_s: float = 1.9e-3
    executor_byte_s: float = 0.53e-9
    message_s: float = 80e-6
    connected: bool = True
    host_lost_every_s: float = float("inf")
    host_back_s: float = 60.0
    loss_noticed_s: float = 5.0
    fault_one_in: int = 0
    late_s: float = 40.0
    tasks: int = 0

    @property
    def factory(self) -> SyntheticFactory:
        """What makes explorers of the tree."""
        return SyntheticFactory(
            SyntheticProblem(),
            StealingPolicy.POWER,
            self.machine,
            self.kind,
            self.total,
            self.tasks,
        )

    def exploration(
        self, work: Packed, leaves: int, rng: np.random.Generator
    ) -> Exploration | TaskExploration:
        """Return what comes of a part of the tree with so many leaves."""
        machine, kind, total = self.machine, self.kind, self.total
        if self.tasks:
            return TaskExploration(work, machine, kind, total, self.tasks, rng)
        return Exploration(work, leaves, machine, kind, total, rng)


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


@dataclass(eq=False)
class _Call:
    """A call on the executor: a hello, a sleep, or a unit of so many bytes."""

    future: Future[Any]
    unit: WorkUnit | None
    size: int
    seconds: float = 0.0
    started: bool = False


class SimulatedExecutor(Executor):
    """Workers that pretend to search."""

    def __init__(self, cluster: Cluster, clock: Clockwork, seed: int = 1) -> None:
        self._max_workers = cluster.workers  # how the engine learns how many there are
        self.cluster, self.clock, self.figures = cluster, clock, Figures()
        self.rng, self._random = np.random.default_rng(seed), random.Random(seed)
        self.units: OnlineUnits | None = None
        self._queue: deque[_Call] = deque()
        per_host = cluster.workers_per_host
        self._workers = [_Worker(self, n // per_host, n + 1) for n in range(cluster.workers)]
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
        call = _Call(Future(), unit, size, seconds=args[0] if function is sleep else 0.0)
        self.clock.after(0.0, lambda: self._enqueue(call))
        return call.future

    def _charge(self, size: int) -> None:
        """Charge the coordinator with what the executor does for a message of so many bytes."""
        self.clock.charge(self.cluster.executor_s / 2 + size * self.cluster.executor_byte_s)

    def _enqueue(self, call: _Call) -> None:
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

    def answer(self, worker: _Worker, call: _Call, value: object) -> None:
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

    def say(self, worker: _Worker, message: Message) -> None:
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

    def _again(self, call: _Call) -> None:
        self._queue.appendleft(call)
        self.dispatch()

    def _add_worker(self, host: int) -> None:
        worker = _Worker(self, host, self._next_pid)
        self._next_pid += 1
        self._workers.append(worker)
        self._idle.append(worker)
        self.dispatch()


def _size(message: object, work: object = None) -> int:
    """Return the bytes of a message when it is pickled, with the arrays of its work."""
    arrays = [getattr(work, field.name) for field in fields(Packed)] if work is not None else []
    sizes = [array.nbytes for array in arrays if isinstance(array, np.ndarray)]
    return len(pickle.dumps(message, 5)) + sum(sizes)


class _Worker:
    """A worker; to the coordinator it is also the connection to it."""

    def __init__(self, executor: SimulatedExecutor, host: int, pid: int) -> None:
        self.host, self._executor, self._clock = host, executor, executor.clock
        connected = executor.cluster.connected
        self.info = WorkerInfo(f"host{host:04}", pid, 1, 1, (), online=connected)
        self._call: _Call | None = None
        self._unit: WorkUnit | None = None
        self._exploration: Exploration | TaskExploration | None = None
        self._began: float | None = None
        self._called_back = False

    def calls(self, call: _Call, arrival: float) -> None:
        """Receive a call at some time."""
        self._call = call
        self._clock.at(arrival, lambda: self._receive(call))

    def _receive(self, call: _Call) -> None:
        if self._call is not call:
            return
        unit = call.unit
        if unit is None:
            self._clock.after(call.seconds, lambda: self._greet(call))
            return
        cluster = self._executor.cluster
        self._unit, self._called_back, self._began = unit, False, None
        work = unit.work
        assert isinstance(work, Packed)
        self._leaves = leaves = leaves_of(work, cluster.factory.radix)
        self._exploration = exploration = cluster.exploration(work, leaves, self._executor.rng)
        self._executor.say(self, Message(MessageKind.RECEIVED, unit.ticket))
        self._clock.after(exploration.take_up_s, lambda: self._search(call))

    def _greet(self, call: _Call) -> None:
        if self._call is call:
            self._call = None
            self._executor.answer(self, call, Hello(prunus.__version__, self.info))

    def _search(self, call: _Call) -> None:
        if self._call is not call or self._exploration is None or self._unit is None:
            return
        self._executor.say(self, Message(MessageKind.SEARCHING, self._unit.ticket))
        self._executor.note_searching(1)
        self._began = self._clock.now()
        seconds = self._exploration.stops_after(self._unit.seconds)
        self._clock.after(0.0 if self._called_back else seconds, lambda: self._end(call))

    def send(self, message: Message) -> None:
        """Hear what the coordinator says, a moment later."""
        self._clock.charge(self._executor.cluster.message_s)
        call = self._call

        def arrive() -> None:
            same = self._unit is not None and self._unit.ticket == message.ticket
            if message.kind is MessageKind.RETURN and same and self._call is call and call:
                self._executor.figures.called_back += 1
                self._called_back = True
                if self._began is not None and self._exploration is not None:
                    searched = self._clock.now() - self._began
                    more = self._exploration.stops_after(searched) - searched
                    self._clock.after(more, lambda: self._end(call))

        self._clock.after(self._executor.cluster.latency_s, arrive)

    def _end(self, call: _Call) -> None:
        """Stop the search and return what is left."""
        if self._call is not call or self._began is None:
            return
        exploration, unit = self._exploration, self._unit
        assert exploration is not None
        assert unit is not None
        searched = self._clock.now() - self._began
        self._began = None
        self._executor.note_searching(-1)
        left, leaves_left, nodes_left = exploration.left_after(searched)
        result = WorkUnitResult(
            left=left,
            fathomed=self._leaves - leaves_left,
            cutoff=unit.cutoff,
            bound=None,
            nodes=exploration.nodes - nodes_left,
            leaves=0,
            found=None,
            worker=self.info,
            devices=("cpu:0",),
            search_s=searched,
            total_s=searched + exploration.take_up_s + exploration.return_s(len(left)),
        )
        self._executor.figures.units += 1
        self._executor.figures.useful_s += result.nodes / exploration.rate

        def send() -> None:
            if self._call is call:
                self._call = self._unit = None
                self._executor.answer(self, call, result)

        self._clock.after(exploration.return_s(len(left)), send)

    def die(self) -> _Call | None:
        """Be gone, with what it had."""
        call, self._call = self._call, None
        if self._began is not None and self._exploration is not None:
            searched = self._clock.now() - self._began
            left = self._exploration.nodes_left(searched)
            self._executor.figures.wasted_nodes += self._exploration.nodes - left
            self._executor.note_searching(-1)
        return call


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
