"""What a beam search is asked for and what it returns, on whatever device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from prunus.model.arrays import Int64Array


class Guide(NamedTuple):
    """What the nodes of a level are ordered by beside their bound, where there is a choice."""

    weight: float
    """How much it counts."""
    slant: float = 0.0
    """Its form, where there are several."""


@dataclass(frozen=True, slots=True)
class BeamResult:
    """What one beam found."""

    solution: Int64Array | None
    """The best solution below the cutoff; None if the beam reached none."""
    cost: int | None
    """Its cost, as the beam counts it."""
    complete: bool
    """No child below the cutoff was dropped: there is no solution better than the one found, or
    none below the cutoff."""
    evaluated: int
    """Children whose bound was computed."""
    stopped: bool = False
    """The beam was given up between two levels because ``should_stop`` said so."""


class DeviceBeam(Protocol):
    """Beam search of one instance on a device whose memory others want as well."""

    @property
    def widest(self) -> int:
        """Nodes a level for which the device has memory."""

    @property
    def narrowest(self) -> int:
        """Nodes a level for which all of it has work: narrower beams take as long."""

    def search(
        self,
        width: int,
        *,
        guide: Guide,
        cutoff: int,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> BeamResult:
        """Run one beam.

        ``width`` nodes are kept of a level, ordered by their bound and the guide. Only solutions
        whose cost is below the cutoff are of use; ``should_stop`` is asked between levels.
        """

    def release(self) -> None:
        """Give the memory of all levels back."""
