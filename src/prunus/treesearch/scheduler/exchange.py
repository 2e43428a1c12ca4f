"""How work moves between the members of a team, and how the team knows that it is done.

A member that runs dry asks another one for a part of its work (Gmys et al. 2017, section 3.5).
Requests are served by the victim's own thread, when its explorer pauses; a request interrupts it.
The search is over when every member is idle.
"""

from __future__ import annotations

from time import sleep

from prunus.runtime import clock
from prunus.treesearch.model import Work
from prunus.treesearch.options import StealingPolicy
from prunus.treesearch.scheduler.asking import Asking
from prunus.treesearch.scheduler.member import Member
from prunus.treesearch.scheduler.shares import share
from prunus.treesearch.scheduler.standing import Standing

__all__ = ["Exchange"]

SOON, LATER = 0.0002, 0.005
"""Seconds that a thief waits after a refusal: the first time, at most."""


class Exchange:
    """Moves work between members.

    Parameters
    ----------
    standing
        Of the team.
    policy
        Who gets how much from whom.
    seed
        Seed of the choice of victims.
    """

    def __init__(self, standing: Standing, policy: StealingPolicy, seed: int) -> None:
        self._standing = standing
        self._policy = policy
        self._asking = Asking(standing, policy, seed)

    def wanted_from(self, member: Member) -> bool:
        """Return whether others wait for this member to have something to spare."""
        return self._asking.wanted_from(member)

    def obtain(self, member: Member) -> bool:
        """Get work from somebody; return False when there is none and never will be."""
        start = clock.seconds()
        standing, asking = self._standing, self._asking
        woken = False
        pause = SOON
        try:
            while True:
                with standing.changed:
                    if standing.stopping:
                        return False
                    if standing.orphans and not standing.surveying:
                        standing.adopt(member)
                        return True
                    if self._is_over():
                        return False
                    victim = asking.victim(member)
                    if victim is None:
                        if not woken:
                            asking.wake_up_for(member)
                            woken = True
                        standing.changed.wait(asking.doze(member))
                        continue
                    victim.requests.append(member)
                victim.explorer.interrupt()
                part = member.inbox.get()
                if part is not None:
                    member.load(part)
                    member.steals += 1
                    return True
                sleep(pause)
                pause = min(2 * pause, LATER)
        finally:
            member.idle_time += clock.seconds() - start

    def _is_over(self) -> bool:
        """Return whether a member without work will never get any."""
        standing = self._standing
        if standing.orphans:
            return False
        if standing.running == 0:
            return True
        return self._policy is StealingPolicy.NONE and not standing.may_fail()

    def serve(self, member: Member) -> None:
        """Answer all requests with a part of the member's work, or nothing."""
        standing = self._standing
        gifts: list[tuple[Member, Work | None]] = []
        try:
            while member.requests and not standing.surveying:
                thief = member.requests.popleft()
                gifts.append((thief, None))
                fraction = share(self._policy, thief, member, list(member.requests))
                gifts[-1] = thief, member.give(fraction)
        finally:
            # All at once: a thief that is at work already would hold up its giver. And whatever
            # happens to the giver, whoever asked gets an answer.
            with standing.changed:
                for thief, part in gifts:
                    self._hand_over(part, member, thief)
        if member.report.can_give and self.wanted_from(member):
            with standing.changed:
                standing.changed.notify_all()

    def _hand_over(self, part: Work | None, giver: Member, thief: Member) -> None:
        if part is not None and len(part):
            thief.idle = False
            self._standing.running += 1
            giver.last_gift = self._standing.elapsed
            thief.inbox.put(part)
        else:
            thief.inbox.put(None)
