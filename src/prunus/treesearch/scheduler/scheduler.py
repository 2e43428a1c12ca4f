"""All devices of one machine on one tree.

One host thread drives each explorer. How work moves between them is in ``work_stealing``, what the
threads share in ``team_state``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from time import perf_counter

from prunus.errors import DeviceError
from prunus.hardware import clock
from prunus.hardware.threads import Task, start_task
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.trace import Recorder
from prunus.treesearch.model import Explorer, Work, least_bound
from prunus.treesearch.options import StealingPolicy
from prunus.treesearch.scheduler.member import Member
from prunus.treesearch.scheduler.snapshot import ConsistentSnapshot, MemberState, SearchCounters
from prunus.treesearch.scheduler.team_state import TeamState
from prunus.treesearch.scheduler.tuning import DEFAULT_TUNING, SchedulerTuning
from prunus.treesearch.scheduler.victim_selector import VictimSelector
from prunus.treesearch.scheduler.work_stealing import WorkRequest, WorkStealing


class Scheduler:
    """Explorers that search one tree together.

    There is at least one; the incumbent is improved in place; the seed is that of the choice of
    victims. ``patient``: a run that is ended spoils no node under way, since there will be another
    one. ``members`` are the explorers with their counters, ``team`` what their threads share,
    ``space`` is the tree, ``recorder`` takes samples over time.
    """

    def __init__(
        self,
        explorers: Sequence[Explorer],
        incumbent: Incumbent,
        *,
        seed: int = 0,
        policy: StealingPolicy = StealingPolicy.POWER,
        tuning: SchedulerTuning = DEFAULT_TUNING,
        patient: bool = False,
    ) -> None:
        self.members = [
            Member(explorer, recoveries_left=tuning.recoveries) for explorer in explorers
        ]
        self.incumbent = incumbent
        self.space = explorers[0].space
        self.recorder = Recorder(tuple(explorer.name for explorer in explorers))
        self._tuning = tuning
        self.team = TeamState(self.members, patient)
        self._selector = VictimSelector(self.team, policy, seed, tuning)
        self._stealing = WorkStealing(self.team, policy, self._selector)
        self._jobs: dict[int, Task[None]] = {}

    def run(
        self,
        work: Work,
        poll: Callable[[SearchCounters], bool] | None = None,
        poll_interval_s: float = 0.12,
        until: float = math.inf,
        time_left: Callable[[], float] = lambda: math.inf,
    ) -> bool:
        """Search the work until nothing is open, ``poll`` returns True, or it is time.

        Returns True if nothing is left open. The work is the whole tree, or what an earlier run
        left open; the strongest members share it. ``poll`` is called in this thread, about once
        every ``poll_interval_s``; ``until`` is by ``clock``. Raises ``KeyboardInterrupt`` after all
        explorers have stopped (what they have not done is in ``final_snapshot``), and
        ``DeviceError`` if the last device failed.
        """
        team = self.team
        self._distribute(work)
        self._jobs.clear()
        try:
            interval = min(poll_interval_s, self._tuning.first_poll_s)
            self._start_threads()
            while self._any_running():
                wait = min(interval, max(self._tuning.least_poll_s, time_left()))
                end = perf_counter() + min(wait, max(0.0, until - clock.seconds()))
                interval = min(poll_interval_s, 2 * interval)
                for job in self._jobs.values():
                    job.join(max(0.0, end - perf_counter()))
                self._sample()
                self._start_threads()
                if clock.seconds() >= until or (poll is not None and poll(self.counters())):
                    break
        finally:
            team.stop()
            for job in self._jobs.values():
                job.join()
            team.keep_delivered()
        self._sample()
        if team.error is not None:
            raise team.error
        return self.complete

    @property
    def complete(self) -> bool:
        """Whether nothing is left open; ask when no thread runs."""
        team = self.team
        return not (team.working or team.orphaned_work or team.in_doubt)

    def clear(self) -> None:
        """Forget everything open, for another search of the same tree; when no thread runs."""
        self.team.orphaned_work.clear()
        for member in self.members:
            member.clear()

    @property
    def can_recover(self) -> bool:
        """Whether a device may fail while others go on."""
        alive = [member for member in self.members if member.failed is None]
        return len(alive) > 1 and not all(member.explorer.reliable for member in alive)

    def counters(self) -> SearchCounters:
        """Return the counters of all members at this moment."""
        slices = [member.last_slice for member in self.members]
        known = [s.remaining for s in slices if not math.isnan(s.remaining)]
        return SearchCounters(
            nodes=sum(member.nodes for member in self.members),
            leaves=sum(member.leaves for member in self.members),
            active=sum(s.active for s in slices),
            explorers=sum(s.explorers for s in slices),
            steals=sum(member.steals for member in self.members),
            remaining=min(1.0, sum(known)) if known else 1.0,
            bound=self._known_bound(),
        )

    def _known_bound(self) -> int | None:
        """Return the least of the bounds that members know to hold, or None if one does not."""
        with self.team.changed:  # so that no work is on its way unseen
            bounds = [member.bound for member in self.members if not member.idle]
            orphaned = bool(self.team.orphaned_work)
        return None if orphaned else least_bound(bounds)

    def consistent_snapshot(self) -> ConsistentSnapshot | None:
        """Return a state of a search that goes on; None if it ends meanwhile. For ``poll``.

        Every member takes its own state at a moment of its own, between two slices, and goes on at
        once, while no work changes hands. Together these states, and the work of failed devices
        that no member has taken up, are a state that the search could have been in.
        """
        team = self.team
        with team.changed:
            team.snapshot_running = True
            for member in team.members:
                member.state = None
        for member in team.members:
            if not member.idle:
                member.explorer.interrupt()
        try:
            with team.changed:
                # Work that was on its way makes its receiver one of those at work before the
                # victim takes its state, so nothing is missed.
                team.changed.wait_for(
                    lambda: team.stopping or all(m.idle or m.state for m in team.members)
                )
                if team.stopping:
                    return None
                states = [
                    m.state if m.state is not None and m.failed is None else m.current_state()
                    for m in team.members
                ]
                return self._sum_up(states, team.orphaned_work.copy())
        finally:
            with team.changed:
                team.snapshot_running = False
                team.changed.notify_all()

    def final_snapshot(self) -> ConsistentSnapshot:
        """Return the state when no thread runs; without what a failed device may have left."""
        states = [member.current_state() for member in self.members]
        return self._sum_up(states, self.team.orphaned_work)

    def _sum_up(
        self, states: Sequence[MemberState], orphaned: Sequence[Work]
    ) -> ConsistentSnapshot:
        parts = [part for state in states for part in state.work]
        return ConsistentSnapshot(
            work=self.space.join([*parts, *orphaned]),
            fathomed=sum(state.fathomed for state in states),
            nodes=sum(state.nodes for state in states),
            leaves=sum(state.leaves for state in states),
            held_s=max(state.held_s for state in states),
        )

    def bound(self) -> int | None:
        """Return the least bound over everything open, or None if a device cannot tell.

        Call it when no thread runs.
        """
        if self.team.orphaned_work or self.team.in_doubt:
            return None
        return least_bound([m.explorer.bound() for m in self.members if not m.idle])

    def _distribute(self, work: Work) -> None:
        """Share the work among the strongest members, in turn; the others will ask for it."""
        alive = [member for member in self.members if member.failed is None]
        power = max(member.explorer.power for member in alive)
        strongest = [m for m in alive if m.explorer.power == power]
        parts = self.space.distribute(work, len(strongest))
        shares = [(m, part) for m, part in zip(strongest, parts, strict=True) if len(part)]
        for member, _ in shares:
            member.idle, member.bound = False, None
        self.team.begin()
        for member, part in shares:
            try:
                member.load(part)
            except DeviceError as failure:
                self.team.lose(member, failure)

    def _any_running(self) -> bool:
        """Return whether a thread runs, or can be started to take up what another left."""
        if any(job.running for job in self._jobs.values()):
            return True
        self._start_threads()
        return any(job.running for job in self._jobs.values())

    def _start_threads(self) -> None:
        """Start the members that have work or may ask for some by now, the strongest first.

        A core beside a GPU is not even started before it may take part, so that it costs a short
        search nothing.
        """
        alive = [member for member in self.members if member.failed is None]
        if not alive:
            return
        strongest = max(alive, key=lambda m: m.explorer.power)
        team, selector = self.team, self._selector
        early = team.elapsed < self._tuning.weak_delay_s or selector.in_reserve()
        early = early and not team.orphaned_work
        for i, member in sorted(enumerate(self.members), key=lambda m: -m[1].explorer.power):
            if i in self._jobs or member.failed is not None:
                continue
            if early and member.idle and selector.is_weak(member, strongest):
                continue
            self._jobs[i] = start_task(self._drive, member)

    def _drive(self, member: Member) -> None:
        """Drive one explorer until the search is over; runs in the explorer's thread."""
        team, tuning = self.team, self._tuning
        try:
            working = not member.idle
            seconds = tuning.first_slice_s
            while not team.stopping:
                if not working and self._stealing.obtain(member) is not WorkRequest.ITEM:
                    break
                self._show_state(member)
                spare = member.last_slice.has_spare_work
                short = not spare and self._selector.is_awaited(member)
                member.in_short_slice = short
                done = member.explorer.explore(
                    self.incumbent, tuning.short_slice_s if short else seconds
                )
                if not short:
                    seconds = min(tuning.longest_slice_s, 2 * seconds)
                member.count(done)
                working = not done.exhausted
                if working:
                    self._show_state(member)
                    self._stealing.serve(member)
                else:
                    self._retire(member)
        except DeviceError as failure:
            team.lose(member, failure)
        except BaseException as error:
            team.stop(error)

    def _show_state(self, member: Member) -> None:
        """Add a member to a snapshot under way; in its own thread, between two slices."""
        if self.team.snapshot_running and member.state is None:
            state = member.current_state()
            with self.team.changed:
                member.state = state
                self.team.changed.notify_all()

    def _retire(self, member: Member) -> None:
        """Note that a member has no work, and refuse all that asked it for some."""
        with self.team.changed:
            if self.team.snapshot_running and member.state is None:
                member.state = member.current_state()
            member.become_idle()
            self.team.withdraw(member)

    def _sample(self) -> None:
        elapsed = self.team.elapsed
        self.recorder.note(
            elapsed,
            [
                (m.nodes, m.steals, m.last_slice.active, m.idle_time)
                if i in self._jobs
                else (0, 0, 0, elapsed)
                for i, m in enumerate(self.members)
            ],
        )
