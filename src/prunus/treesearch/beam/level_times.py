"""How wide a beam may go on to be, so that it ends just before the limit.

The last beam is planned by the time that a node of narrower beams took. A node of the wide beam
takes between half and four thirds of that, so the width is corrected from level to level.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from prunus.hardware import clock
from prunus.model.arrays import FloatArray

Widths = Callable[[int], int]
"""How many nodes to keep of a level: asked before each, from the first."""

_SPARE_SHARE, _SPARE_S = 0.03, 0.03
"""So much of the time that is left when it begins is not used, and so many seconds: a beam that
does not end has found nothing."""
_NARROWER = 4
"""It becomes no narrower than this part of what it was: the last levels take next to no time."""
_FIRST_SHARE = 0.02
"""Before that much of a beam is done, its pace is not known."""
_PACE_SHARE = 0.1
"""Its pace is that of the levels that have taken this part of it; before others may have come."""


class LevelTimes:
    """The seconds that a node has taken in each level of the ``last`` beam that has ended."""

    def __init__(self) -> None:
        self.last: FloatArray | None = None

    def widths(self, width: int, widest: int, time_left: Callable[[], float]) -> TimedWidths:
        """Return how wide a new beam is, at first and at most; it gets narrower if it must."""
        return TimedWidths(self, width, widest, time_left)


class TimedWidths:
    """How wide a beam is that is under way; see ``Widths``."""

    def __init__(
        self, times: LevelTimes, width: int, widest: int, time_left: Callable[[], float]
    ) -> None:
        self._times, self._last = times, times.last
        self._width, self._widest, self._time_left = width, widest, time_left
        self._least = max(1, width // _NARROWER)
        self._spare_s = _SPARE_S + _SPARE_SHARE * time_left()
        self._now: list[float] = []
        self._at = clock.seconds()

    def __call__(self, level: int) -> int:
        last = self._last
        if level:
            began, self._at = self._at, clock.seconds()
            self._now.append((self._at - began) / self._width)
        if last is not None and last[:level].sum() > _FIRST_SHARE * last.sum():
            before = np.cumsum(last[:level][::-1])
            some = 1 + int(np.searchsorted(before, _PACE_SHARE * last.sum()))
            pace = sum(self._now[-some:]) / last[:level][-some:].sum()
            a_node = pace * last[level:].sum()
            left = self._time_left() - self._spare_s
            # Without a limit, what is spared is infinite as well.
            if a_node and math.isfinite(left):
                self._width = max(self._least, min(self._widest, int(left / a_node)))
        return self._width

    def ended(self) -> None:
        """Note that the last level has ended, so that later beams know how long each takes."""
        if self._now:
            # The last level's end is not asked for; it takes no longer than the one before. What
            # others have had of the core meanwhile is spread over some levels.
            seconds = np.array([*self._now, self._now[-1]])
            window = np.ones(2 * (len(seconds) // 16) + 1)
            some = np.convolve(np.ones_like(seconds), window, "same")
            self._times.last = np.convolve(seconds, window, "same") / some
