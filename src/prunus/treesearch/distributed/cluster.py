"""All workers of an executor as one explorer of a team: the coordinator of a search."""

from __future__ import annotations

import hashlib
import math
import pickle
from contextlib import nullcontext
from time import perf_counter
from typing import Any

from prunus.errors import DisagreementError, InputError
from prunus.hardware import clock
from prunus.hardware.executor import CallOutcome, ExecutorEngine
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.stop_token import StopKind, StopReason
from prunus.treesearch.distributed.crowd import Crowd
from prunus.treesearch.distributed.hub import Hub
from prunus.treesearch.distributed.ledger import Ledger, Part
from prunus.treesearch.distributed.pace import Pace
from prunus.treesearch.distributed.recall import recall
from prunus.treesearch.distributed.slice import Answer, Slice, explore
from prunus.treesearch.distributed.welcome import greet, welcome
from prunus.treesearch.distributed.wire import Kind, Message
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.model import (
    Explorer,
    ExplorerFactory,
    ExplorerStatistics,
    SearchMonitor,
    Work,
)

__all__ = ["Cluster"]

GATHER = 3.0
"""Seconds that a search that was told to stop waits for what is being explored."""

LATE = 10.0
"""Seconds after its time until a slice is handed to somebody else as well who has nothing to do."""

REST = 0.02
"""Seconds in which nothing is handed out after a slice has failed."""


