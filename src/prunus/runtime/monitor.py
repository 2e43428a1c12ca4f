"""What watches a solve: the clock, the stopping criteria, the display, the incumbents' callback."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from typing import Any

from prunus.errors import InputError, PrunusError
from prunus.hardware import clock
from prunus.model.arrays import Int64Array, Number
from prunus.runtime.checkpoint import Checkpoint, CheckpointWriter
from prunus.runtime.heuristic_times import HeuristicTimes
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.interrupts import Interrupts
from prunus.runtime.progress import Progress, ProgressCallback
from prunus.runtime.remaining_time import RemainingTime
from prunus.runtime.samples import Samples
from prunus.runtime.speed import Speed
from prunus.runtime.status import HistoryEntry
from prunus.runtime.stop_criterion import StoppingCriterion, describe
from prunus.runtime.stop_token import INTERRUPT, TIME_LIMIT, StopKind, StopReason, StopToken

_log = logging.getLogger(__name__)

IncumbentCallback = Callable[[Any, Int64Array], object]
"""Receives the objective and the solution of each new incumbent. A function for problems with whole
objectives may say int."""


class Monitor:
    """Knows when a solve began and when it must end, and tells whoever listens how it goes.

    All methods are for the thread that called ``solve``. The time limit is in seconds from now;
    those in which code is compiled do not count, see ``clock``. ``stop`` is a criterion asked at
    every look; ``show`` receives the progress, ``on_incumbent`` every new incumbent, in order;
    ``interrupts`` hears Ctrl-C, by default nothing does.

    All that works on the solve polls ``stop_token``. ``checkpoint_writer`` writes checkpoints, if
    they are wanted; ``reserve`` is the seconds before the time limit at which to stop, for what is
    to be done after that; ``resumed`` is the checkpoint that this solve goes on from, if it does;
    ``bound`` is what is proven, by this run or an earlier one; ``heuristics`` is told, by any
    thread, how long each has worked.
    """

    def __init__(
        self,
        incumbent: Incumbent,
        *,
        time_limit: float | None = None,
        stop: StoppingCriterion | None = None,
        show: ProgressCallback | None = None,
        on_incumbent: IncumbentCallback | None = None,
        interrupts: Interrupts | None = None,
    ) -> None:
        clock.close_all()
        self.start = clock.seconds()
        self._paused_before = clock.time_paused()
        self.incumbent = incumbent
        self.stop_token = StopToken()
        self.history: list[HistoryEntry] = []
        self.checkpoint_writer: CheckpointWriter | None = None
        self.resumed: Checkpoint | None = None
        self.reserve = 0.0
        self.heuristics = HeuristicTimes()
        self._noted = 0
        self._phase = ""
        self.bound: Number | None = None
        self._bounds: Samples[list[Number]] = Samples()
        self._time_limit = time_limit
        self._criterion = stop
        self._show = show
        self._on_incumbent = on_incumbent
        self.interrupts = interrupts or Interrupts()
        self.interrupts.connect(self.stop_token)
        self._nodes = 0
        self._earlier = 0.0
        self._remaining = RemainingTime()
        self._speed = Speed()

    @property
    def elapsed(self) -> float:
        """Seconds since the solve began, without those in which code was compiled."""
        return clock.seconds() - self.start

    @property
    def time_left(self) -> float:
        """Seconds until the solve has to stop, infinite without a limit; 0 once it shall."""
        if self.stop_token.requested:
            return 0.0
        if self._time_limit is None:
            return float("inf")
        return self._time_limit - self.reserve - self.elapsed

    @property
    def limited(self) -> bool:
        """Whether a time limit or a criterion may stop the solve before it is done."""
        return self._time_limit is not None or self._criterion is not None

    def poll(
        self,
        phase: str,
        *,
        bound: Number | None = None,
        objective: Number | None = None,
        explored: float = 0.0,
        nodes: int = 0,
        active: int = 0,
        explorers: int = 0,
        target: int | None = None,
        nodes_left: float | None = None,
        factor: float = 1.0,
    ) -> bool:
        """Tell everybody how things stand; return whether the solve must stop.

        ``objective`` is for counting problems; otherwise it is the incumbent's. A search that only
        looks for solutions better than a ``target`` is not the last one: what it has explored does
        not tell when the solve will end. ``nodes_left`` is a tree search's estimate of what is left
        of this and all later ones, which tells more than the explored share; where it is infinite
        neither tells anything. All nodes together may be so many times more or fewer (``factor``).
        """
        last = target is None
        if not last:
            phase = f"searching {'above' if self.incumbent.maximise else 'below'} {target}"
        elapsed = self.elapsed
        # Until the tree search has begun again, an earlier run's nodes are what there is to show.
        nodes = self._nodes = max(nodes, self._nodes)
        if bound is not None:
            self.note_bound(bound)
        bound = self.bound
        self.note_incumbents(nodes)
        criterion, show, progress = self._criterion, self._show, None
        if criterion is not None or show is not None:
            if objective is None and self.incumbent.best is not None:
                objective = self.incumbent.best.objective
            rate = self._speed.note(nodes, elapsed, searching=explorers > 0)
            remaining = self._remaining.seconds_left(explored, elapsed) if last else None
            done = remaining_range = None
            if nodes_left == math.inf:
                remaining = None
            elif nodes_left is not None and rate > 0:
                total = nodes + nodes_left
                done = nodes / max(1.0, total)
                least, remaining, most = (
                    max(0.0, some - nodes) / self._speed.lately
                    for some in (total / factor, total, total * factor)
                )
                remaining_range = (least, most)
            if remaining is not None and self._time_limit is not None:
                remaining = min(remaining, max(0.0, self._time_limit - elapsed))
            progress = Progress(
                elapsed=elapsed,
                objective=objective,
                bound=bound,
                explored=explored,
                nodes=nodes,
                rate=rate,
                active=active,
                explorers=explorers,
                remaining=remaining,
                remaining_range=remaining_range,
                done=done,
                phase=phase,
                maximise=self.incumbent.maximise,
                time_limit=self._time_limit,
            )
            if show is not None:
                show(progress)
        if phase != self._phase:
            self._phase = phase
            _log.debug("%.3f s: %s", elapsed, phase)
        self.interrupts.acknowledge()
        token = self.stop_token
        if self.time_left <= 0:
            token.request(TIME_LIMIT)
        if not token.requested and criterion is not None and progress and criterion(progress):
            token.request(StopReason(StopKind.CRITERION, describe(criterion)))
        if token.requested:
            self.interrupts.silence()
        return token.requested

    def note_bound(self, bound: Number) -> None:
        """Remember what is proven by now, and since when; nothing proven before is lost."""
        stronger = self.strongest_bound(bound)
        if stronger != self.bound:
            elapsed = self.elapsed
            _log.info("%.3f s: bound %s", elapsed, stronger)
            self._bounds.note([self._earlier + elapsed, stronger])
        self.bound = stronger

    def strongest_bound(self, bound: Number) -> Number:
        """Return this bound, or what was proven before if that says more."""
        sign = -1 if self.incumbent.maximise else 1
        known = bound if self.bound is None else sign * max(sign * bound, sign * self.bound)
        return self.incumbent.bound_of_all(known)

    def at_least(self, bound: int) -> int:
        """Return a lower bound, or what was proven before, by this run or another, if it is more.

        For searches that minimise whole numbers.
        """
        return int(self.strongest_bound(bound))

    def interruptible(self) -> _Interruptible:
        """Return a context that translates Ctrl-C into a reason to stop: it ends, and no more."""
        return _Interruptible(self)

    def state(self) -> dict[str, Any]:
        """Return what a checkpoint keeps of the incumbent and the course of the solve."""
        best = self.incumbent.best
        return {
            "objective": None if best is None else best.objective,
            "solution": None if best is None else best.solution,
            "bound": self.bound,
            "bounds": tuple(self._bounds.rows),
            "history": tuple(self.history),
            "elapsed": self._earlier + self.elapsed,
        }

    def resume_from(self, checkpoint: Checkpoint) -> None:
        """Take over the incumbent, the bound and the history of an earlier run."""
        self.resumed = checkpoint
        self._remaining = RemainingTime(resumed=True)
        if checkpoint.solution is not None and checkpoint.objective is not None:
            objective = checkpoint.problem.evaluate(checkpoint.solution)
            if objective != checkpoint.objective:
                raise InputError(
                    f"the checkpoint's solution has objective {objective}, "
                    f"not {checkpoint.objective} as it says"
                )
            self.incumbent.offer(objective, checkpoint.solution, "checkpoint")
        self.history = list(checkpoint.history)
        self._bounds.rows = [list(row) for row in checkpoint.bounds]
        if checkpoint.bound is not None:
            self.bound = self.strongest_bound(checkpoint.bound)
        self._noted = len(self.incumbent.improvements)
        self._earlier = checkpoint.elapsed
        self._nodes = checkpoint.nodes
        self._speed = Speed(checkpoint.nodes)

    def statistics(self) -> dict[str, Any]:
        """Return figures about compiling, heuristics and checkpoints, for a result's statistics."""
        figures: dict[str, Any] = {"compile_time": clock.time_paused() - self._paused_before}
        if self._bounds.rows:
            figures["bounds"] = self._bounds.rows
        heuristics = self.heuristics.figures(self.incumbent.improvements)
        if heuristics:
            figures["portfolio"] = heuristics
        if self.resumed is not None:
            figures["earlier_runtime"] = self.resumed.elapsed
            figures["earlier_nodes"] = self.resumed.nodes
        if self.checkpoint_writer is not None:
            figures["checkpoint"] = self.checkpoint_writer.path
            figures["checkpoints"] = self.checkpoint_writer.written
            figures["checkpoint_time"] = self.checkpoint_writer.seconds
        return figures

    def note_incumbents(self, nodes: int) -> None:
        """Take what was found since the last time into the history; tell whoever listens."""
        for found in self.incumbent.improvements[self._noted :]:
            self._noted += 1
            # What was given is older than the solve.
            time = max(0.0, found.time - self.start)
            _log.info("%.3f s: incumbent %s by %s", time, found.objective, found.source)
            time += self._earlier
            self.history.append(
                HistoryEntry(time, found.objective, nodes, found.source, self.bound)
            )
            if self._on_incumbent is not None:
                self._on_incumbent(found.objective, found.solution)


class _Interruptible:
    """See ``Monitor.interruptible``: the only place where a solve catches ``KeyboardInterrupt``.

    Raised in the middle of a compilation, it comes out as something else.
    """

    def __init__(self, monitor: Monitor) -> None:
        self._monitor = monitor

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        """Take an interrupt, let anything else pass."""
        if kind is None or not self._is_interrupt(kind):
            return False
        self._monitor.stop_token.request(INTERRUPT)
        return True

    def _is_interrupt(self, kind: type[BaseException]) -> bool:
        if issubclass(kind, KeyboardInterrupt):
            return True
        ours = not issubclass(kind, Exception) or issubclass(kind, PrunusError)
        return self._monitor.interrupts.raised and not ours
