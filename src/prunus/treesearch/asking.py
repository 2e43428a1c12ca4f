"""Whom a member without work asks for some, and when.

Nobody asks a member that has nothing to spare: whoever is hungry waits until somebody has, so that
neither the first milliseconds nor the last ones go into moving crumbs.
"""

from __future__ import annotations

import random
from time import perf_counter

from prunus.treesearch.member import Member
from prunus.treesearch.policy import Policy, is_weak, may_ask
from prunus.treesearch.standing import Standing

__all__ = ["Asking"]

FULLEST = True
"""By our policy the member with most open entries is asked; else one at random."""

CRUMBS = 0.002
"""Work that lasted a GPU for less than so many seconds was hardly worth asking for."""

LULL = 0.001, 0.008
"""Seconds during which nobody asks the giver of such crumbs: the first time, at most."""

DOZE, LONG_DOZE = 0.01, 0.1
"""Seconds between two looks around of a member that nobody wakes; of a weak one."""


class Asking:
    """Chooses victims.

    Parameters
    ----------
    standing
        Of the team.
    policy
        Who may ask whom.
    seed
        Seed of the choice.
    """

    def __init__(self, standing: Standing, policy: Policy, seed: int) -> None:
        self._standing = standing
        self._policy = policy
        self._random = random.Random(seed)

    def wanted_from(self, member: Member) -> bool:
        """Return whether others wait for this member to have something to spare."""
        return self._policy is not Policy.NONE and any(
            m.idle and m.failed is None and not is_weak(self._policy, m, member)
            for m in self._standing.members
            if m is not member
        )

    def victim(self, member: Member) -> Member | None:
        """Choose somebody to ask: by our policy who has most to spare, else at random."""
        if self._standing.surveying or self._policy is Policy.NONE:
            return None
        elapsed, now = self._standing.elapsed, perf_counter()
        victims = [
            m
            for m in self._standing.members
            if not m.idle
            and m.report.can_give
            and m.quiet_until < now
            and may_ask(self._policy, member, m, elapsed)
        ]
        if FULLEST and self._policy is Policy.POWER and victims:
            most = max(m.report.spare for m in victims)
            victims = [m for m in victims if m.report.spare == most]
        return self._random.choice(victims) if victims else None

    def judge(self, member: Member, now: float) -> None:
        """Leave the giver alone for a while if what a GPU got was soon gone: its end is near."""
        giver = member.giver
        if giver is None or min(member.explorer.power, giver.explorer.power) <= 1:
            return
        if now - member.last_loot < CRUMBS:
            giver.lull = min(LULL[1], max(LULL[0], 2 * giver.lull))
            giver.quiet_until = now + giver.lull
        else:
            giver.lull = 0.0

    def doze(self, member: Member) -> float:
        """Return the seconds until a member that found nobody to ask looks around again."""
        wait = DOZE if member.explorer.power > 1 else LONG_DOZE
        now = perf_counter()
        members = self._standing.members
        quiet = [m.quiet_until - now for m in members if not m.idle and m.quiet_until > now]
        return min([wait, *quiet])

    def wake_up_for(self, member: Member) -> None:
        """Have everybody at work look whether there is something to spare by now."""
        if self._standing.surveying or self._policy is Policy.NONE:
            return
        for other in self._standing.members:
            if not (other.idle or other.brief or is_weak(self._policy, member, other)):
                other.explorer.interrupt()
