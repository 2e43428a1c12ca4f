"""All devices of one machine on one tree: stealing, the shared incumbent, termination.

One host thread drives each explorer. A thread whose explorer runs dry asks random victims for a
part of their work (Gmys et al. 2017, section 3.5); how much it gets is the policy's. Requests are
served by the victim's own thread, when its explorer pauses; a request interrupts it. The search is
over when every thread is idle.
"""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter, sleep

from prunus.errors import DeviceError
from prunus.incumbent import Incumbent
from prunus.trace import Recorder
from prunus.treesearch.explorer import Explorer
from prunus.treesearch.interval import Intervals
from prunus.treesearch.member import Member
from prunus.treesearch.policy import Policy, may_ask, share

__all__ = ["Snapshot", "Team"]

SHORTEST, LONGEST = 0.001, 0.03
"""Seconds between two looks of a thread at the outside world, unless a request interrupts.

They are short while others ask for work, at the beginning and at the end, and grow in between.
"""

FIRST_LOOK = 0.004
"""Seconds until the caller is first told how things stand; then ever longer, up to its wish."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of the whole team at one moment."""

    nodes: int
    leaves: int
    active: int
    explorers: int
    steals: int
    remaining: float


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
    failures
        Sentences about devices that failed.
    in_doubt
        A device failed and nobody knows what it has left open: what ``look`` returns is not all.
    recorder
        Samples over time.
    """

    def __init__(
        self,
        explorers: Sequence[Explorer],
        incumbent: Incumbent,
        *,
        seed: int = 0,
        policy: Policy = Policy.POWER,
    ) -> None:
        self.members = [Member(explorer) for explorer in explorers]
        self.incumbent = incumbent
        self.failures: list[str] = []
        self.in_doubt = False
        self.recorder = Recorder(tuple(explorer.name for explorer in explorers))
        self._policy = policy
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._stopping = False
        self._pausing = False
        self._parked = 0
        self._running = 0
        self._orphans: list[Intervals] = []
        self._error: BaseException | None = None
        self._start = 0.0

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
            The work: whole, or what an earlier run left open. The strongest members share it.
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
        DeviceError
            If the last device failed.
        """
        self._distribute(intervals)
        self._start = self._start or perf_counter()
        self._stopping = False
        self._running = sum(not member.idle for member in self.members)
        threads = [
            threading.Thread(target=self._work, args=(member,), daemon=True)
            for member in self.members
            if member.failed is None
        ]
        for thread in threads:
            thread.start()
        try:
            pace = min(every, FIRST_LOOK)
            while any(thread.is_alive() for thread in threads):
                end = perf_counter() + pace
                pace = min(every, 2 * pace)
                for thread in threads:
                    thread.join(max(0.0, end - perf_counter()))
                self._note()
                if look is not None and look(self.snapshot()):
                    break
        finally:
            self._stop()
            for thread in threads:
                thread.join()
            self._keep_delivered()
        self._note()
        if self._error is not None:
            raise self._error
        return self.complete

    @property
    def complete(self) -> bool:
        """Whether nothing is left open; ask when nothing moves."""
        return self._running == 0 and not self._orphans and not self.in_doubt

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Hold all explorers still, so that everything open can be looked at; for ``look``."""
        with self._lock:
            self._pausing = True
        for member in self.members:
            if not member.idle:
                member.explorer.interrupt()
        with self._changed:
            self._changed.wait_for(lambda: self._stopping or self._parked >= self._running)
        try:
            yield
        finally:
            with self._changed:
                self._pausing = False
                self._changed.notify_all()

    def clear(self) -> None:
        """Forget everything open, for another search of the same tree; when nothing moves."""
        self._orphans.clear()
        for member in self.members:
            member.clear()

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

    def look(self) -> tuple[Intervals, int]:
        """Return everything that is left to explore, and how many leaves have been passed, exactly.

        Call it when nothing moves.
        """
        seen = [member.look() for member in self.members]
        levels = len(self.members[0].explorer.radix)
        parts = [Intervals.empty(levels), *(work for work, _ in seen), *self._orphans]
        return Intervals.concatenate(parts), sum(explored for _, explored in seen)

    def open(self) -> Intervals:
        """Return everything that is left to explore; call it when nothing moves."""
        return self.look()[0]

    def explored(self) -> int:
        """Return how many leaves have been passed, exactly; call it when nothing moves."""
        return self.look()[1]

    def bound(self) -> int | None:
        """Return the least bound over everything open, or None if a device cannot tell.

        Call it when nothing moves.
        """
        least: int | None = None
        if self._orphans or self.in_doubt:
            return None
        for member in self.members:
            if member.idle:
                continue
            bound = member.explorer.bound()
            if bound is None:
                return None
            least = bound if least is None else min(least, bound)
        return least

    def _distribute(self, intervals: Intervals) -> None:
        """Share the work among the strongest members, in turn; the others will ask for it."""
        alive = [member for member in self.members if member.failed is None]
        power = max(member.explorer.power for member in alive)
        strongest = [m for m in alive if m.explorer.power == power]
        radix = strongest[0].explorer.radix
        while self._policy is not Policy.NONE and 0 < len(intervals) < len(strongest):
            left, right = intervals.halve(radix)
            if len(right) == 0:
                break
            intervals = Intervals.concatenate([left, right])
        for i, member in enumerate(strongest):
            part = intervals[i :: len(strongest)]
            if len(part):
                member.load(part)
                member.idle = False

    def _note(self) -> None:
        self.recorder.note(
            perf_counter() - self._start,
            [(m.nodes, m.steals, m.report.active, m.idle_time) for m in self.members],
        )

    def _stop(self) -> None:
        with self._changed:
            self._stopping = True
            for member in self.members:
                member.inbox.put(None)
            self._changed.notify_all()
        for member in self.members:
            member.explorer.interrupt()

    def _work(self, member: Member) -> None:
        """Drive one explorer until the search is over; runs in the explorer's thread."""
        try:
            working = not member.idle
            seconds = SHORTEST
            while not self._stopping:
                if not working and not self._steal(member):
                    break
                try:
                    report = member.explorer.explore(self.incumbent, seconds)
                except DeviceError as failure:
                    self._lose(member, failure)
                    break
                member.add(report)
                working = not report.exhausted
                if working:
                    asked = self._serve(member)
                    seconds = max(SHORTEST, seconds / 4) if asked else min(LONGEST, seconds * 1.5)
                    self._park()
                else:
                    self._retire(member)
        except BaseException as error:
            self._error = error
            self._stop()

    def _park(self) -> None:
        """Wait while the team is paused."""
        if not self._pausing:
            return
        with self._changed:
            self._parked += 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._stopping or not self._pausing)
            self._parked -= 1

    def _serve(self, member: Member) -> bool:
        """Answer all requests with a part of the member's work, or nothing; say if there were."""
        asked = len(member.requests) > 0
        given = False
        while member.requests and not self._pausing:
            thief = member.requests.popleft()
            others = list(member.requests)
            part = member.give(share(self._policy, thief, member, others))
            given = given or len(part) > 0
            with self._lock:
                if len(part):
                    thief.idle = False
                    self._running += 1
                thief.inbox.put(part if len(part) else None)
        if given:
            member.last_gift = perf_counter() - self._start
        return asked

    def _retire(self, member: Member) -> None:
        """Note that a member has no work, and turn down whoever asked it for some."""
        with self._changed:
            member.rest()
            self._running -= 1
            self._turn_down(member)
            self._changed.notify_all()

    def _turn_down(self, member: Member) -> None:
        while member.requests:
            member.requests.popleft().inbox.put(None)

    def _lose(self, member: Member, failure: DeviceError) -> None:
        """Leave a failed device behind; its last known work waits for somebody to take it up.

        If what it has done and given away since then is not known, or nobody is left, the search
        ends with the failure.
        """
        with self._changed:
            known = member.fail(str(failure))
            alone = all(m.failed is not None for m in self.members)
            if known is not None:
                self._orphans += known
            self.in_doubt = known is None
            if self.in_doubt or alone:
                self.failures.append(str(failure))
                self._error = failure
                self._stopping = True
                for other in self.members:
                    other.inbox.put(None)
                    other.explorer.interrupt()
            else:
                name = member.explorer.name
                self.failures.append(f"{failure}; the search goes on without {name}")
            member.idle = True
            self._running -= 1
            self._turn_down(member)
            self._changed.notify_all()

    def _steal(self, member: Member) -> bool:
        """Get work from somebody; return False when there is none and never will be."""
        start = perf_counter()
        pause = 0.0002
        try:
            while True:
                with self._lock:
                    if self._stopping:
                        return False
                    if self._orphans and not self._pausing:
                        self._adopt(member)
                        return True
                    if self._running == 0 and not self._orphans:
                        return False
                    if self._policy is Policy.NONE and not self._may_fail():
                        return False
                    victim = self._victim(member)
                    if victim is not None:
                        victim.requests.append(member)
                if victim is not None:
                    victim.explorer.interrupt()
                    part = member.inbox.get()
                    if part is not None:
                        member.load(part)
                        member.steals += 1
                        return True
                sleep(pause)
                pause = min(2 * pause, 0.005)
        finally:
            member.idle_time += perf_counter() - start

    def _victim(self, member: Member) -> Member | None:
        """Choose somebody to ask, at random; nobody while the team is paused."""
        if self._pausing or self._policy is Policy.NONE:
            return None
        elapsed = perf_counter() - self._start
        victims = [
            m for m in self.members if not m.idle and may_ask(self._policy, member, m, elapsed)
        ]
        return self._random.choice(victims) if victims else None

    def _adopt(self, member: Member) -> None:
        """Take up the work of a device that failed."""
        for part in self._orphans:
            member.load(part)
        self._orphans.clear()
        self._running += 1
        member.idle = False

    def _may_fail(self) -> bool:
        """Return whether a device at work might leave its work behind."""
        return any(not m.idle and not m.explorer.reliable for m in self.members)

    def _keep_delivered(self) -> None:
        """Load what was on its way when the search was stopped, so that it stays open."""
        for member in self.members:
            while not member.inbox.empty():
                part = member.inbox.get()
                if part is not None:
                    member.load(part)
            member.requests.clear()
