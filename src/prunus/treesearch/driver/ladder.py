"""Proving from below: targets that climb until one of them holds a solution.

A tree grows by a constant factor with each unit of its upper bound (1.3 a unit on ta056, where a
heuristic ends 17 to 23 units above the optimum). To prove from such an incumbent can cost hundreds
of times the proof itself; to climb from below costs all smaller trees, a geometric sum. A rung is a
whole search with a target below the incumbent: if it holds no solution, the target is a lower
bound; if it does, its best solution is optimal.
"""

from __future__ import annotations

import math

__all__ = ["Ladder"]

FACTOR = 3.0
"""How much larger the next tree should be."""

LAST = 1.5
"""A step grows by so much if it then reaches the upper bound."""

PATIENCE = 10.0
"""A rung is given up once it is so many times larger than the largest before it."""


class Ladder:
    """Chooses the targets of searches whose lower and upper bound shall meet.

    Parameters
    ----------
    lower
        No solution is below this.
    upper
        The incumbent's objective, or any upper bound.
    worth
        Nodes that are cheap: no rung is given up before it has ``PATIENCE`` times so many.
    target
        The first target, if it is known; by default about a quarter of the way up.

    Attributes
    ----------
    lower, upper
        As above, and what has been proven and found since.
    """

    def __init__(self, lower: int, upper: int, worth: float, target: int | None = None) -> None:
        self.lower, self.upper = lower, upper
        self._worth = self._largest = max(1.0, worth)
        self._step = max(1, (upper - lower) // 4 if target is None else target - lower)
        self._before = lower, 1.0

    @property
    def met(self) -> bool:
        """Whether the bounds have met: nothing is below ``upper``."""
        return self.lower >= self.upper

    @property
    def target(self) -> int:
        """Only solutions below this are sought on the next rung."""
        # The last rung is not left to be a short one: its tree would be searched nearly twice.
        if self.upper - self.lower <= LAST * self._step:
            return self.upper
        return self.lower + self._step

    @property
    def limit(self) -> float:
        """Branched nodes after which the next rung is given up for a lower one."""
        return PATIENCE * self._largest

    def searched(self, nodes: int, upper: int) -> None:
        """Note that the whole tree below the target was searched.

        Parameters
        ----------
        nodes
            Its branched nodes.
        upper
            The incumbent's objective now.
        """
        target = self.target
        self.lower = min(target, upper)
        self.upper = upper
        self._largest = max(self._largest, float(nodes))
        size = float(max(nodes, 2))
        growth = math.log(size / self._before[1]) / max(1, target - self._before[0])
        self._before = target, size
        if nodes > self._worth / PATIENCE and growth > 0:
            self._step = max(1, int(math.log(FACTOR) / growth))

    def given_up(self, upper: int) -> None:
        """Note that the tree below the target is too large for now."""
        self.upper = upper
        if self._step == 1:
            self._largest *= PATIENCE
        self._step = max(1, self._step // 2)
