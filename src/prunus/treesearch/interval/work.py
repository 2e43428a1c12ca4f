"""Work of a tree of intervals: anything that can be read as intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.model import Work


@runtime_checkable
class IntervalWork(Work, Protocol):
    """Work that every explorer of intervals takes; a GPU takes the entries of another as they are.

    ``Intervals`` are work.
    """

    def intervals(self) -> Intervals:
        """Return it as intervals; may wait for a copy from a device and may raise a DeviceError."""


def intervals_in(work: Work) -> Intervals:
    """Return work as intervals; see ``IntervalWork``."""
    if isinstance(work, Intervals):  # at once: to ask for a protocol takes 30 microseconds
        return work
    if not isinstance(work, IntervalWork):
        raise TypeError(f"{type(work).__name__} is no part of a tree of intervals")
    return work.intervals()


@dataclass(frozen=True, slots=True)
class Bundle:
    """Several pieces of work of one tree; work itself."""

    levels: int
    """Of the tree."""
    parts: Sequence[Work]
    """The pieces."""

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def intervals(self) -> Intervals:
        return Intervals.concatenate([Intervals.empty(self.levels), *map(intervals_in, self.parts)])
