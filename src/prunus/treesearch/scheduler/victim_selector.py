"""Whom a member without work asks for some, when, and how much it gets.

Gmys et al. (2017, section 4.4) treat cores and GPUs alike and find that cores then make a run
slower and erratic: they take large parts early and sit on the last ones. Here a thief's share
follows the relative power of the two, so that a GPU takes all a core has, and a device much weaker
than its victim waits until the search has gone on for a while, and takes turns then. Where all weak
devices together are next to nothing, they stay in reserve.

A member that has nothing to spare is not asked: a starving one waits until another has, so that
neither the first milliseconds nor the last ones go into moving tiny pieces.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cached_property

from prunus.treesearch.options import StealingPolicy
from prunus.treesearch.scheduler.member import Member
from prunus.treesearch.scheduler.team_state import TeamState
from prunus.treesearch.scheduler.tuning import DEFAULT_TUNING, SchedulerTuning


class VictimSelector:
    """Chooses victims.

    The policy says who may ask whom; the seed is that of the choice.
    """

    def __init__(
        self,
        team: TeamState,
        policy: StealingPolicy,
        seed: int,
        tuning: SchedulerTuning = DEFAULT_TUNING,
    ) -> None:
        self.tuning = tuning
        self._team = team
        self._policy = policy
        self._seed = seed

    @cached_property
    def _random(self) -> random.Random:
        """Makes the choices; it is not made where a device searches alone."""
        return random.Random(self._seed)

    def victim(self, thief: Member) -> Member | None:
        """Choose a member to ask, at random (Gmys et al. 2017); None if there is none to ask.

        Asking who has most open nodes was no faster, as most nodes are not most work.
        """
        if self._team.snapshot_running or self._policy is StealingPolicy.NONE:
            return None
        victims = [
            member
            for member in self._team.members
            if not member.idle and member.last_slice.has_spare_work and self.may_ask(thief, member)
        ]
        return self._random.choice(victims) if victims else None

    def may_ask(self, thief: Member, victim: Member) -> bool:
        if not self.is_weak(thief, victim):
            return True
        elapsed, tuning = self._team.elapsed, self.tuning
        return (
            elapsed > tuning.weak_delay_s
            and elapsed > victim.last_donation + tuning.weak_interval_s
        )

    def share(self, thief: Member, victim: Member, others: Iterable[Member] = ()) -> float:
        """Return the fraction of the victim's work that the thief gets.

        ``others`` are the thieves that come after it: all shall have alike.
        """
        if self._policy is StealingPolicy.HALF:
            return 0.5
        if self.is_weak(victim, thief):
            return 1.0  # a core must not sit on the last parts when a GPU is idle
        power = thief.explorer.power
        return power / (power + victim.explorer.power + sum(m.explorer.power for m in others))

    def is_weak(self, thief: Member, victim: Member) -> bool:
        """Return whether a thief is so weak that it must wait its turn with a victim."""
        return (
            self._policy is StealingPolicy.POWER
            and thief.explorer.power < self.tuning.weak_power_ratio * victim.explorer.power
        )

    def in_reserve(self) -> bool:
        """Return whether the weak members do nothing unless a strong one fails."""
        alive = [member for member in self._team.members if member.failed is None]
        strongest = max(alive, key=lambda m: m.explorer.power)
        weak = sum(m.explorer.power for m in alive if self.is_weak(m, strongest))
        strong = sum(m.explorer.power for m in alive) - weak
        return weak < self.tuning.reserve_power_ratio * strong

    def is_awaited(self, member: Member) -> bool:
        """Return whether others wait for this member to have work to spare."""
        return self._policy is not StealingPolicy.NONE and any(
            m.idle and m.failed is None and not self.is_weak(m, member)
            for m in self._team.members
            if m is not member
        )

    def recheck_s(self, thief: Member) -> float:
        """Return the seconds until a member that found no victim looks again."""
        tuning = self.tuning
        return tuning.idle_recheck_s if thief.explorer.power > 1 else tuning.weak_idle_recheck_s

    def interrupt_for(self, thief: Member) -> None:
        """Have all members at work see whether there is something to spare by now."""
        if self._team.snapshot_running or self._policy is StealingPolicy.NONE:
            return
        for member in self._team.members:
            if not (member.idle or member.in_short_slice or self.is_weak(thief, member)):
                member.explorer.interrupt()
