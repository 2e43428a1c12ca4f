"""What a device must offer to take part in a search, and what all devices share.

An explorer holds open intervals of one tree and explores them. Everything around it (stealing
between devices, the deadline, progress, checkpoints) is written against this protocol alone.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from prunus.treesearch.interval import Intervals

__all__ = ["NO_INCUMBENT", "Explorer", "Improvement", "Incumbent", "Report"]

NO_INCUMBENT = 2**62
"""The incumbent's objective while there is none: larger than any bound."""


@dataclass(frozen=True, slots=True)
class Improvement:
    """A better solution: when it was found (``perf_counter``), its objective, and by whom."""

    time: float
    objective: int
    solution: NDArray[np.int64]
    source: str


class Incumbent:
    """The best solution known, shared by all explorers of a search (minimisation).

    ``cell[0]`` is the objective to beat: explorers prune a child iff its bound is at least that.
    Compiled code reads the cell without a lock; it only ever decreases. It starts at an upper bound
    that somebody may have given without a solution.

    Parameters
    ----------
    upper_bound
        Only solutions better than this are of interest.
    """

    def __init__(self, upper_bound: int | None = None) -> None:
        self.cell = np.array([NO_INCUMBENT if upper_bound is None else upper_bound], np.int64)
        self.improvements: list[Improvement] = []
        self._lock = threading.Lock()

    @property
    def to_beat(self) -> int:
        """The objective that a better solution must be below; ``NO_INCUMBENT`` if there is none."""
        return int(self.cell[0])

    @property
    def best(self) -> Improvement | None:
        """The best solution, if there is one; it need not be below a given upper bound."""
        return self.improvements[-1] if self.improvements else None

    def offer(self, objective: int, solution: NDArray[np.int64], source: str) -> bool:
        """Take a solution if it is better than the best one; return whether it was."""
        with self._lock:
            if self.improvements and objective >= self.improvements[-1].objective:
                return False
            self.improvements.append(Improvement(perf_counter(), objective, solution, source))
            self.cell[0] = min(objective, self.to_beat)
            return True


@dataclass(frozen=True, slots=True)
class Report:
    """What one call of ``Explorer.explore`` did.

    Attributes
    ----------
    nodes
        Branched nodes.
    leaves
        Leaves reached; for counting problems, solutions counted (with their weights).
    active, explorers
        How many of the device's explorers have work, of how many.
    exhausted
        No open interval is left.
    steals
        Steals inside the device.
    remaining
        The open fraction of the whole tree, roughly; not a number if the device cannot tell.
    """

    nodes: int
    leaves: int
    active: int
    explorers: int
    exhausted: bool
    steals: int = 0
    remaining: float = math.nan


class Explorer(Protocol):
    """One device's share of a search. All methods but ``interrupt`` are called by one thread."""

    name: str
    radix: tuple[int, ...]
    power: float
    """Rough relative speed: a core is 1, a GPU a few hundred."""

    def load(self, intervals: Intervals) -> None:
        """Add intervals to the open ones."""

    def explore(self, incumbent: Incumbent, seconds: float) -> Report:
        """Explore for about so long; return earlier when out of work or interrupted.

        Better solutions are offered to the incumbent as they are found, re-evaluated by plain code.
        """

    def interrupt(self) -> None:
        """Make a running ``explore`` return soon; may be called from any thread."""

    def split(self, fraction: float) -> Intervals:
        """Give away about this fraction of the open work, possibly nothing."""

    def open(self) -> Intervals:
        """Return all open intervals: what is left to explore."""

    def explored(self) -> int:
        """Return how many leaves of the tree this explorer has passed, visited or pruned, exactly.

        Accounted for from the ends of its own intervals: over all explorers of a finished search
        the numbers add up to the whole tree, which proves that nothing was lost or done twice.
        """

    def bound(self) -> int | None:
        """Return the least lower bound over all open nodes, or None if nothing is open."""
