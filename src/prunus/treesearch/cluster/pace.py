"""How long a slice should take."""

from __future__ import annotations

from time import perf_counter

__all__ = ["Pace"]

SHORTEST, LONGEST = 0.05, 10.0
"""Seconds of a slice, unless a time limit is nearer."""

WORTH = 100.0
"""A slice takes so many times as long as what comes with it."""

PART = 1 / 16
"""No slice takes more than this part of what the search has taken so far: whoever runs dry waits
for others to come back, at most so long, and that must not matter in a short search either."""

LATENCY = 0.004
"""Seconds for a message there and back that nobody measures."""


class Pace:
    """Chooses the length of slices from what they cost and whether workers wait for work."""

    def __init__(self) -> None:
        self._began = perf_counter()
        self._cost = LATENCY
        self._hungry = 1.0

    def seconds(self, left: float) -> float:
        """Return how long the next slice should take, if there are so many seconds left."""
        elapsed = perf_counter() - self._began
        wish = min(WORTH * self._cost, PART * elapsed, LONGEST) * self._hungry
        return min(max(wish, SHORTEST), max(left - LATENCY, SHORTEST / 10))

    def note(self, cost: float) -> None:
        """Note the seconds that a slice cost beside those it searched, there and here."""
        self._cost += 0.1 * (cost + LATENCY - self._cost)

    def note_hunger(self, hungry: bool) -> None:
        """Note whether somebody has nothing to do: shorter slices come back to be divided."""
        self._hungry = max(1 / 16, self._hungry / 2) if hungry else min(1.0, 1.25 * self._hungry)
