"""A worker that pretends to search; what it would have found follows ``Exploration``."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import prunus
from benchmarks.cluster.exploration import Exploration
from benchmarks.cluster.synthetic import leaves_of
from benchmarks.cluster.task_list import TaskExploration
from prunus.treesearch.distributed.device_sharing import WorkerInfo
from prunus.treesearch.distributed.messages import Message, MessageKind
from prunus.treesearch.distributed.work_unit import Hello, WorkUnit, WorkUnitResult
from prunus.treesearch.interval.packed import Packed

if TYPE_CHECKING:
    from benchmarks.cluster.simulation import SimulatedExecutor


@dataclass(eq=False)
class Call:
    """A call on the executor: a hello, a sleep, or a unit of so many bytes."""

    future: Future[Any]
    unit: WorkUnit | None
    size: int
    seconds: float = 0.0
    started: bool = False


class SimulatedWorker:
    """A worker; to the coordinator it is also the connection to it."""

    def __init__(self, executor: SimulatedExecutor, host: int, pid: int) -> None:
        self.host, self._executor, self._clock = host, executor, executor.clock
        connected = executor.cluster.connected
        self.info = WorkerInfo(f"host{host:04}", pid, 1, 1, (), online=connected)
        self._call: Call | None = None
        self._unit: WorkUnit | None = None
        self._exploration: Exploration | TaskExploration | None = None
        self._began: float | None = None
        self._called_back = False

    def calls(self, call: Call, arrival: float) -> None:
        """Receive a call at some time."""
        self._call = call
        self._clock.at(arrival, lambda: self._receive(call))

    def _receive(self, call: Call) -> None:
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

    def _greet(self, call: Call) -> None:
        if self._call is call:
            self._call = None
            self._executor.answer(self, call, Hello(prunus.__version__, self.info))

    def _search(self, call: Call) -> None:
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

    def _end(self, call: Call) -> None:
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

    def die(self) -> Call | None:
        """Be gone, with what it had."""
        call, self._call = self._call, None
        if self._began is not None and self._exploration is not None:
            searched = self._clock.now() - self._began
            left = self._exploration.nodes_left(searched)
            self._executor.figures.wasted_nodes += self._exploration.nodes - left
            self._executor.note_searching(-1)
        return call
