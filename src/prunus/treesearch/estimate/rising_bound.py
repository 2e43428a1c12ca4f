"""How many nodes a best-first search will have branched, from how its least bound rises.

Best bound first, the bound rises by about as much with every doubling of the nodes. The share of
the tree that is fathomed says nothing for long: nearly all of it ends when the bounds meet.
"""

from __future__ import annotations

import math

from prunus.runtime.incumbent import NO_INCUMBENT
from prunus.treesearch.estimate.forecast import TreeForecast

LEAST_NODES = 32
"""Branched before anything is told."""
LEAST_GROWTH = 1.5
"""By what factor nodes must have grown to tell how the bound rises."""
MOST_DOUBLINGS = 8.0
"""A tree that seems to double its nodes more often is of unknown size."""


class RisingBound(TreeForecast):
    """A forecast for best-first searches.

    ``resumed``: earlier runs have branched a part of the tree, otherwise nodes are counted from the
    first that is noted.
    """

    def __init__(self, *, resumed: bool = False) -> None:
        super().__init__(None)
        self._origin: int | None = 0 if resumed else None
        self._seen: list[tuple[int, int]] = []
        self._ended = False

    def due(self, elapsed: float) -> bool:
        """Return False: all that is known is noted."""
        return False

    def note(self, nodes: int, bound: int | None, share: float) -> None:
        """Note the least bound after so many nodes, and which share of the tree is open."""
        self._ended = share <= 0
        if self._origin is None:
            self._origin = nodes
        if bound is not None and (not self._seen or bound > self._seen[-1][1]):
            self._seen.append((max(1, nodes - self._origin), bound))

    def left(self, nodes: int, upper: int | None = None) -> float:
        """Return the nodes that seem to be left; infinite as long as that is not known."""
        if self._ended:
            return 0.0
        done = nodes - (self._origin or 0)
        if upper is None or upper >= NO_INCUMBENT or done < LEAST_NODES or not self._seen:
            return math.inf
        # The later half of the nodes, or as much as was seen.
        before = [seen for seen in self._seen if 2 * seen[0] <= done]
        first, low = before[-1] if before else self._seen[0]
        high = self._seen[-1][1]
        if high <= low or done < LEAST_GROWTH * first:
            return math.inf
        doublings = (upper - high) * math.log2(done / first) / (high - low)
        if doublings > MOST_DOUBLINGS:
            return math.inf
        return max(done * (2**doublings - 1), 0.02 * done)
