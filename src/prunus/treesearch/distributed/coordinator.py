"""All workers of an executor as one explorer: the coordinator of a search between machines."""

from __future__ import annotations

import hashlib
import math
import pickle
from contextlib import nullcontext
from typing import Any

from prunus.errors import InputError
from prunus.hardware import clock
from prunus.hardware.executor import CallOutcome, ExecutorEngine
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.stop_token import StopKind, StopReason
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.distributed import tuning as distributed_tuning
from prunus.treesearch.distributed.call_back import call_back
from prunus.treesearch.distributed.messages import MessageKind
from prunus.treesearch.distributed.messaging import open_server
from prunus.treesearch.distributed.online_units import OnlineUnits
from prunus.treesearch.distributed.result_checks import mistake_in
from prunus.treesearch.distributed.result_intake import ResultIntake
from prunus.treesearch.distributed.tuning import DistributedTuning
from prunus.treesearch.distributed.unit_duration import UnitDuration
from prunus.treesearch.distributed.units_out import UnitsOut
from prunus.treesearch.distributed.work_accounting import HandedOut, WorkAccounting
from prunus.treesearch.distributed.work_unit import WorkUnit
from prunus.treesearch.distributed.worker import explore
from prunus.treesearch.distributed.worker_registry import WorkerRegistry
from prunus.treesearch.model import Explorer, ExplorerFactory, ExplorerStatistics, SearchSpace, Work


