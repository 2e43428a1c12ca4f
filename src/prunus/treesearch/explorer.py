"""What a device must offer to take part in a search.

An explorer holds open intervals of one tree and explores them. Everything around it (stealing
between devices, the deadline, progress, checkpoints) is written against this protocol alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from prunus.runtime.incumbent import NO_INCUMBENT, Incumbent
from prunus.treesearch.interval.work import Work

__all__ = ["NO_INCUMBENT", "Explorer", "Incumbent", "Report"]


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
    can_give
        There is work to spare: others may ask for some. It may say so wrongly.
    received
        Gifts that linked explorers made while this one ran.
    starved
        Seconds in which the whole device waited for one.
    """

    nodes: int
    leaves: int
    active: int
    explorers: int
    exhausted: bool
    steals: int = 0
    remaining: float = math.nan
    can_give: bool = True
    received: int = 0
    starved: float = 0.0


class Explorer(Protocol):
    """One device's share of a search. All methods but ``interrupt`` are called by one thread."""

    name: str
    radix: tuple[int, ...]
    power: float
    """Rough relative speed: a core is 1, a GPU a few hundred."""
    reliable: bool
    """False for a device that can fail on its own, by a ``DeviceError``, while others go on."""
    linked: bool
    """Whether it and others that are linked give each other work while they run."""
    sharing: bool
    """Whether it may do so in the next ``explore``; set by those who look at all explorers."""

    def load(self, work: Work) -> None:
        """Add work to what is open."""

    def explore(self, incumbent: Incumbent, seconds: float) -> Report:
        """Explore for about so long; return earlier when out of work or interrupted.

        Better solutions are offered to the incumbent as they are found, re-evaluated by plain code.
        """

    def interrupt(self) -> None:
        """Make a running ``explore`` return soon; may be called by any thread."""

    def clear(self) -> None:
        """Forget all open work: another search of the same tree begins."""

    def split(self, fraction: float) -> Work:
        """Give away about this fraction of the open work, possibly nothing."""

    def state(self) -> tuple[list[Work], int]:
        """Return all open work, which stays here, and how many leaves have been passed, exactly.

        Leaves are passed when they are visited or pruned, and accounted for from the ends of the
        explorer's own intervals: over all explorers of a finished search the numbers add up to the
        whole tree, which proves that nothing was lost or done twice. What is returned stays what it
        is while the search goes on.
        """

    def bound(self) -> int | None:
        """Return the least lower bound over all open nodes, or None if nothing is open."""
