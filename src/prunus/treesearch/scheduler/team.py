"""All devices of one machine on one tree.

One host thread drives each explorer (``drive``). How work moves between them is in ``exchange``,
who is at work and who has failed in ``standing``, how all are looked at in ``surveyor``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from time import perf_counter

from prunus.errors import DeviceError
from prunus.hardware.crew import Job, start
from prunus.runtime import clock
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.trace import Recorder
from prunus.treesearch.interval.work import Bundle
from prunus.treesearch.model import Explorer, Work
from prunus.treesearch.options import StealingPolicy
from prunus.treesearch.scheduler.deal import deal
from prunus.treesearch.scheduler.drive import drive
from prunus.treesearch.scheduler.exchange import Exchange
from prunus.treesearch.scheduler.member import Member, Sight
from prunus.treesearch.scheduler.shares import PATIENCE, in_reserve, is_weak
from prunus.treesearch.scheduler.snapshot import Snapshot, Survey
from prunus.treesearch.scheduler.standing import Standing
from prunus.treesearch.scheduler.surveyor import Surveyor

__all__ = ["Team"]

FIRST_LOOK = 0.004
"""Seconds until the caller is first told how things stand; then ever longer, up to its wish."""


class Team:
    """Explorers that search one tree together.

    Parameters
    ----------
    explorers
        The devices, at least one.
    incumbent
        The best solution known; improved in place.
    seed
        Seed of the choice of victims.
    policy
        Who gets how much from whom.

    Attributes
    ----------
    members
        The explorers with their figures.
    recorder
        Samples over time.
    """

    def __init__(
        self,
        explorers: Sequence[Explorer],
        incumbent: Incumbent,
        *,
        seed: int = 0,
        policy: StealingPolicy = StealingPolicy.POWER,
    ) -> None:
        self.members = [Member(explorer) for explorer in explorers]
        self.incumbent = incumbent
        self.recorder = Recorder(tuple(explorer.name for explorer in explorers))
        self._policy = policy
        self._standing = Standing(self.members)
        self._exchange = Exchange(self._standing, policy, seed)
        self._surveyor = Surveyor(self._standing)
        self._jobs: dict[int, Job] = {}

    @property
    def failures(self) -> list[str]:
        """Sentences about devices that failed."""
        return self._standing.failures

    @property
    def in_doubt(self) -> bool:
        """Whether a device failed and nobody knows what it has left open: ``state`` lacks that."""
        return self._standing.in_doubt

    def run(
        self,
        intervals: Work,
        look: Callable[[Snapshot], bool] | None = None,
        every: float = 0.12,
        until: float = math.inf,
    ) -> bool:
        """Search the intervals until nothing is open, ``look`` returns True, or it is time.

        Parameters
        ----------
        intervals
            The work: whole, or what an earlier run left open. The strongest members share it.
        look
            Called in this thread, about once every ``every`` seconds.
        until
            When to stop, by ``clock``.

        Returns
        -------
        bool
            True if nothing is left open.

        Raises
        ------
        KeyboardInterrupt
            After all explorers have stopped; what they have not done is still in ``state``.
        DeviceError
            If the last device failed.
        """
        standing = self._standing
        self._distribute(intervals)
        self._jobs.clear()
        try:
            pace = min(every, FIRST_LOOK)
            self._start_threads()
            while self._alive():
                end = perf_counter() + min(pace, max(0.0, until - clock.seconds()))
                pace = min(every, 2 * pace)
                for job in self._jobs.values():
                    job.join(max(0.0, end - perf_counter()))
                self._note()
                self._start_threads()
                if clock.seconds() >= until or (look is not None and look(self.snapshot())):
                    break
        finally:
            standing.stop()
            for job in self._jobs.values():
                job.join()
            standing.keep_delivered()
        self._note()
        if standing.error is not None:
            raise standing.error
        return self.complete

    def stop(self) -> None:
        """Make a run end soon; may be called by any thread."""
        self._standing.stop()

    @property
    def complete(self) -> bool:
        """Whether nothing is left open; ask when nothing moves."""
        standing = self._standing
        return not (standing.running or standing.orphans or self.in_doubt)

    def clear(self) -> None:
        """Forget everything open, for another search of the same tree; when nothing moves."""
        self._standing.orphans.clear()
        for member in self.members:
            member.clear()

    @property
    def may_go_back(self) -> bool:
        """Whether a device may fail while others go on."""
        alive = [member for member in self.members if member.failed is None]
        return len(alive) > 1 and not all(member.explorer.reliable for member in alive)

    def go_back(self) -> bool:
        """Forget all open work after a failure that left doubt; return whether anybody is left."""
        return self._standing.go_back()

    def snapshot(self) -> Snapshot:
        """Return the team's figures at this moment."""
        reports = [member.report for member in self.members]
        known = [r.remaining for r in reports if not math.isnan(r.remaining)]
        return Snapshot(
            nodes=sum(member.nodes for member in self.members),
            leaves=sum(member.leaves for member in self.members),
            active=sum(report.active for report in reports),
            explorers=sum(report.explorers for report in reports),
            steals=sum(member.steals for member in self.members),
            remaining=min(1.0, sum(known)) if known else 1.0,
        )

    def survey(self) -> Survey | None:
        """Return the state of a search that goes on; None if it ends meanwhile. For ``look``."""
        seen = self._surveyor.survey()
        return None if seen is None else self._sum_up(*seen)

    def state(self) -> Survey:
        """Return the state when nothing moves."""
        return self._sum_up([member.look() for member in self.members], self._standing.orphans)

    def _sum_up(self, sights: Sequence[Sight], orphans: Sequence[Work]) -> Survey:
        levels = len(self.members[0].explorer.radix)
        parts = [part for sight in sights for part in sight.work]
        return Survey(
            work=Bundle(levels, [*parts, *orphans]),
            explored=sum(sight.explored for sight in sights),
            nodes=sum(sight.nodes for sight in sights),
            leaves=sum(sight.leaves for sight in sights),
            held=max(sight.seconds for sight in sights),
        )

    def bound(self) -> int | None:
        """Return the least bound over everything open, or None if a device cannot tell.

        Call it when nothing moves.
        """
        least: int | None = None
        if self._standing.orphans or self.in_doubt:
            return None
        for member in self.members:
            if member.idle:
                continue
            bound = member.explorer.bound()
            if bound is None:
                return None
            least = bound if least is None else min(least, bound)
        return least

    def _distribute(self, intervals: Work) -> None:
        """Share the work among the strongest members, in turn; the others will ask for it."""
        alive = [member for member in self.members if member.failed is None]
        power = max(member.explorer.power for member in alive)
        strongest = [m for m in alive if m.explorer.power == power]
        parts = deal(intervals, len(strongest), strongest[0].explorer.radix)
        shares = [(m, part) for m, part in zip(strongest, parts, strict=True) if len(part)]
        for member, _ in shares:
            member.idle = False
        self._standing.begin()
        for member, part in shares:
            try:
                member.load(part)
            except DeviceError as failure:
                self._standing.lose(member, failure)

    def _alive(self) -> bool:
        """Return whether a thread is at work, or can be started to take up what another left."""
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
        standing = self._standing
        early = standing.elapsed < PATIENCE or in_reserve(self._policy, self.members)
        early = early and not standing.orphans
        for i, member in sorted(enumerate(self.members), key=lambda m: -m[1].explorer.power):
            if i in self._jobs or member.failed is not None:
                continue
            if early and member.idle and is_weak(self._policy, member, strongest):
                continue
            self._jobs[i] = start(
                drive, member, standing, self._exchange, self._surveyor, self.incumbent
            )

    def _note(self) -> None:
        elapsed = self._standing.elapsed
        self.recorder.note(
            elapsed,
            [
                (m.nodes, m.steals, m.report.active, m.idle_time)
                if i in self._jobs
                else (0, 0, 0, elapsed)
                for i, m in enumerate(self.members)
            ],
        )
