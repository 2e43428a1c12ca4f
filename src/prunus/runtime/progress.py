"""What a running search reports.

An engine makes a `Progress` about eight times a second and hands it, in the main thread, to a plain
callable. Stopping criteria read the same object.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a search at one moment.

    Attributes
    ----------
    elapsed
        Seconds since the solve began.
    objective
        The objective of the incumbent, or the number of solutions counted so far; None before the
        first.
    bound
        A proven lower bound on the objective, or None when there is none (counting).
    explored
        The fraction of the search space that is done, from 0 to 1.
    nodes
        The nodes branched so far.
    rate
        The current number of nodes branched per second.
    active
        The number of explorers that have work.
    explorers
        The number of explorers.
    remaining
        The estimated seconds until the end, at most until the time limit, or None if no estimate
        is worth showing.
    remaining_range
        Between which seconds the end is in four of five cases, where the size of the tree is
        estimated, whatever the time limit.
    done
        The estimated share of the nodes that have been branched, where the size of the tree is
        estimated. It says more than ``explored``, since one bound may fathom billions of leaves.
    phase
        The current phase, e.g. ``"iterated greedy"`` or ``"tree search"``.
    maximise
        Whether larger objectives are better.
    time_limit
        Seconds after which the solve ends, or None without a limit.
    """

    elapsed: float = 0.0
    objective: int | float | None = None
    bound: int | float | None = None
    explored: float = 0.0
    nodes: int = 0
    rate: float = 0.0
    active: int = 0
    explorers: int = 0
    remaining: float | None = None
    remaining_range: tuple[float, float] | None = None
    done: float | None = None
    phase: str = ""
    maximise: bool = False
    time_limit: float | None = None

    @property
    def gap(self) -> float | None:
        """The relative gap between objective and bound, or None while one is missing."""
        return relative_gap(self.objective, self.bound)


ProgressCallback = Callable[[Progress], None]
"""What receives the progress of a search."""


def relative_gap(objective: int | float | None, bound: int | float | None) -> float | None:
    """Return ``|objective - bound| / max(1, |objective|)``, or None if either is missing."""
    if objective is None or bound is None:
        return None
    return abs(objective - bound) / max(1, abs(objective))
