"""Whom a member without work asks for some, and when.

Nobody asks a member that has nothing to spare: whoever is hungry waits until somebody has, so that
neither the first milliseconds nor the last ones go into moving crumbs.
"""

from __future__ import annotations

import random

from prunus.treesearch.options import StealingPolicy
from prunus.treesearch.scheduler.member import Member
from prunus.treesearch.scheduler.shares import is_weak, may_ask
from prunus.treesearch.scheduler.standing import Standing

__all__ = ["Asking"]

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

    def __init__(self, standing: Standing, policy: StealingPolicy, seed: int) -> None:
        self._standing = standing
        self._policy = policy
        self._random = random.Random(seed)

    def wanted_from(self, member: Member) -> bool:
        """Return whether others wait for this member to have something to spare."""
        return self._policy is not StealingPolicy.NONE and any(
            m.idle and m.failed is None and not is_weak(self._policy, m, member)
            for m in self._standing.members
            if m is not member
        )

    def victim(self, member: Member) -> Member | None:
        """Choose somebody to ask, at random (Gmys et al. 2017).

        Asking who has most open nodes was no faster, as most nodes are not most work.
        """
        if self._standing.surveying or self._policy is StealingPolicy.NONE:
            return None
        elapsed = self._standing.elapsed
        victims = [
            m
            for m in self._standing.members
            if not m.idle and m.report.can_give and may_ask(self._policy, member, m, elapsed)
        ]
        return self._random.choice(victims) if victims else None

    def doze(self, member: Member) -> float:
        """Return the seconds until a member that found nobody to ask looks around again."""
        return DOZE if member.explorer.power > 1 else LONG_DOZE

    def wake_up_for(self, member: Member) -> None:
        """Have everybody at work look whether there is something to spare by now."""
        if self._standing.surveying or self._policy is StealingPolicy.NONE:
            return
        for other in self._standing.members:
            if not (other.idle or other.brief or is_weak(self._policy, member, other)):
                other.explorer.interrupt()
