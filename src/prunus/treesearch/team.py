"""All devices of one machine on one tree: stealing, the shared incumbent, termination.

One host thread drives each explorer. A thread whose explorer runs dry asks random victims for a
part of their work: half an interval between equals, a smaller share of a stronger victim's for a
weaker thief (Gmys et al. 2017, section 3.5). Requests are served by the victim's own thread, when
its explorer pauses; a request interrupts it. The search is over when every thread is idle.
"""

from __future__ import annotations

import math
import random
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from queue import SimpleQueue
from time import perf_counter, sleep

from prunus.treesearch.explorer import Explorer, Incumbent, Report
from prunus.treesearch.interval import Intervals

__all__ = ["Member", "Snapshot", "Team"]

SLICE = 0.03
"""Seconds between two looks of a thread at the outside world, unless a request interrupts."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of the whole team at one moment."""

    nodes: int
    leaves: int
    active: int
    explorers: int
    steals: int
    remaining: float


@dataclass(eq=False)
class Member:
    """An explorer, its thread's bookkeeping and its figures."""

    explorer: Explorer
    idle: bool = True
    nodes: int = 0
    leaves: int = 0
    steals: int = 0
    steals_inside: int = 0
    idle_time: float = 0.0
    report: Report = field(default_factory=lambda: Report(0, 0, 0, 1, exhausted=True))
    requests: deque[Member] = field(default_factory=deque)
    inbox: SimpleQueue[Intervals | None] = field(default_factory=SimpleQueue)


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
    stealing
        False leaves every explorer alone with what it was given.
    """

    def __init__(
        self,
        explorers: Sequence[Explorer],
        incumbent: Incumbent,
        *,
        seed: int = 0,
        stealing: bool = True,
    ) -> None:
        self.members = [Member(explorer) for explorer in explorers]
        self.incumbent = incumbent
        self._stealing = stealing and len(self.members) > 1
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._stopping = False
        self._running = 0
        self._failure: BaseException | None = None

    def run(
        self,
        intervals: Intervals,
        look: Callable[[Snapshot], bool] | None = None,
        every: float = 0.12,
    ) -> bool:
        """Search the intervals until nothing is open or ``look`` returns True.

        Parameters
        ----------
        intervals
            The work: whole, or what an earlier run left open. The members take turns.
        look
            Called in this thread, about once every ``every`` seconds.

        Returns
        -------
        bool
            True if nothing is left open.

        Raises
        ------
        KeyboardInterrupt
            After all explorers have stopped; what they have not done is still in ``open``.
        """
        for i in range(len(intervals)):
            member = self.members[i % len(self.members)]
            member.explorer.load(intervals[i : i + 1])
            member.idle = False
        self._stopping = False
        self._running = sum(not member.idle for member in self.members)
        threads = [
            threading.Thread(target=self._work, args=(member,), daemon=True)
            for member in self.members
        ]
        for thread in threads:
            thread.start()
        try:
            while any(thread.is_alive() for thread in threads):
                end = perf_counter() + every
                for thread in threads:
                    thread.join(max(0.0, end - perf_counter()))
                if look is not None and look(self.snapshot()):
                    break
        finally:
            self._stop()
            for thread in threads:
                thread.join()
            self._keep_delivered()
        if self._failure is not None:
            raise self._failure
        return len(self.open()) == 0

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

    def open(self) -> Intervals:
        """Return everything that is left to explore; call it when the search is not running."""
        return Intervals.concatenate([member.explorer.open() for member in self.members])

    def explored(self) -> int:
        """Return how many leaves have been passed, exactly."""
        return sum(member.explorer.explored() for member in self.members)

    def bound(self) -> int | None:
        """Return the least bound over everything open, or None if a device cannot tell.

        Call it when the search is not running.
        """
        least: int | None = None
        for member in self.members:
            if len(member.explorer.open()) == 0:
                continue
            bound = member.explorer.bound()
            if bound is None:
                return None
            least = bound if least is None else min(least, bound)
        return least

    def _stop(self) -> None:
        with self._lock:
            self._stopping = True
            for member in self.members:
                member.inbox.put(None)
        for member in self.members:
            member.explorer.interrupt()

    def _work(self, member: Member) -> None:
        """Drive one explorer until the search is over; runs in the explorer's thread."""
        try:
            working = not member.idle
            while not self._stopping:
                if not working:
                    working = self._steal(member)
                    if not working:
                        break
                report = member.explorer.explore(self.incumbent, SLICE)
                member.nodes += report.nodes
                member.leaves += report.leaves
                member.steals_inside += report.steals
                member.report = report
                working = not report.exhausted
                if working:
                    self._serve(member)
                else:
                    self._retire(member)
        except BaseException as failure:
            self._failure = failure
            self._stop()

    def _serve(self, member: Member) -> None:
        """Answer all requests with a part of the member's work, or nothing."""
        while member.requests:
            thief = member.requests.popleft()
            power = thief.explorer.power
            fraction = min(0.5, power / (power + member.explorer.power))
            part = member.explorer.split(fraction)
            with self._lock:
                if len(part):
                    thief.idle = False
                    self._running += 1
                thief.inbox.put(part if len(part) else None)

    def _retire(self, member: Member) -> None:
        """Note that a member has no work, and turn down whoever asked it for some."""
        with self._lock:
            member.idle = True
            self._running -= 1
            while member.requests:
                member.requests.popleft().inbox.put(None)

    def _steal(self, member: Member) -> bool:
        """Get work from somebody; return False when there is none and never will be."""
        start = perf_counter()
        pause = 0.0002
        try:
            while True:
                with self._lock:
                    if self._stopping or self._running == 0 or not self._stealing:
                        return False
                    victims = [m for m in self.members if not m.idle]
                    victim = self._random.choice(victims)
                    victim.requests.append(member)
                victim.explorer.interrupt()
                part = member.inbox.get()
                if part is not None:
                    member.explorer.load(part)
                    member.steals += 1
                    return True
                sleep(pause)
                pause = min(2 * pause, 0.005)
        finally:
            member.idle_time += perf_counter() - start

    def _keep_delivered(self) -> None:
        """Load what was on its way when the search was stopped, so that it stays open."""
        for member in self.members:
            while not member.inbox.empty():
                part = member.inbox.get()
                if part is not None:
                    member.explorer.load(part)
            member.requests.clear()
