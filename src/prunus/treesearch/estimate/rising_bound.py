"""How many nodes a best-first search will have branched, from how its least bound rises.

Best bound first, every unit of the bound takes more nodes than the one before, but a node takes
the less time the nearer the bound is to the incumbent, for its children are mostly fathomed at
once. So the bound rises nearly evenly over the time. The share of the tree that is fathomed says
nothing for long: nearly all of it ends when the bounds meet.
"""

from __future__ import annotations

import math
from collections import deque

from prunus.runtime.incumbent import NO_INCUMBENT
from prunus.treesearch.estimate.forecast import TreeForecast

LEAST_NODES = 8
"""Branched before anything is told."""
MOST_RISES = 12.0
"""A bound that has to rise by more than so many times what it has risen in the later half of the
time meets the incumbent nobody knows when."""
FAR, NEAR = 1.4, 0.8
"""Far from the incumbent the rise takes so many times as long as lately, and near it, where it has
to rise by a part of what it rose lately, that part of so many times as long."""
LEAST_ERROR, ERROR_PER_RISE, MOST_ERROR = 0.05, 0.07, 0.3
"""Of the whole, as for ``TreeSize``: at least, for each time that the bound has to rise by what it
rose lately, and at most. A shorter tour that is found at the very end is not foreseen."""


class RisingBound(TreeForecast):
    """A forecast for best-first searches: in nodes that take as long as the last ones."""

    def __init__(self) -> None:
        super().__init__(None)
        self._origin: tuple[float, int] | None = None
        self._risen: deque[tuple[float, int, int]] = deque()
        """Seconds, nodes and the least bound whenever that had risen: the last time in the earlier
        half of the search, and since then."""
        self._ended = False

    def due(self, elapsed: float) -> bool:
        """Return False: all that is known is noted."""
        return False

    def note(self, elapsed: float, nodes: int, bound: int | None, share: float) -> None:
        """Note the least bound after so many nodes, and which share of the tree is open."""
        self._ended, risen = share <= 0, self._risen
        began, before = self._origin = self._origin or (elapsed, nodes)
        seconds = elapsed - began
        if bound is not None and (not risen or bound > risen[-1][2]):
            risen.append((seconds, nodes - before, bound))
        while len(risen) > 1 and 2 * risen[1][0] <= seconds:
            risen.popleft()

    def left(self, nodes: int, upper: int | None = None) -> float:
        """Return the nodes that seem to be left; infinite as long as that is not known."""
        if self._ended:
            return 0.0
        rises = self._rises(upper)
        if self._origin is None or rises > MOST_RISES:
            return math.inf
        done = nodes - self._origin[1]
        if done < LEAST_NODES:
            return math.inf
        branched = self._risen[0][1]
        return max((done - branched) * rises * min(FAR, NEAR * rises), 0.02 * done)

    def factor(self, nodes: int, upper: int | None = None) -> float:
        """Return by how much the whole may be larger or smaller than it seems, mostly."""
        error = LEAST_ERROR + ERROR_PER_RISE * self._rises(upper)
        return float(10.0 ** min(MOST_ERROR, error))

    def _rises(self, upper: int | None) -> float:
        """Return how many times what the bound has risen lately it has to rise to the incumbent."""
        if upper is None or upper >= NO_INCUMBENT or not self._risen:
            return math.inf
        low, high = self._risen[0][2], self._risen[-1][2]
        return math.inf if high == low else (upper - high) / (high - low)
