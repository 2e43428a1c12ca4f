"""The state of a whole search: counters for display, and with all open work for checkpoints."""

from __future__ import annotations

from dataclasses import dataclass

from prunus.treesearch.model import Work

__all__ = ["ConsistentSnapshot", "MemberState", "SearchCounters"]


@dataclass(frozen=True, slots=True)
class SearchCounters:
    """Counters of all members together; cheap, and not all of the same moment.

    Attributes
    ----------
    nodes, leaves, active, explorers, steals, remaining
        As in ``ExplorerStatistics``.
    bound
        No open node has a lower bound below this; None if that is not known.
    """

    nodes: int
    leaves: int
    active: int
    explorers: int
    steals: int
    remaining: float
    bound: int | None


@dataclass(frozen=True, slots=True)
class MemberState:
    """What a member had open and had done at one moment.

    Attributes
    ----------
    work
        What is open; it can be read later.
    fathomed
        How much is fathomed.
    nodes, leaves
        Nodes branched, leaves reached.
    held_s
        Seconds for which the search on the device was held up to see it.
    """

    work: list[Work]
    fathomed: float
    nodes: int
    leaves: int
    held_s: float


@dataclass(frozen=True, slots=True)
class ConsistentSnapshot:
    """What all members have open and have done, in a state that the search could have been in.

    Attributes
    ----------
    work
        Everything open; it can be read later.
    fathomed
        How much is fathomed: with ``work`` it is the whole tree.
    nodes, leaves
        Nodes branched, leaves reached.
    held_s
        Seconds for which the search was held up, on the device where that took longest.
    """

    work: Work
    fathomed: float
    nodes: int
    leaves: int
    held_s: float
