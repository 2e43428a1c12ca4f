"""How many pieces a member takes: a spell's, and towards the end what lets all end together.

The speeds are those that were measured: this is the partition ratio R of Wan, Li and Li, found
while searching instead of set by hand. It is known as well when each member will be done with what
it has, so that the rest can be divided like water that fills vessels: who is free first gets most.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["level", "portion", "spell"]

_SPELLS = 0.03, 0.08
"""Seconds of a portion: at first, and at most."""
_OF_ALL = 0.1
"""A portion takes at most this part of the time so far: so long a hit elsewhere is not heard of."""
_PART = 1.5
"""Of what it may take at the end a member takes this part, for speeds change."""
_WHOLE = 1e-3
"""Seconds of work that are taken as a whole: their error is less than another portion costs."""
_LEAST = 3e-4
"""Seconds of a portion at least: about what a GPU's costs beside the work."""


def spell(elapsed: float) -> float:
    """Return the seconds that a portion takes when the search has taken so many."""
    least, most = _SPELLS
    return max(least, min(most, _OF_ALL * elapsed))


def level(work: float, vessels: Sequence[tuple[float, float]]) -> float:
    """Return when all end if they end together.

    Parameters
    ----------
    work
        Pieces that nobody has yet.
    vessels
        When each member is free, in seconds, and the pieces it does in a second.
    """
    speed, now = 0.0, 0.0
    for free, rate in sorted(vessels):
        if speed and (free - now) * speed >= work:
            break
        work -= (free - now) * speed
        speed, now = speed + rate, free
    return now + work / speed


def portion(work: float, own: tuple[float, float], others: Sequence[tuple[float, float]]) -> int:
    """Return how many pieces a member takes towards the end.

    Parameters
    ----------
    work
        Pieces that nobody has yet.
    own, others
        Vessels, see ``level``.
    """
    free, rate = own
    seconds = level(work, [own, *others]) - free
    return round(rate * max(_LEAST, seconds if seconds <= _WHOLE else seconds / _PART))
