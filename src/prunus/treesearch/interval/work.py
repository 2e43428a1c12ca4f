"""Several pieces of open work as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.model import Work

__all__ = ["Bundle"]


@dataclass(frozen=True, slots=True)
class Bundle:
    """Several pieces of work of one tree; work itself.

    Attributes
    ----------
    levels
        Of the tree.
    parts
        The pieces.
    """

    levels: int
    parts: Sequence[Work]

    def __len__(self) -> int:
        """Return how many intervals it is."""
        return sum(map(len, self.parts))

    def intervals(self) -> Intervals:
        """Return it as intervals."""
        nothing = Intervals.empty(self.levels)
        return Intervals.concatenate([nothing, *(part.intervals() for part in self.parts)])
