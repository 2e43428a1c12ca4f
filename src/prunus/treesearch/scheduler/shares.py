"""Who may take how much work from whom.

The paper treats cores and GPUs alike and finds that cores then make a run slower and erratic: they
take large parts early and sit on the last ones (Gmys et al. 2017, section 4.4). Here a thief's
share follows the relative power of the two, so that a GPU takes all a core has, and a device much
weaker than its victim waits until the search has gone on for a while, and takes turns then. Where
all weak devices together are next to nothing, they stay in reserve: 15 cores beside an H200 did one
per cent of a long search's nodes and made it five per cent slower (benchmarks/NOTES-devices.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from prunus.treesearch.options import StealingPolicy
from prunus.treesearch.scheduler.member import Member

__all__ = ["PATIENCE", "in_reserve", "is_weak", "may_ask", "share"]

WEAK = 1 / 16
"""A thief is weak if its power is less than this part of its victim's."""

PATIENCE = 1.0
"""Seconds of a search during which a weak thief leaves strong victims alone."""

WORTH = 1 / 10
"""Weak devices take part if they have this part of the strong ones' power, all together."""

PAUSE = 0.25
"""Seconds between two gifts of a strong victim to weak thieves."""


def share(
    policy: StealingPolicy, thief: Member, victim: Member, others: Iterable[Member] = ()
) -> float:
    """Return the fraction of the victim's work that the thief gets.

    ``others`` are the thieves that come after it: all shall have alike.
    """
    if policy is StealingPolicy.HALF:
        return 0.5
    if is_weak(policy, victim, thief):
        return 1.0  # a core must not sit on the last parts when a GPU is idle
    power = thief.explorer.power
    return power / (power + victim.explorer.power + sum(m.explorer.power for m in others))


def is_weak(policy: StealingPolicy, thief: Member, victim: Member) -> bool:
    """Return whether a thief must wait its turn with a victim."""
    return policy is StealingPolicy.POWER and thief.explorer.power < WEAK * victim.explorer.power


def in_reserve(policy: StealingPolicy, members: Sequence[Member]) -> bool:
    """Return whether the weak members do nothing unless a strong one fails."""
    alive = [member for member in members if member.failed is None]
    strongest = max(alive, key=lambda m: m.explorer.power)
    weak = sum(m.explorer.power for m in alive if is_weak(policy, m, strongest))
    return weak < WORTH * (sum(m.explorer.power for m in alive) - weak)


def may_ask(policy: StealingPolicy, thief: Member, victim: Member, elapsed: float) -> bool:
    """Return whether a thief may ask a victim, ``elapsed`` seconds into the search."""
    if not is_weak(policy, thief, victim):
        return True
    return elapsed > PATIENCE and elapsed > victim.last_gift + PAUSE
