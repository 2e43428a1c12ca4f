"""How a whole team stands: in figures for who watches, with all its work for who keeps it."""

from __future__ import annotations

from dataclasses import dataclass

from prunus.treesearch.interval.work import Bundle

__all__ = ["Snapshot", "Survey"]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of the whole team at one moment."""

    nodes: int
    leaves: int
    active: int
    explorers: int
    steals: int
    remaining: float


@dataclass(frozen=True, slots=True)
class Survey:
    """What a team has left and has done, of one state that the search was or could have been in.

    Attributes
    ----------
    work
        Everything open; it can be read later.
    explored
        Leaves passed, exactly.
    nodes, leaves
        Nodes branched, leaves reached.
    held
        Seconds for which the search was held up, on the device where that took longest.
    """

    work: Bundle
    explored: int
    nodes: int
    leaves: int
    held: float
