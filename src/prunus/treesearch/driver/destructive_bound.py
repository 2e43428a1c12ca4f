"""The destructive lower bound (Klein and Scholl 1999): targets raised until one holds a solution.

A tree grows by a constant factor with each unit of its upper bound (1.3 a unit on ta056, where a
heuristic ends 17 to 23 units above the optimum). To prove from such an incumbent can cost hundreds
of times the proof itself; to raise a target from below costs all smaller trees, a geometric sum.
Each target is a whole search below the incumbent: if it finds no solution below the target, the
target is a lower bound; if it does, its best solution is optimal.
"""

from __future__ import annotations

import math

from prunus.treesearch.driver.tuning import DEFAULT_TUNING, DriverTuning
from prunus.treesearch.estimate.growth import TreeGrowth


class DestructiveLowerBound:
    """Chooses the targets of searches whose lower and upper bound shall meet.

    No solution is below ``lower``; ``upper`` is the incumbent's objective, or any upper bound; both
    take in what has been proven and found since. ``affordable`` nodes are cheap: no target is given
    up before it has cost ``give_up_ratio`` times so many. ``growth`` gets the sizes of complete
    trees, and knows those of earlier ones. The first target follows from these, or else it is about
    a quarter of the way up.
    """

    def __init__(
        self,
        lower: int,
        upper: int,
        affordable: float,
        target: int | None = None,
        tuning: DriverTuning = DEFAULT_TUNING,
        growth: TreeGrowth | None = None,
    ) -> None:
        self.lower, self.upper = lower, upper
        self._tuning = tuning
        self._affordable = self._largest = max(1.0, affordable)
        self._first = target
        self._step = max(1, (upper - lower) // 4 if target is None else target - lower)
        self._last_target, self._last_size = lower, 1.0
        self._growth = TreeGrowth() if growth is None else growth
        earlier = self._growth.sizes[-2:]
        if target is None and len(earlier) > 1:
            for searched, nodes in earlier:
                self._note(searched, nodes)

    @property
    def met(self) -> bool:
        """Whether the bounds have met: nothing is below ``upper``."""
        return self.lower >= self.upper

    @property
    def target(self) -> int:
        """Only solutions below this are sought next."""
        if self._first is not None:  # some of that very tree has been searched already
            return min(self._first, self.upper)
        if self.upper - self.lower <= self._tuning.last_step_ratio * self._step:
            return self.upper
        return self.lower + self._step

    @property
    def node_limit(self) -> float:
        """Branched nodes after which the next target is given up for a lower one."""
        return self._tuning.give_up_ratio * self._largest

    def searched(self, nodes: int, upper: int) -> None:
        """Note that the whole tree below the target was searched.

        ``nodes`` are its branched nodes, ``upper`` the incumbent's objective now.
        """
        target, self._first = self.target, None
        self.lower = min(target, upper)
        self.upper = upper
        if upper >= target:
            self._growth.note(target, nodes)
        self._note(target, nodes)

    def _note(self, target: int, nodes: int) -> None:
        """Choose the next step: the tree below a target had so many nodes."""
        self._largest = max(self._largest, float(nodes))
        size = float(max(nodes, 2))
        growth = math.log(size / self._last_size) / max(1, target - self._last_target)
        self._last_target, self._last_size = target, size
        if nodes > self._affordable / self._tuning.give_up_ratio and growth > 0:
            self._step = max(1, int(math.log(self._tuning.growth_factor) / growth))

    def given_up(self, upper: int) -> None:
        """Note that the tree below the target is too large for now."""
        self._first = None
        self.upper = upper
        if self._step == 1:
            self._largest *= self._tuning.give_up_ratio
        self._step = max(1, self._step // 2)
