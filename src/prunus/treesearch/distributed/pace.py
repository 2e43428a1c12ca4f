"""How long a slice should take."""

from __future__ import annotations

from time import perf_counter

__all__ = ["Pace"]

SHORTEST, LONGEST = 0.05, 10.0
"""Seconds of a slice, unless a time limit is nearer."""

WORTH, LEAST = 100.0, 8.0
"""A slice takes so many times as long as what comes with it, in a search that is long enough; and
at least."""

PART = 1 / 16
"""Where they cannot be called back, this part of what the search has taken so far: whoever runs dry
waits for others, at most so long, and that must not matter in a short search either."""

LATENCY = 0.004
"""Seconds for a message there and back that nobody measures."""


class Pace:
    """Chooses the length of slices from what they cost and whether workers wait for work.

    Attributes
    ----------
    cost
        Seconds that a slice costs beside those it searches, lately.
    """

    def __init__(self) -> None:
        self._began = perf_counter()
        self.cost = LATENCY

    @property
    def patience(self) -> float:
        """Seconds for which a slice is not called back."""
        return max(SHORTEST, 2 * self.cost)

    def seconds(self, left: float, hungry: bool, online: bool = False) -> float:
        """Return how long the next slices should take.

        Parameters
        ----------
        left
            Seconds until the search has to end.
        hungry
            There are not enough for all workers: they shall come back soon, to be divided.
        online
            They can be called back: nobody need come back for fear that others run dry.
        """
        elapsed = perf_counter() - self._began
        worth = WORTH * self.cost
        wish = worth if online else 0.0 if hungry else min(worth, PART * elapsed)
        wish = min(max(wish, LEAST * self.cost, SHORTEST), LONGEST)
        return min(wish, max(left - self.cost, SHORTEST / 10))

    def note(self, cost: float) -> None:
        """Note the seconds that a slice cost beside those it searched, there and here."""
        self.cost += 0.2 * (cost + LATENCY - self.cost)
