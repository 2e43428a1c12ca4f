"""How work moves between the members of a team, and how the team knows that it is done.

A member that runs dry asks another one for a part of its work (Gmys et al. 2017, section 3.5).
Requests are served by the victim's own thread, when its explorer pauses; a request interrupts it.
Nobody asks a member that has nothing to spare: whoever is hungry waits until somebody has, so that
neither the first milliseconds nor the last ones go into moving crumbs. The search is over when
every member is idle.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from time import perf_counter, sleep

from prunus.errors import DeviceError
from prunus.treesearch.member import Member, Sight
from prunus.treesearch.policy import Policy, is_weak, may_ask, share
from prunus.treesearch.work import Work

__all__ = ["Exchange"]

SOON, LATER = 0.0002, 0.005
"""Seconds that a thief waits after a refusal: the first time, at most."""

CRUMBS = 0.002
"""Work that lasted a GPU for less than so many seconds was hardly worth asking for."""

LULL = 0.001, 0.008
"""Seconds during which nobody asks the giver of such crumbs: the first time, at most."""

DOZE, LONG_DOZE = 0.01, 0.1
"""Seconds between two looks around of a member that nobody wakes; of a weak one."""


class Exchange:
    """What the threads of a team share.

    Parameters
    ----------
    members
        All members.
    policy
        Who gets how much from whom.
    seed
        Seed of the choice of victims.

    Attributes
    ----------
    stopping
        Every thread ends as soon as it can.
    running
        Members with work, or with some on its way.
    orphans
        Work of a device that failed, which waits for somebody to take it up.
    failures
        Sentences about devices that failed.
    in_doubt
        A device failed and nobody knows what it has left open.
    error
        What ended the search, if something went wrong.
    """

    def __init__(self, members: Sequence[Member], policy: Policy, seed: int) -> None:
        self.stopping = False
        self.running = 0
        self.orphans: list[Work] = []
        self.failures: list[str] = []
        self.in_doubt = False
        self.error: BaseException | None = None
        self._members = members
        self._policy = policy
        self._random = random.Random(seed)
        self._changed = threading.Condition()
        self._surveying = False
        self._start = 0.0

    def begin(self) -> None:
        """Note that a search begins with whoever has work; the first one starts the clock."""
        self._start = self._start or perf_counter()
        self.stopping = False
        self.running = sum(not member.idle for member in self._members)

    @property
    def elapsed(self) -> float:
        """Seconds since the search began."""
        return perf_counter() - self._start

    def wanted_from(self, member: Member) -> bool:
        """Return whether others wait for this member to have something to spare."""
        return self._policy is not Policy.NONE and any(
            m.idle and m.failed is None and not is_weak(self._policy, m, member)
            for m in self._members
            if m is not member
        )

    def obtain(self, member: Member) -> bool:
        """Get work from somebody; return False when there is none and never will be."""
        start = perf_counter()
        self._judge(member, start)
        woken = False
        pause = SOON
        try:
            while True:
                with self._changed:
                    if self.stopping:
                        return False
                    if self.orphans and not self._surveying:
                        self._adopt(member)
                        return True
                    if self.running == 0 and not self.orphans:
                        return False
                    if self._policy is Policy.NONE and not (self.orphans or self._may_fail()):
                        return False
                    victim = self._victim(member)
                    if victim is None:
                        if not woken:
                            self._wake_up_for(member)
                            woken = True
                        self._changed.wait(self._doze(member))
                        continue
                    victim.requests.append(member)
                victim.explorer.interrupt()
                part = member.inbox.get()
                if part is not None:
                    member.load(part)
                    member.steals += 1
                    member.last_loot = perf_counter()
                    return True
                sleep(pause)
                pause = min(2 * pause, LATER)
        finally:
            member.idle_time += perf_counter() - start

    def serve(self, member: Member) -> None:
        """Answer all requests with a part of the member's work, or nothing."""
        gifts: list[tuple[Member, Work | None]] = []
        try:
            while member.requests and not self._surveying:
                thief = member.requests.popleft()
                gifts.append((thief, None))
                fraction = share(self._policy, thief, member, list(member.requests))
                gifts[-1] = thief, member.give(fraction)
        finally:
            # All at once: a thief that is at work already would hold up its giver. And whatever
            # happens to the giver, whoever asked gets an answer.
            with self._changed:
                for thief, part in gifts:
                    self._hand_over(part, member, thief)
        if member.report.can_give and self.wanted_from(member):
            with self._changed:
                self._changed.notify_all()

    def _hand_over(self, part: Work | None, giver: Member, thief: Member) -> None:
        if part is not None and len(part):
            thief.idle = False
            thief.giver = giver
            self.running += 1
            giver.last_gift = self.elapsed
            thief.inbox.put(part)
        else:
            thief.inbox.put(None)

    def retire(self, member: Member) -> None:
        """Note that a member has no work, and turn down whoever asked it for some."""
        with self._changed:
            if self._surveying and member.sight is None:
                member.sight = member.look()
            member.rest()
            self.running -= 1
            self._turn_down(member)
            self._changed.notify_all()

    def lose(self, member: Member, failure: DeviceError) -> None:
        """Leave a failed device behind; its last known work waits for somebody to take it up.

        If what it has done and given away since then is not known, or nobody is left, the search
        ends with the failure.
        """
        with self._changed:
            known = member.fail(str(failure))
            alone = all(m.failed is not None for m in self._members)
            if known is not None:
                self.orphans += known
            self.in_doubt = known is None
            if self.in_doubt or alone:
                self.failures.append(str(failure))
                self.error = failure
                self._end()
            else:
                name = member.explorer.name
                self.failures.append(f"{failure}; the search goes on without {name}")
            member.idle = True
            self.running -= 1
            self._turn_down(member)
            self._changed.notify_all()

    def stop(self, error: BaseException | None = None) -> None:
        """Make every thread end soon."""
        with self._changed:
            self.error = self.error or error
            self._end()
            self._changed.notify_all()

    def survey(self) -> tuple[list[Sight], list[Work]] | None:
        """Have every member take a ``sight`` of itself while no work changes hands.

        Each does so at a moment of its own and goes on at once; together the sights, and the work
        of failed devices that nobody has taken up, are a state that the search could have been
        in. Returns None if the search ends meanwhile.
        """
        with self._changed:
            self._surveying = True
            for member in self._members:
                member.sight = None
        for member in self._members:
            if not member.idle:
                member.explorer.interrupt()
        try:
            with self._changed:
                # A gift that was on its way makes its receiver one of those at work before its
                # giver takes a sight, so nothing is missed.
                self._changed.wait_for(
                    lambda: self.stopping or all(m.idle or m.sight for m in self._members)
                )
                if self.stopping:
                    return None
                sights = [
                    m.sight if m.sight is not None and m.failed is None else m.look()
                    for m in self._members
                ]
                return sights, self.orphans.copy()
        finally:
            with self._changed:
                self._surveying = False
                self._changed.notify_all()

    def show(self, member: Member) -> None:
        """Take a sight of a member if there is a survey; in its own thread, between slices."""
        if self._surveying and member.sight is None:
            sight = member.look()
            with self._changed:
                member.sight = sight
                self._changed.notify_all()

    def keep_delivered(self) -> None:
        """Load what was on its way when the search was stopped, so that it stays open."""
        for member in self._members:
            while not member.inbox.empty():
                part = member.inbox.get()
                if part is not None:
                    member.load(part)
            member.requests.clear()

    def _end(self) -> None:
        self.stopping = True
        for member in self._members:
            member.inbox.put(None)
            member.explorer.interrupt()

    def _turn_down(self, member: Member) -> None:
        while member.requests:
            member.requests.popleft().inbox.put(None)

    def _victim(self, member: Member) -> Member | None:
        """Choose somebody to ask: by our policy who has most to spare, else at random."""
        if self._surveying or self._policy is Policy.NONE:
            return None
        elapsed, now = self.elapsed, perf_counter()
        victims = [
            m
            for m in self._members
            if not m.idle
            and m.report.can_give
            and m.quiet_until < now
            and may_ask(self._policy, member, m, elapsed)
        ]
        if self._policy is Policy.POWER and victims:
            most = max(m.report.spare for m in victims)
            victims = [m for m in victims if m.report.spare == most]
        return self._random.choice(victims) if victims else None

    def _judge(self, member: Member, now: float) -> None:
        """Leave the giver alone for a while if what a GPU got was soon gone: its end is near."""
        giver = member.giver
        if giver is None or min(member.explorer.power, giver.explorer.power) <= 1:
            return
        if now - member.last_loot < CRUMBS:
            giver.lull = min(LULL[1], max(LULL[0], 2 * giver.lull))
            giver.quiet_until = now + giver.lull
        else:
            giver.lull = 0.0

    def _doze(self, member: Member) -> float:
        """Return the seconds until a member that found nobody to ask looks around again."""
        wait = DOZE if member.explorer.power > 1 else LONG_DOZE
        now = perf_counter()
        quiet = [m.quiet_until - now for m in self._members if not m.idle and m.quiet_until > now]
        return min([wait, *quiet])

    def _wake_up_for(self, member: Member) -> None:
        """Have everybody at work look whether there is something to spare by now."""
        if self._surveying or self._policy is Policy.NONE:
            return
        for other in self._members:
            if not (other.idle or other.brief or is_weak(self._policy, member, other)):
                other.explorer.interrupt()

    def _adopt(self, member: Member) -> None:
        """Take up the work of a device that failed."""
        parts = self.orphans.copy()
        self.orphans.clear()
        self.running += 1
        member.idle = False
        member.load(*parts)

    def _may_fail(self) -> bool:
        """Return whether a device at work might leave its work behind."""
        return any(not m.idle and not m.explorer.reliable for m in self._members)
