"""What a device must offer to take part in a search, and what all devices share.

An explorer holds open intervals of one tree and explores them. Everything around it (stealing
between devices, the deadline, progress, checkpoints) is written against this protocol alone.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from prunus.treesearch.interval import Intervals

__all__ = ["NO_INCUMBENT", "Explorer", "Incumbent", "Report"]

NO_INCUMBENT = 2**62
"""The incumbent's objective while there is none: larger than any bound."""


class Incumbent:
    """The best solution known, shared by all explorers of a search (minimisation).

    ``cell[0]`` is the objective to beat: explorers prune a child iff its bound is at least that.
    Compiled code reads the cell without a lock; it only ever decreases.
    """

    def __init__(
        self, objective: int | None = None, solution: NDArray[np.int64] | None = None
    ) -> None:
        self.cell = np.array([NO_INCUMBENT if objective is None else objective], np.int64)
        self.solution = solution
        self.source = "given"
        self.version = 0
        self._lock = threading.Lock()

    @property
    def objective(self) -> int:
        """The objective to beat; ``NO_INCUMBENT`` if nothing is known."""
        return int(self.cell[0])

    def offer(self, objective: int, solution: NDArray[np.int64], source: str) -> bool:
        """Take a solution if it is strictly better; return whether it was."""
        with self._lock:
            if objective >= self.cell[0]:
                return False
            self.solution = solution
            self.source = source
            self.cell[0] = objective
            self.version += 1
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
    """

    nodes: int
    leaves: int
    active: int
    explorers: int
    exhausted: bool
    steals: int = 0


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

    def bound(self) -> int | None:
        """Return the least lower bound over all open nodes, or None if nothing is open."""
