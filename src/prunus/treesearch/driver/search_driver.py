"""One tree search from its beginning to its end or a stop: direct, or with raised targets."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from prunus.errors import DeviceError
from prunus.hardware import clock
from prunus.runtime.checkpoint import CheckpointWriter
from prunus.runtime.incumbent import NO_INCUMBENT, TargetIncumbent
from prunus.runtime.outcome import Outcome
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.driver import tuning as driver_tuning
from prunus.treesearch.driver.destructive_bound import DestructiveLowerBound
from prunus.treesearch.driver.figures import figures_of
from prunus.treesearch.driver.resume_state import LastSnapshot, ResumeState
from prunus.treesearch.driver.search_record import SearchRecord
from prunus.treesearch.estimate.forecast import TreeForecast
from prunus.treesearch.estimate.growth import TreeGrowth
from prunus.treesearch.model import Work
from prunus.treesearch.scheduler.scheduler import Scheduler
from prunus.treesearch.scheduler.snapshot import SearchCounters


class SearchDriver:
    """Drives a scheduler, watched by a monitor, and says what was found and proved.

    Arguments are those of `search`; ``forecast`` estimates how many nodes the tree has, ``growth``
    has the sizes of trees below targets. No solution is below ``lower_bound``. Only solutions below
    ``target`` are sought now, or all below the incumbent if it is None; ``targets`` lists those of
    a destructive lower bound, with what they took.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        monitor: AnyMonitor,
        before: ResumeState,
        *,
        root_bound: int | None,
        tree: Mapping[str, object],
        forecast: TreeForecast | None,
        growth: TreeGrowth,
    ) -> None:
        self.scheduler, self.monitor, self.before = scheduler, monitor, before
        self._counting = root_bound is None
        self.lower_bound = root_bound
        self.target: int | None = None
        self.targets: list[dict[str, object]] = []
        self._tuning, self._forecast, self._growth = driver_tuning.DEFAULT_TUNING, forecast, growth
        self._began = monitor.elapsed
        self._record = SearchRecord(scheduler, monitor, before, tree)
        self._node_limit = 0.0
        self._gave_up = False

    def run(self, direct_s: float, raise_s: float = math.inf) -> bool:
        """Search until nothing is left, or until the monitor says stop; return which.

        After so many seconds a direct search gives way to the destructive lower bound, unless its
        end is in sight, and that ends after ``raise_s``.
        """
        before, incumbent, tuning = self.before, self.monitor.incumbent, self._tuning
        began = self.monitor.elapsed

        def too_long(now: SearchCounters) -> bool:
            seconds = self.monitor.elapsed - began
            if seconds <= direct_s or incumbent.cutoff == NO_INCUMBENT:
                return False
            return seconds > tuning.in_sight_factor * direct_s or not self._end_in_sight(now)

        if before.target is not None and before.lower_bound is not None:
            lower = max(before.lower_bound, self.lower_bound or 0)
            first = before.target if lower < before.target else None
            if first is None:  # another search has proven that nothing is below it
                before.restart_tree()
            affordable = max(tuning.cheap_nodes, before.node_limit / tuning.give_up_ratio)
            return self._raise_targets(
                DestructiveLowerBound(
                    lower, incumbent.cutoff, affordable, first, tuning, self._growth
                ),
                raise_s,
            )
        nodes = 0
        direct = direct_s > 0 or raise_s <= 0
        if direct or self.lower_bound is None or incumbent.cutoff == NO_INCUMBENT:
            if self._search(before.work, None, too_long, began + direct_s):
                return True
            if not (self._gave_up and raise_s > 0) or self.lower_bound is None:
                return False
            nodes = self.scheduler.counters().nodes
            self.scheduler.clear()
            before.restart_tree()
        # The first target may well be as hopeless as the direct search was: a tenth will do.
        affordable = max(tuning.cheap_nodes, nodes / tuning.give_up_ratio**2)
        return self._raise_targets(
            DestructiveLowerBound(
                self.lower_bound,
                incumbent.cutoff,
                affordable,
                tuning=tuning,
                growth=self._growth,
            ),
            raise_s,
        )

    def _raise_targets(self, bounds: DestructiveLowerBound, most_s: float) -> bool:
        """Search below target after target until the bounds meet, or so many seconds have passed.

        A target is given up then too, and its tree stays open.
        """
        before, incumbent, end = self.before, self.monitor.incumbent, self.monitor.elapsed + most_s
        while not bounds.met:
            self.lower_bound = bounds.lower
            target, self._node_limit = bounds.target, bounds.node_limit
            base, began = self.scheduler.counters().nodes, clock.seconds()

            def too_many(now: SearchCounters, limit: float = base + self._node_limit) -> bool:
                return now.nodes > limit or self.monitor.elapsed > end

            complete = self._search(before.work, target, too_many, end)
            nodes = self.scheduler.counters().nodes - base
            seconds = clock.seconds() - began
            self.targets.append(
                {"below": target, "nodes": nodes, "time": seconds, "complete": complete}
            )
            if complete:
                bounds.searched(nodes, incumbent.cutoff)
            elif self._gave_up and self.monitor.elapsed <= end:
                bounds.given_up(incumbent.cutoff)
                self.scheduler.clear()
            else:
                return False
            before.restart_tree()
        return True

    def _search(
        self,
        work: Work,
        target: int | None,
        give_up: Callable[[SearchCounters], bool],
        at: float,
    ) -> bool:
        """Search the open part of a tree for solutions below a target; return whether it is done.

        If it is not, either the monitor said stop, or it was given up: whether to is asked now and
        then, and when so many seconds of the monitor have passed.
        """
        self.target, self._gave_up = target, False
        self._record.begin_tree()
        if self._forecast is not None:
            nodes = self.before.nodes + self.scheduler.counters().nodes
            self._forecast.restart(self.monitor.elapsed - self._began, nodes, target)
        whole = self.monitor.incumbent
        self.scheduler.incumbent = whole if target is None else TargetIncumbent(whole, target)

        def poll(now: SearchCounters) -> bool:
            if self._poll(now):
                return True
            self._gave_up = give_up(now)
            return self._gave_up

        def time_left() -> float:
            left = at - self.monitor.elapsed
            return min(self.monitor.time_left, left if left > 0 else math.inf)

        if not self._run(work, poll, time_left):
            return False
        self._gave_up = False
        if self.finished:
            return True
        fathomed, _, _ = self._record.totals(self.scheduler.final_snapshot())
        raise AssertionError(
            f"the search ended with {fathomed} of {self.scheduler.space.size} accounted for"
        )

    def _run(
        self,
        work: Work,
        poll: Callable[[SearchCounters], bool],
        time_left: Callable[[], float],
    ) -> bool:
        """Run the scheduler; go back to the last snapshot if a device fails and leaves doubt.

        Raises ``DeviceError`` if no device is left.
        """
        before, scheduler, record = self.before, self.scheduler, self._record
        now = scheduler.counters()
        nodes, reached = before.nodes + now.nodes, before.leaves + now.leaves
        record.remember(LastSnapshot(work, before.fathomed, nodes, reached))
        while True:
            try:
                return scheduler.run(work, poll, self._poll_interval_s(), time_left=time_left)
            except DeviceError:
                if not scheduler.team.in_doubt or not scheduler.team.recover():
                    raise
            last, now = record.last_snapshot, scheduler.counters()
            before.nodes, before.leaves = last.nodes - now.nodes, last.leaves - now.leaves
            before.fathomed, work = last.fathomed, last.work
            record.begin_tree()

    @property
    def finished(self) -> bool:
        """Whether the tree below the present target has been searched to its last leaf."""
        if not self.scheduler.complete:
            return False
        left = self.scheduler.final_snapshot()
        return self.scheduler.space.is_whole(self._record.totals(left)[0], left.work)

    def _poll(self, now: SearchCounters) -> bool:
        """Tell the monitor how things stand; write a checkpoint when one is due."""
        before, monitor = self.before, self.monitor
        if now.bound is not None and self.lower_bound is not None and self.target is None:
            self.lower_bound = max(self.lower_bound, min(now.bound, monitor.incumbent.cutoff))
        stop = monitor.poll(
            "tree search",
            bound=self.lower_bound,
            objective=before.leaves + now.leaves if self._counting else None,
            explored=1 - now.remaining,
            nodes=before.nodes + now.nodes,
            active=now.active,
            explorers=now.explorers,
            target=self.target,
            nodes_left=self._nodes_left(now),
            factor=self._factor(now),
        )
        if not stop:
            self._record.update(self._target_state())
        return stop

    def _end_in_sight(self, now: SearchCounters) -> bool:
        """Return whether samples say that most of the tree is searched."""
        if self._forecast is None or not self._forecast.samples:
            return False
        nodes = self.before.nodes + now.nodes
        left = self._forecast.left(nodes, self.monitor.incumbent.cutoff)
        return left is not None and left < nodes

    def _nodes_left(self, now: SearchCounters) -> float | None:
        """Return how many nodes seem to be left, after another look if it is time for one."""
        forecast, elapsed = self._forecast, self.monitor.elapsed - self._began
        if forecast is None:
            return None
        nodes, upper = self.before.nodes + now.nodes, self.monitor.incumbent.cutoff
        forecast.note(elapsed, nodes, now.bound, now.remaining)
        if forecast.due(elapsed):
            work = self.before.work
            if forecast.samples:
                seen = self.scheduler.consistent_snapshot()
                if seen is None:
                    return forecast.left(nodes, upper)
                nodes, work = self.before.nodes + seen.nodes, seen.work
            cutoff, seconds = self.scheduler.incumbent.cutoff, self.monitor.time_left
            forecast.update(elapsed, nodes, now.remaining, work, cutoff, seconds, upper)
            if self.target is None and forecast.lower is not None:
                self.lower_bound = max(self.lower_bound or 0, min(forecast.lower, cutoff))
        return forecast.left(nodes, upper)

    def _factor(self, now: SearchCounters) -> float:
        """Return by how much the whole may have more nodes or fewer than it seems."""
        nodes, upper = self.before.nodes + now.nodes, self.monitor.incumbent.cutoff
        return 1.0 if self._forecast is None else self._forecast.factor(nodes, upper)

    def _poll_interval_s(self) -> float:
        """Return the seconds between two looks at a search."""
        writer: CheckpointWriter | None = self.monitor.checkpoint_writer
        usual = self._tuning.poll_interval_s
        return usual if writer is None else min(usual, max(0.005, writer.every))

    def _target_state(self) -> dict[str, object]:
        """Return what a checkpoint keeps of the present target."""
        if self.target is None:
            return {}
        return {"below": self.target, "proven": self.lower_bound, "limit": self._node_limit}

    def outcome(self, complete: bool, *, names: tuple[str, ...], began: float) -> Outcome:
        """Write the last checkpoint and say what was found and proved."""
        scheduler, monitor = self.scheduler, self.monitor
        before, record = self.before, self._record
        now, explored = scheduler.counters(), 1.0
        bound = self._proven(complete)
        if bound is not None:
            monitor.note_bound(bound)
        monitor.note_incumbents(before.nodes + now.nodes)
        if not complete or monitor.checkpoint_writer is not None:
            left = scheduler.final_snapshot()
            if not complete:
                fathomed, _, _ = record.totals(left)
                explored = min(fathomed / scheduler.space.size, 1 - 2**-53)
            if not complete and self.target is not None and self.finished:
                # Stopped between two targets; what is done of the next tree is nothing.
                before.restart_tree()
                left = replace(left, work=before.work, fathomed=record.fathomed_before)
            if monitor.checkpoint_writer is not None and not scheduler.team.in_doubt:
                record.write(monitor.checkpoint_writer, left, self._target_state())
        return Outcome(
            complete=complete,
            bound=bound,
            stop_reason=None if complete else monitor.stop_token.reason,
            nodes=before.nodes + now.nodes,
            leaves=before.leaves + now.leaves,
            explored=explored,
            devices=names,
            statistics={
                **figures_of(scheduler, self.targets, self._forecast),
                "search_time": before.search_time + clock.seconds() - began,
            },
            trace=scheduler.recorder.trace(),
        )

    def _proven(self, complete: bool) -> int | None:
        """Return what is proven: the optimum, or the least bound over what is left open."""
        if self.lower_bound is None:
            return None  # it counts
        if complete:
            return self.monitor.incumbent.proven
        least = self.scheduler.bound()
        if least is None:
            return self.lower_bound
        return max(self.lower_bound, min(least, self.scheduler.incumbent.cutoff))
