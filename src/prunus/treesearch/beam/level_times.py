"""How wide a beam may go on to be, so that it ends before the limit.

Without that the last beam must be planned with much of the time to spare, since a node of a wide
beam takes longer than one of a narrow beam.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from prunus.hardware import clock
from prunus.model.arrays import FloatArray

Widths = Callable[[int], int]
"""How many nodes to keep of a level: asked before each, from the first."""

_LEFT, _SPARE_S = 0.98, 0.03
"""So much of the time left is used, less some seconds."""
_FIRST_SHARE = 0.02
"""Before that much of a beam is done, its pace is not known."""


class LevelTimes:
    """The seconds that a node took in each level of the last beam."""

    def __init__(self) -> None:
        self._last: FloatArray | None = None
        self._now: list[float] = []

    def widths(self, width: int, time_left: Callable[[], float]) -> Widths:
        """Return how wide a new beam is: never more than ``width``."""
        self._now = []
        last, at = self._last, clock.seconds()

        def next_width(level: int) -> int:
            nonlocal width, at
            if level:
                before, at = at, clock.seconds()
                self._now.append((at - before) / width)
            if last is not None and last[:level].sum() > _FIRST_SHARE * last.sum():
                slower = sum(self._now) / last[:level].sum()
                a_node = slower * last[level:].sum()
                left = _LEFT * time_left() - _SPARE_S
                if width * a_node > left:
                    width = max(1, int(left / a_node))
            return width

        return next_width

    def ended(self) -> None:
        """Note that the beam has reached its last level."""
        if self._now:
            # The last level's end is not asked for; it takes next to nothing.
            self._last = np.array([*self._now, 0.0])
