"""The course of a tree search: one tree searched once, or with several targets that climb."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from prunus.errors import DeviceError
from prunus.runtime import clock
from prunus.runtime.checkpoint import CheckpointWriter
from prunus.runtime.incumbent import NO_INCUMBENT, TargetIncumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.treesearch.driver.account import open_bound, statistics
from prunus.treesearch.driver.before import Before
from prunus.treesearch.driver.ladder import PATIENCE, Ladder
from prunus.treesearch.driver.record import Record
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.work import Bundle
from prunus.treesearch.scheduler.scheduler import Scheduler
from prunus.treesearch.scheduler.snapshot import SearchCounters

__all__ = ["Course"]

LOOK = 0.12
"""Seconds between two looks at a search."""

CHEAP = 1e6
"""So many nodes are worth no thought, on any device."""


class Course:
    """One search from its beginning, or from where an earlier run was, to its end or a stop.

    Parameters
    ----------
    scheduler
        The devices.
    monitor
        Holds the incumbent; stops the search; keeps checkpoints.
    before
        What an earlier run did and left open.
    root_bound
        A bound known before; None for counting.
    counting
        The leaves are what is wanted.
    tree
        What defines the tree besides the problem and its options, for checkpoints.

    Attributes
    ----------
    proven
        No solution is below this.
    below
        The target of the present rung; None while everything below the incumbent is sought.
    rungs
        What each rung of a climb was and took.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        monitor: Monitor,
        before: Before,
        root_bound: int | None,
        counting: bool,
        tree: dict[str, Any],
    ) -> None:
        self.scheduler, self.monitor, self.before = scheduler, monitor, before
        self.counting = counting
        self._record = Record(scheduler, monitor, before, tree)
        self.proven = root_bound
        self.below: int | None = None
        self.rungs: list[dict[str, Any]] = []
        self._limit = 0.0
        self._gave_up = False

    def run(self, direct: float) -> bool:
        """Search until nothing is left, or until the monitor says stop; return which."""
        before, incumbent = self.before, self.monitor.incumbent
        began = self.monitor.elapsed

        def too_long(now: SearchCounters) -> bool:
            return self.monitor.elapsed - began > direct and incumbent.cutoff < NO_INCUMBENT

        if before.below is not None and before.proven is not None:
            worth = max(CHEAP, before.limit / PATIENCE)
            ladder = Ladder(before.proven, incumbent.cutoff, worth, before.below)
        else:
            nodes = 0
            if direct > 0 or self.proven is None or incumbent.cutoff == NO_INCUMBENT:
                if self._search(before.intervals, None, too_long):
                    return True
                if not self._gave_up or self.proven is None:
                    return False
                nodes = self.scheduler.counters().nodes
                self.scheduler.clear()
                before.forget()
            # The first rung may well be as hopeless as the direct search was: a tenth will do.
            worth = max(CHEAP, nodes / PATIENCE**2)
            ladder = Ladder(self.proven, incumbent.cutoff, worth)
        return self._climb(ladder)

    def _climb(self, ladder: Ladder) -> bool:
        """Search rung after rung until the bounds meet."""
        before, incumbent = self.before, self.monitor.incumbent
        while not ladder.met:
            self.proven = ladder.lower
            target, self._limit = ladder.target, ladder.limit
            base, began = self.scheduler.counters().nodes, clock.seconds()
            complete = self._search(before.intervals, target, _beyond(base + self._limit))
            nodes = self.scheduler.counters().nodes - base
            self.rungs.append(
                {"below": target, "nodes": nodes, "time": clock.seconds() - began, "done": complete}
            )
            if complete:
                ladder.searched(nodes, incumbent.cutoff)
            elif self._gave_up:
                ladder.given_up(incumbent.cutoff)
                self.scheduler.clear()
            else:
                return False
            before.forget()
        return True

    def _search(
        self, intervals: Intervals, below: int | None, give_up: Callable[[SearchCounters], bool]
    ) -> bool:
        """Search the open part of a tree for solutions below a target; return whether it is done.

        If it is not, either the monitor said stop, or it was given up.
        """
        self.below, self._gave_up = below, False
        self._record.begin()
        whole = self.monitor.incumbent
        self.scheduler.incumbent = whole if below is None else TargetIncumbent(whole, below)

        def look(now: SearchCounters) -> bool:
            if self._look(now):
                return True
            self._gave_up = give_up(now)
            return self._gave_up

        if not self._run(intervals, look):
            return False
        self._gave_up = False
        if self.finished:
            return True
        explored, _, _ = self._record.figures(self.scheduler.final_snapshot())
        raise AssertionError(
            f"the search ended with {explored} of {self._record.total} leaves accounted for"
        )

    def _run(self, intervals: Intervals, look: Callable[[SearchCounters], bool]) -> bool:
        """Have it searched; go back to what was last known if a device fails and leaves doubt.

        Raises
        ------
        DeviceError
            If no device is left.
        """
        before, scheduler = self.before, self.scheduler
        now = scheduler.counters()
        nodes, reached = before.nodes + now.nodes, before.leaves + now.leaves
        self._record.know(intervals, before.explored, nodes, reached)
        while True:
            try:
                return scheduler.run(
                    intervals, look, poll_interval_s=_pace(self.monitor.checkpoint_writer)
                )
            except DeviceError:
                if not scheduler.in_doubt or not scheduler.recover():
                    raise
            known, now = self._record.known, scheduler.counters()
            before.nodes, before.leaves = known.nodes - now.nodes, known.leaves - now.leaves
            before.explored, intervals = known.explored, known.intervals
            self._record.begin()

    @property
    def finished(self) -> bool:
        """Whether the tree below the present target has been searched to its last leaf."""
        if not self.scheduler.complete:
            return False
        return self._record.figures(self.scheduler.final_snapshot())[0] == self._record.total

    def _look(self, now: SearchCounters) -> bool:
        """Tell the monitor how things stand; write a checkpoint when one is due."""
        before, monitor = self.before, self.monitor
        stop = monitor.poll(
            "tree search" if self.below is None else f"searching below {self.below}",
            bound=self.proven,
            objective=before.leaves + now.leaves if self.counting else None,
            explored=1 - now.remaining,
            nodes=before.nodes + now.nodes,
            active=now.active,
            explorers=now.explorers,
            last=self.below is None,
        )
        if not stop:
            self._record.look(self._rung())
        return stop

    def _rung(self) -> dict[str, Any]:
        """Return what a checkpoint keeps of the present rung."""
        if self.below is None:
            return {}
        return {"below": self.below, "proven": self.proven, "limit": self._limit}

    def outcome(self, complete: bool, *, names: tuple[str, ...], began: float) -> Outcome:
        """Write the last checkpoint and say what was found and proved."""
        scheduler, monitor, before, record = self.scheduler, self.monitor, self.before, self._record
        now = scheduler.counters()
        left = scheduler.final_snapshot()
        explored, _, _ = record.figures(left)
        cutoff = monitor.incumbent.cutoff
        if complete:
            bound = None if cutoff == NO_INCUMBENT else cutoff
        else:
            bound = open_bound(scheduler, self.proven)
        monitor.finish(before.nodes + now.nodes)
        if not complete and self.below is not None and self.finished:
            # Stopped between two rungs; what is done of the next one is nothing.
            before.forget()
            whole = Bundle(left.work.levels, [before.intervals])
            left = replace(left, work=whole, fathomed=record.passed)
        if monitor.checkpoint_writer is not None and not scheduler.in_doubt:
            record.write(monitor.checkpoint_writer, left, self._rung())
        figures = {**statistics(scheduler), "search_time": clock.seconds() - began}
        if self.rungs:
            figures["rungs"] = self.rungs
        return Outcome(
            complete=complete,
            bound=None if self.counting else bound,
            stop_reason=None if complete else monitor.stop_token.reason,
            nodes=before.nodes + now.nodes,
            leaves=before.leaves + now.leaves,
            explored=1.0 if complete else min(explored / record.total, 1 - 2**-53),
            devices=names,
            statistics=figures,
            trace=scheduler.recorder.trace(),
        )


def _beyond(nodes: float) -> Callable[[SearchCounters], bool]:
    """Tell when more than so many nodes have been branched."""
    return lambda now: now.nodes > nodes


def _pace(writer: CheckpointWriter | None) -> float:
    """Return the seconds between two looks at a search."""
    return LOOK if writer is None else min(LOOK, max(0.005, writer.every))
