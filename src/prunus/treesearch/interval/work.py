"""Work of a tree of intervals: anything that can be read as intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeGuard

from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.model import Work


class IntervalWork(Work, Protocol):
    """Work that every explorer of intervals takes; a GPU takes the entries of another as they are.

    ``Intervals`` are work.
    """

    def intervals(self) -> Intervals:
        """Return it as intervals; may wait for a copy from a device and may raise a DeviceError."""


def is_interval_work(work: Work) -> TypeGuard[IntervalWork]:
    """Tell whether it is that; to ask a Protocol takes 30 microseconds."""
    return hasattr(work, "intervals")


def intervals_in(work: Work) -> Intervals:
    """Return work as intervals; see ``IntervalWork``."""
    if not is_interval_work(work):
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
