"""How fast nodes are branched at present, for whoever watches."""

from __future__ import annotations

WINDOW_S = 0.5
"""Seconds that a measurement takes, at least: over a shorter time it would only flicker."""


class Speed:
    """Watches a number of nodes grow.

    Nodes may be counted in leaps: the workers of an executor return those of seconds at a time. So
    it is measured from one moment at which the number grew to another. ``nodes`` were branched by
    earlier runs.
    """

    def __init__(self, nodes: int = 0) -> None:
        self._mark = 0.0, nodes
        self._rate = 0.0

    def note(self, nodes: int, elapsed: float, *, searching: bool) -> float:
        """Note how many there are now; return nodes a second, 0 until any were branched.

        ``nodes`` are the branched ones of all runs; time before the search runs (``searching``)
        does not count.
        """
        since, before = self._mark
        grown, took = nodes - before, elapsed - since
        if not (searching or grown):
            self._mark = elapsed, nodes
        elif grown > 0 and took > 0 and (took >= WINDOW_S or not self._rate):
            self._rate = grown / took
            self._mark = elapsed, nodes
        return self._rate
