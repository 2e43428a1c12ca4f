"""What moves between explorers: open intervals, in whatever form the giver has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from prunus.treesearch.interval.interval import Intervals

__all__ = ["Bundle", "Work"]


class Work(Protocol):
    """A part of a tree that is open.

    Every explorer takes any kind of work, if need be as intervals; a GPU takes the entries of
    another one as they are. ``Intervals`` are work.
    """

    def __len__(self) -> int:
        """Return how many intervals it is."""

    def intervals(self) -> Intervals:
        """Return it as intervals; may wait for a copy from a device and may raise a DeviceError."""


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