class Cluster(Explorer):
    """The coordinator; an ``Explorer``.

    Parameters
    ----------
    engine
        The executor.
    factory
        Makes the explorers of the workers.
    devices
        In words: what the workers may use of their machines.
    monitor
        Says how much time is left, and hears of it if the executor breaks.

    Raises
    ------
    DeviceError
        If no worker can take part.
    InputError
        If the workers have another version of prunus.
    """

    reliable = True

    def __init__(
        self, engine: ExecutorEngine, factory: ExplorerFactory, devices: str, monitor: SearchMonitor
    ) -> None:
        self.radix = factory.radix
        self._engine, self._problem, self._monitor = engine, factory.problem, monitor
        self._factory = pickle.dumps(factory)
        self._digest = hashlib.sha256(self._factory).hexdigest()
        self._devices = "cpu" if devices == "auto" and factory.prefers_cores else devices
        self._ledger = Ledger(self.radix)
        self._total = leaves(self.radix)
        self._sent: dict[int, tuple[float, int]] = {}
        self._crowd = Crowd()
        self._hub = Hub(engine.wake)
        engine.call_at_close(self._hub.close)
        self._told = 0
        self._interrupted = False
        self._resting = 0.0
        self._nodes = self._leaves = 0
        greet(engine, self._devices, self._crowd, self._hub, monitor)
        self._pace = Pace()
        self.name = engine.name
        self.power = 400.0 if self._crowd.gpus else 1.0

    def load(self, work: Work) -> None:
        """Add work to what is open; see ``Explorer``."""
        self._ledger.load(work)

    def interrupt(self) -> None:
        """Make a running ``explore`` return soon; see ``Explorer``."""
        self._interrupted = True
        self._engine.wake()

    def explore(self, incumbent: Incumbent, seconds: float) -> ExplorerStatistics:
        """Hand out slices and take in answers for about so long; see ``Explorer``."""
        end = perf_counter() + seconds
        nodes, reached = self._nodes, self._leaves
        while not self._ledger.finished:
            self._hand_out(incumbent)
            self._listen(incumbent)
            self._wait(end - perf_counter(), incumbent)
            if self._interrupted or perf_counter() >= end:
                break
        self._interrupted = False
        if self._stopping:
            self._gather(incumbent)
        workers = self._engine.workers if self._engine.broken is None else 0
        return ExplorerStatistics(
            nodes=self._nodes - nodes,
            leaves=self._leaves - reached,
            active=min(len(self._sent), workers),
            explorers=workers,
            exhausted=self._ledger.finished,
            remaining=self._ledger.leaves / self._total,
        )

    def _listen(self, incumbent: Incumbent) -> None:
        """Hear what is found in slices that are out, and tell them what is new."""
        for message in self._hub.heard():
            if message.kind is Kind.FOUND and message.solution is not None:
                self._offer(message.value, message.solution, incumbent)
            elif message.kind is Kind.SEARCH:
                self._hub.tell(Message(Kind.BEAT, message.ticket, incumbent.cutoff))
        if incumbent.cutoff != self._told:
            self._told = incumbent.cutoff
            for ticket in self._sent:
                self._hub.tell(Message(Kind.BEAT, ticket, self._told))

    def _wait(self, seconds: float, incumbent: Incumbent) -> None:
        """Wait for an answer, or for something else to do; the clock waits while all compile."""
        idle = self._engine.workers_awake - len(self._sent)
        if idle > 0 and not self._stopping:
            soon = recall(self._hub, idle, self._sent, self._pace.patience)
            rest = self._resting - perf_counter()
            seconds = min(seconds, soon, rest if rest > 0 else math.inf)
        with clock.paused() if self._hub.standing else nullcontext():
            heard = self._engine.collect(seconds)
        self._take_in(heard, incumbent)

    @property
    def _stopping(self) -> bool:
        return self._monitor.stop_token.requested

    def _hand_out(self, incumbent: Incumbent) -> None:
        """Keep all workers at work, and a few slices ready for those that come back."""
        workers = self._engine.workers_awake
        left = self._monitor.time_left
        now = perf_counter()
        late = [ticket for ticket, (due, _) in self._sent.items() if now > due + LATE]
        busy = len(self._sent) - len(late)
        free = workers + (workers + 1) // 2 - busy
        if free <= 0 or left <= 0 or self._stopping or now < self._resting:
            return
        parts = [self._ledger.take(free - place + workers) for place in range(free)]
        given = [part for part in parts if part is not None]
        busy += len(given)
        # What should have come back long ago is for those as well that have nothing to do.
        again = late[: max(0, workers - busy)]
        seconds = self._pace.seconds(left, hungry=busy < workers, online=self._crowd.online)
        for part in [*given, *map(self._ledger.out, again)]:
            self._send(part, incumbent, seconds)

    def _send(self, part: Part, incumbent: Incumbent, seconds: float) -> None:
        _, copies = self._sent.get(part.ticket, (0.0, 0))
        piece = Slice(
            ticket=part.ticket,
            copy=copies,
            factory=self._factory,
            digest=self._digest,
            devices=self._devices,
            workers=self._crowd.known,
            intervals=part.work,
            cutoff=incumbent.cutoff,
            seconds=seconds,
            address=self._hub.address,
        )
        if self._engine.submit(part.ticket, explore, piece):
            self._sent[part.ticket] = perf_counter() + 2 * seconds, copies + 1
        else:
            self._lose(part.ticket)
            self._halt()

    def _take_in(self, heard: list[CallOutcome], incumbent: Incumbent) -> None:
        """Take in what has been heard of slices."""
        lost = any(one.tag is not None and one.error is not None for one in heard)
        if lost:
            # A worker that only fails comes for the next one at once: the others shall have some.
            self._resting = perf_counter() + REST
            self._engine.back_off(REST * (1 + self._engine.failed))
        for one in heard:
            if one.tag is None:
                welcome(one, self._crowd, self._hub)
            elif one.error is not None:
                if isinstance(one.error, (InputError, AssertionError)):
                    raise one.error  # it would come back from everybody
                self._lose(one.tag)
            else:
                self._note(one.tag, one.value, incumbent)
        if self._engine.broken is not None:
            self._halt()

    def _note(self, ticket: int, answer: Answer, incumbent: Incumbent) -> None:
        """Take in an answer, if it is the first one."""
        start = perf_counter()
        try:
            counts = self._ledger.note(ticket, answer.intervals, answer.passed)
        except ValueError as error:
            self._engine.count_as_failed(str(error))
            self._lose(ticket)
            return
        if answer.found is not None:
            self._offer(*answer.found, incumbent)
        if not counts:
            return
        self._sent.pop(ticket, None)
        self._hub.done(ticket)
        self._nodes += answer.nodes
        self._leaves += answer.leaves
        self._hub.open_for(answer.worker.host)
        self._crowd.note(answer.worker, answer)
        if len(answer.intervals):  # what is done costs nothing to bring back
            self._pace.note(answer.took - answer.searched + perf_counter() - start)

    def _offer(self, objective: int, solution: Any, incumbent: Incumbent) -> None:
        """Offer a solution; plain code must agree on its objective."""
        value = self._problem.evaluate(solution)
        if value != objective:
            raise DisagreementError(objective, value)
        incumbent.offer(objective, solution, self.name)

    def _lose(self, ticket: int) -> None:
        """Open a part again of which nothing came, unless somebody else is at it."""
        due, copies = self._sent.pop(ticket, (0.0, 0))
        self._hub.done(ticket)
        if copies > 1 and self._ledger.is_out(ticket):
            self._sent[ticket] = due, copies - 1
        else:
            self._ledger.give_back(ticket)

    def _halt(self) -> None:
        """Have the search stopped: the executor is broken, and what is left stays open."""
        words = f"a broken executor ({self._engine.broken})"
        self._monitor.stop_token.request(StopReason(StopKind.EXECUTOR, words))

    def _gather(self, incumbent: Incumbent) -> None:
        """Take in what is being explored, within reason, and open the rest again."""
        engine, end = self._engine, perf_counter() + GATHER
        for ticket in engine.cancel_queued(keep=engine.workers):
            if ticket is not None:
                self._lose(ticket)
        for ticket in self._sent:
            self._hub.recall(ticket)
        while self._sent and perf_counter() < end:
            self._take_in(engine.collect(end - perf_counter()), incumbent)
        self._forget()

    def _forget(self) -> None:
        for ticket in self._engine.abandon():
            if ticket is not None:
                self._ledger.give_back(ticket)
                self._hub.done(ticket)
        self._sent.clear()

    def clear(self) -> None:
        """Forget all open work; see ``Explorer``."""
        self._forget()
        self._ledger.clear()

    def split(self, fraction: float) -> Intervals:
        """Give nothing away: nobody is beside a cluster."""
        return Intervals.empty(len(self.radix))

    def state(self) -> tuple[list[Work], int]:
        """Return all open work and how many leaves have been passed; see ``Explorer``."""
        return list[Work](self._ledger.left()), self._ledger.passed

    def bound(self) -> int | None:
        """Return nothing: what is left of slices has not been bounded."""
        return None

    def statistics(self) -> dict[str, Any]:
        """Return what there is to say of the workers, for a result's statistics."""
        return {
            "slices_lost": self._engine.failed,
            "slice_cost": self._pace.cost,
            "workers": self._crowd.figures(),
        }
