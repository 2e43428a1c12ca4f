"""What a search starts from: what an earlier run left, or what was known when a device failed."""

from __future__ import annotations

from dataclasses import dataclass

from prunus.errors import InputError
from prunus.runtime.checkpoint import Checkpoint
from prunus.runtime.trace import Trace
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.interval.lengths import measure
from prunus.treesearch.interval.saved_intervals import intervals_of

__all__ = ["LastSnapshot", "ResumeState"]


@dataclass(frozen=True, slots=True)
class LastSnapshot:
    """What was open and done when it was last looked at.

    Attributes
    ----------
    intervals
        What was open.
    fathomed
        Leaves of this tree that had been fathomed.
    nodes, leaves
        Nodes branched and leaves reached, in all runs.
    """

    intervals: Intervals
    fathomed: int = 0
    nodes: int = 0
    leaves: int = 0


class ResumeState:
    """What was done and left open before; nothing and everything without an earlier run.

    Attributes
    ----------
    intervals, fathomed
        What is open, and the leaves that have been fathomed.
    nodes, leaves
        What has been branched and reached, less what the members of the scheduler count and what
        was undone.
    target, lower_bound, node_limit
        Of a destructive lower bound under way: the target, what is proven, and the nodes after
        which the target is given up.
    search_time, trace
        The seconds of this run that were searched already, and what was done then.
    """

    def __init__(
        self, resumed: Checkpoint | None, radix: tuple[int, ...], above: tuple[int, int]
    ) -> None:
        self.nodes, self.leaves = above
        self.fathomed = 0
        self.target: int | None = None
        self.lower_bound: int | None = None
        self.node_limit = 0.0
        self.search_time = 0.0
        self.trace: Trace | None = None
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
        self.fathomed, self.intervals = resumed.explored, intervals
        if self.fathomed + measure(intervals, radix) != leaves(radix):
            raise InputError(
                "the checkpoint does not fit its problem: what is done and what is open are not "
                "the whole tree"
            )
        target, bound = resumed.tree_number("below"), resumed.tree_number("proven")
        self.target = None if target is None else int(target)
        self.lower_bound = None if bound is None else int(bound)
        self.node_limit = float(resumed.tree_number("limit") or 0.0)

    @property
    def complete(self) -> bool:
        """Whether nothing is open."""
        return len(self.intervals) == 0

    def restart_tree(self) -> None:
        """Begin the tree anew; what was branched before still counts."""
        self.fathomed, self.intervals = 0, self._whole
