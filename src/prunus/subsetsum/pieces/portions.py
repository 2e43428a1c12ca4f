"""How many pieces a member takes: a spell's, and towards the end what lets all end together.

The speeds are those that were measured: this is the partition ratio R of Wan, Li and Li, found
while searching instead of set by hand. It is known as well when each member will be done with what
it has, so that the rest can be divided like water that fills vessels: who is free first gets most.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["common_end", "final_portion", "portion_seconds"]

_SPELL, _LONG = 0.03, 0.08
"""Seconds of a portion, and of one of a GPU at most: it costs some tenths of a millisecond."""
_OF_ALL = 0.1
"""Longer portions take this part of the time so far: so long a hit elsewhere is not heard of."""
_PART = 1.5
"""Of what it may take at the end a member takes this part, for speeds change."""
_WHOLE = 1e-3
"""Seconds of work that are taken as a whole: their error is less than another portion costs."""
_LEAST = 3e-4
"""Seconds of a portion at least: about what a GPU's costs beside the work."""


def portion_seconds(elapsed: float, together: int = 1) -> float:
    """Return the seconds that a portion takes.

    Parameters
    ----------
    elapsed
        What the search has taken so far.
    together
        Pieces that the member does at the same time: many on a GPU.
    """
    return _SPELL if together == 1 else max(_SPELL, min(_LONG, _OF_ALL * elapsed))


def common_end(work: float, vessels: Sequence[tuple[float, float]]) -> float:
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


def final_portion(
    work: float, own: tuple[float, float], others: Sequence[tuple[float, float]]
) -> int:
    """Return how many pieces a member takes towards the end.

    Parameters
    ----------
    work
        Pieces that nobody has yet.
    own, others
        Vessels, see ``level``.
    """
    free, rate = own
    seconds = common_end(work, [own, *others]) - free
    return round(rate * max(_LEAST, seconds if seconds <= _WHOLE else seconds / _PART))
