"""What a portfolio shares the cores among."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

SLICE_NS = 2e7
"""Nominal nanoseconds of a slice: long enough to be worth a choice, short enough to be stopped."""


class Activity(Protocol):
    """Something that works in slices, one at a time and in any thread."""

    name: str
    """For statistics."""
    source: str
    """Stands in the history beside what it finds."""
    share: float
    """Of a core; 0 to rest."""

    @property
    def done(self) -> bool:
        """There is nothing left to do."""

    @property
    def urgent(self) -> bool:
        """Its next slice is next, whatever its share."""

    def step(self) -> float:
        """Work for about a slice; return how long that was, in nominal nanoseconds.

        Nominal times depend on counts alone: on one core the same happens in every run.
        """

    def interrupt(self) -> None:
        """Make a running slice end soon; may be called by any thread."""


@dataclass(slots=True)
class Account:
    """What an activity has cost."""

    seconds: float = 0.0
    nominal_ns: float = 0.0
    """Spent in its slices: by the clock, and nominally."""
    virtual: float = 0.0
    """Nominal time over share: whose is least is next."""
