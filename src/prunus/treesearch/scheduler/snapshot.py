"""The state of a whole search: counters for display, and with all open work for checkpoints."""

from __future__ import annotations

from dataclasses import dataclass

from prunus.treesearch.model import Work


@dataclass(frozen=True, slots=True)
class SearchCounters:
    """Counters of all members together; cheap, and not all of the same moment."""

    nodes: int
    leaves: int
    active: int
    explorers: int
    steals: int
    remaining: float
    """As in ``ExplorerStatistics``."""
    bound: int | None
    """No open node has a lower bound below this; None if that is not known."""


@dataclass(frozen=True, slots=True)
class MemberState:
    """What a member had open and had done at one moment."""

    work: list[Work]
    """What is open; it can be read later."""
    fathomed: float
    """How much is fathomed."""
    nodes: int
    leaves: int
    """Nodes branched, leaves reached."""
    held_s: float
    """Seconds for which the search on the device was held up to see it."""


@dataclass(frozen=True, slots=True)
class ConsistentSnapshot:
    """What all members have open and have done, in a state that the search could have been in."""

    work: Work
    """Everything open; it can be read later."""
    fathomed: float
    """How much is fathomed: with ``work`` it is the whole tree."""
    nodes: int
    leaves: int
    """Nodes branched, leaves reached."""
    held_s: float
    """Seconds for which the search was held up, on the device where that took longest."""
