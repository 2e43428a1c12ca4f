"""What a search starts from: what an earlier run left, or what was known when a device failed."""

from __future__ import annotations

from dataclasses import dataclass

from prunus.errors import InputError
from prunus.runtime.checkpoint import Checkpoint
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.saved_intervals import intervals_of

__all__ = ["Before", "Known"]


@dataclass(frozen=True, slots=True)
class Known:
    """What was open and done at one moment of a search.

    Attributes
    ----------
    intervals
        What was open.
    explored
        Leaves of this tree that had been passed.
    nodes, leaves
        Nodes branched and leaves reached, in all runs.
    """

    intervals: Intervals
    explored: int = 0
    nodes: int = 0
    leaves: int = 0


class Before:
    """What was done and left open before; nothing and everything without an earlier run.

    Attributes
    ----------
    intervals, explored
        What is open, and the leaves that have been passed.
    nodes, leaves
        What has been branched and reached, less what the team's members count and was undone.
    below, proven, limit
        Of the rung of a climb.
    """

    def __init__(
        self, resumed: Checkpoint | None, radix: tuple[int, ...], above: tuple[int, int]
    ) -> None:
        self.nodes, self.leaves = above
        self.explored = 0
        self.below: int | None = None
        self.proven: int | None = None
        self.limit = 0.0
        self._whole = self.intervals = Intervals.whole(len(radix))
        if resumed is None or resumed.open_work is None:
            return
        try:
            intervals = intervals_of(resumed.open_work)
            intervals.check(radix)
        except InputError:
            raise
        except ValueError as error:
            raise InputError(f"the checkpoint does not fit its problem: {error}") from None
        self.nodes, self.leaves = resumed.nodes, resumed.leaves
        self.explored, self.intervals = resumed.explored, intervals
        self.below, self.proven = resumed.tree.get("below"), resumed.tree.get("proven")
        self.limit = float(resumed.tree.get("limit", 0.0))

    def forget(self) -> None:
        """Begin the tree anew; what was branched before still counts."""
        self.explored, self.intervals = 0, self._whole