class Coordinator(Explorer):
    """Hands out work units and takes in their results.

    Raises ``DeviceError`` if no worker can take part; ``InputError`` if the workers have another
    version of prunus.

    ``devices`` says in words what the workers may use of their machines. The monitor says how much
    time is left, and hears of it if the executor breaks. What is said of the units that are out is
    noted in ``units``; by default, workers connect to a server, and it notes there what they say.
    """

    reliable = True

    def __init__(
        self,
        engine: ExecutorEngine,
        factory: ExplorerFactory,
        devices: str,
        monitor: AnyMonitor,
        tuning: DistributedTuning | None = None,
        units: OnlineUnits | None = None,
    ) -> None:
        self._space = factory.space
        self._tuning = tuning = tuning or distributed_tuning.DEFAULT_TUNING
        self._engine, self._problem, self._monitor = engine, factory.problem, monitor
        self._now = engine.now
        self._factory = pickle.dumps(factory)
        self._digest = hashlib.sha256(self._factory).hexdigest()
        self._devices = "cpu" if devices == "auto" and factory.prefers_cores else devices
        self._accounting = WorkAccounting(self._space, tuning.smallest_part_ratio)
        self._out = UnitsOut(tuning.overdue_s)
        self._works_since = self._now()
        self._worked = 0.0
        self._units = units or OnlineUnits(engine.wake, engine.now)
        engine.start_processes()
        server = open_server(self._units) if units is None else None
        if server is not None:
            engine.call_at_close(server.close)
        self._registry = WorkerRegistry(server, tuning, engine.now)
        self._told_cutoff = 0
        self._interrupted = False
        self._pause_until = 0.0
        self._intake = ResultIntake(
            engine, self._registry, self._accounting, self._out, self._units, self._problem
        )
        self._registry.greet_all(engine, self._devices, monitor)
        self._duration = UnitDuration(tuning, engine.now)
        self.name = engine.name
        self.power = 400.0 if self._registry.gpus else 1.0

    @property
    def space(self) -> SearchSpace:
        return self._space

    def load(self, work: Work) -> None:
        self._accounting.load(work)

    def interrupt(self) -> None:
        self._interrupted = True
        self._engine.wake()

    def explore(self, incumbent: Incumbent, seconds: float) -> ExplorerStatistics:
        end = self._now() + seconds
        nodes, reached = self._intake.nodes, self._intake.leaves
        while not self._accounting.finished:
            self._hand_out(incumbent)
            self._exchange_messages(incumbent)
            self._wait(end - self._now(), incumbent)
            if self._interrupted or self._now() >= end:
                break
        self._interrupted = False
        if self._stopping:
            self._gather(incumbent)
        workers = self._engine.workers if self._engine.broken is None else 0
        return ExplorerStatistics(
            nodes=self._intake.nodes - nodes,
            leaves=self._intake.leaves - reached,
            active=min(len(self._out), workers),
            explorers=workers,
            exhausted=self._accounting.finished,
            remaining=self._accounting.size / self._space.size,
            bound=self._accounting.bound,
        )

    def _exchange_messages(self, incumbent: Incumbent) -> None:
        """Receive what is found in units that are out, and tell them what is new."""
        for message in self._units.received(self._out):
            if message.kind is MessageKind.FOUND and message.solution is not None:
                if mistake_in(self._problem, message.value, message.solution) is None:
                    incumbent.offer(message.value, message.solution, self.name)
            elif message.kind is MessageKind.SEARCHING:
                self._units.tell_cutoff(message.ticket, incumbent.cutoff)
        if incumbent.cutoff != self._told_cutoff:
            self._told_cutoff = incumbent.cutoff
            for ticket in self._out:
                self._units.tell_cutoff(ticket, incumbent.cutoff)

    def _wait(self, seconds: float, incumbent: Incumbent) -> None:
        """Wait for a result, or for something else to do; the clock waits while all compile."""
        idle = self._engine.workers_awake - len(self._out)
        if idle > 0 and not self._stopping:
            soon = call_back(
                idle, self._units, self._accounting, self._now(), self._duration.least_s
            )
            pause = self._pause_until - self._now()
            seconds = min(seconds, soon, pause if pause > 0 else math.inf)
        self._worked += self._now() - self._works_since
        with clock.paused() if self._units.all_compile() else nullcontext():
            heard = self._engine.collect(seconds)
        self._works_since = self._now()
        self._take_in(heard, incumbent)

    @property
    def _stopping(self) -> bool:
        return self._monitor.stop_token.requested or self._monitor.interrupts.requested

    def _hand_out(self, incumbent: Incumbent) -> None:
        """Keep all workers at work; have what else is open ready for those that come back."""
        now = self._now()
        self._out.look_for_overdue(now)
        workers = self._engine.workers_awake
        idle = workers - (len(self._out) - len(self._out.overdue))
        spare = idle + min((workers + 1) // 2, self._tuning.spare_units)
        time_left = self._monitor.time_left
        if spare <= 0 or time_left <= 0 or self._stopping or now < self._pause_until:
            return
        expected = self._units.called_back
        take = self._accounting.take
        parts = [take(max(1, idle - place), workers, expected) for place in range(spare)]
        taken = [part for part in parts if part is not None]
        idle -= len(taken)
        # What should have come back long ago is for those as well that have nothing to do.
        again = self._out.overdue[: max(0, idle)]
        if not (taken or again):
            return
        seconds = self._duration.seconds(
            time_left, starving=idle > 0, online=self._registry.online, workers=workers
        )
        for part in [*taken, *map(self._accounting.out, again)]:
            self._send(part, incumbent, seconds)

    def _send(self, part: HandedOut, incumbent: Incumbent, seconds: float) -> None:
        unit = WorkUnit(
            ticket=part.ticket,
            copy=self._out.copies(part.ticket),
            factory=self._factory,
            digest=self._digest,
            devices=self._devices,
            workers=self._registry.known_packed,
            work=part.work,
            cutoff=incumbent.cutoff,
            bound=part.bound,
            seconds=seconds,
            address=self._registry.address,
        )
        if self._engine.submit(part.ticket, explore, unit):
            self._out.send(part.ticket, self._now() + 2 * seconds)
        else:
            self._intake.lose(part.ticket)
            self._stop_broken()

    def _take_in(self, heard: list[CallOutcome], incumbent: Incumbent) -> None:
        failed = False
        for one in heard:
            if one.tag is None:
                self._registry.register(one, self._engine)
            elif one.error is None:
                failed = not self._note(one.tag, one.value, incumbent) or failed
            elif isinstance(one.error, (InputError, AssertionError)):
                raise one.error  # every worker would say so
            else:
                self._intake.lose(one.tag)
                failed = True
        if failed:
            self._back_off()
        if self._engine.broken is not None:
            self._stop_broken()

    def _note(self, ticket: int, value: object, incumbent: Incumbent) -> bool:
        """Take in a result; return whether it makes sense."""
        start = self._now()
        result = self._intake.take_in(ticket, value, incumbent)
        if result is not None and len(result.left):  # what is done costs nothing to bring back
            cost = result.total_s - result.search_s + self._now() - start
            self._duration.note_cost(cost, self._worked + self._now() - self._works_since)
            self._worked, self._works_since = 0.0, self._now()
        return result is not None

    def _back_off(self) -> None:
        """Hand out nothing for a moment, and keep a worker that fails at once idle for longer."""
        pause = self._tuning.failure_pause_s
        self._pause_until = self._now() + pause
        self._engine.back_off(pause * (1 + self._engine.failed))

    def _stop_broken(self) -> None:
        """Have the search stopped: the executor is broken, and what is left stays open."""
        if not self._stopping:
            text = f"a broken executor ({self._engine.broken})"
            self._monitor.stop_token.request(StopReason(StopKind.EXECUTOR, text))

    def _gather(self, incumbent: Incumbent) -> None:
        """Take in what is being explored, within reason, and open the rest again."""
        engine, end = self._engine, self._now() + self._tuning.gather_s
        for ticket in engine.cancel_queued(keep=engine.workers):
            if ticket is not None:
                self._intake.lose(ticket)
        while self._out and self._now() < end:
            self._exchange_messages(incumbent)
            for ticket in self._out:
                self._units.call_back(ticket)
            self._take_in(engine.collect(end - self._now()), incumbent)
        self._forget()

    def _forget(self) -> None:
        for ticket in self._engine.abandon():
            if ticket is not None:
                self._accounting.give_back(ticket)
                self._units.done(ticket)
        self._out.clear()

    def clear(self) -> None:
        self._forget()
        self._accounting.clear()

    def split(self, fraction: float) -> Work:
        """Give nothing away: there is no other explorer beside an executor."""
        return self._space.join([])

    def state(self) -> tuple[list[Work], float]:
        return self._accounting.unfinished(), self._accounting.fathomed

    def bound(self) -> int | None:
        """Return the least bound of all that is open, as far as workers have bounded it."""
        return self._accounting.bound

    def statistics(self) -> dict[str, Any]:
        return {
            "work_units_lost": self._engine.failed,
            "work_unit_cost": self._duration.cost_s,
            "workers": self._registry.statistics(),
        }
