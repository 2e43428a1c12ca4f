"""Proving from below: searches with upper bounds that climb until one of them holds a solution.

A tree grows by a constant factor with each unit of its upper bound (1.3 a unit on ta056, where a
heuristic ends 17 to 23 units above the optimum). To start from such an incumbent can cost hundreds
of times the proof itself; to climb from below costs all smaller trees, a geometric sum. A rung is a
whole search with a target below the incumbent: if it holds no solution, the target is a lower
bound; if it does, its best solution is optimal.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Rung", "climb"]

FACTOR = 3.0
"""How much larger the next tree should be."""

PATIENCE = 10.0
"""A rung is given up once it is so many times larger than the largest before it."""


@dataclass(frozen=True, slots=True)
class Rung:
    """What a search below a target did.

    Attributes
    ----------
    nodes
        Branched nodes.
    complete
        Whether the whole tree was searched.
    best
        The best objective found, below the target; None if none was.
    stopped
        Whether the search was stopped from outside: time limit, Ctrl-C.
    """

    nodes: int
    complete: bool
    best: int | None
    stopped: bool = False


def climb(
    search: Callable[[int, float], Rung], lower: int, upper: int, worth: float
) -> tuple[int, int]:
    """Raise the lower bound and lower the upper bound until they meet or a search is stopped.

    Parameters
    ----------
    search
        Searches the whole tree for solutions below a target, up to a number of nodes.
    lower
        No solution is below this.
    upper
        The incumbent's objective, or any upper bound.
    worth
        Nodes that are cheap: no rung is given up before it has so many.

    Returns
    -------
    lower, upper
        Equal if the search was not stopped: nothing is below ``upper``.
    """
    step = max(1, (upper - lower) // 4)
    largest, before = worth, (lower, 1.0)
    while lower < upper:
        target = min(upper, lower + step)
        rung = search(target, PATIENCE * largest)
        if rung.best is not None:
            upper = rung.best
        if rung.stopped:
            break
        if not rung.complete:
            if step == 1:
                largest *= PATIENCE
            step = max(1, step // 2)
            continue
        lower = upper if rung.best is not None else target
        largest = max(largest, rung.nodes)
        growth = math.log(max(rung.nodes, 2) / before[1]) / max(1, target - before[0])
        before = target, float(max(rung.nodes, 2))
        if rung.nodes > worth / PATIENCE and growth > 0:
            step = max(1, int(math.log(FACTOR) / growth))
    return lower, upper
