"""How fast nodes are branched at present, for whoever watches."""

from __future__ import annotations

WINDOW_S = 0.5
"""Seconds that a measurement takes, at least: over a shorter time it would only flicker."""

LATELY = 0.5
"""The part of the time so far over which the speed is averaged that says what is to come."""


class Speed:
    """Watches a number of nodes grow.

    Nodes may be counted in leaps: the workers of an executor return those of seconds at a time. So
    it is measured from one moment at which the number grew to another. ``nodes`` were branched by
    earlier runs. ``lately`` is the average of the last part of the time: a search pauses while the
    size of its tree is estimated, and what is left will not take five times as long because of it.
    """

    def __init__(self, nodes: int = 0) -> None:
        self._mark = 0.0, nodes
        self._rate = self.lately = 0.0

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
            part = min(1.0, took / (LATELY * elapsed)) if self.lately else 1.0
            self.lately += part * (self._rate - self.lately)
            self._mark = elapsed, nodes
        return self._rate
