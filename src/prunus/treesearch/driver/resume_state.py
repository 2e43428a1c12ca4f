"""What a search starts from: what an earlier run left, or what was known when a device failed."""

from __future__ import annotations

from dataclasses import dataclass

from prunus.runtime.checkpoint import Checkpoint
from prunus.runtime.trace import Trace
from prunus.treesearch.model import SearchSpace, Work


@dataclass(frozen=True, slots=True)
class LastSnapshot:
    """What was open and done when it was last looked at."""

    work: Work
    """What was open."""
    fathomed: float = 0
    """How much of this tree had been fathomed."""
    nodes: int = 0
    leaves: int = 0
    """Nodes branched and leaves reached, in all runs."""


class ResumeState:
    """What was done and left open before; nothing and everything without an earlier run.

    Raises ``InputError`` if the checkpoint does not fit the tree.

    ``above`` are nodes and leaves above the tree, if no earlier run has counted them. ``nodes`` and
    ``leaves`` are less what the members of the scheduler count and what was undone. ``target``,
    ``lower_bound`` and ``node_limit``, the nodes after which the target is given up, are those of a
    destructive lower bound under way; ``search_time`` and ``trace`` the seconds of this run that
    were searched already, and what was done then.
    """

    def __init__(
        self, space: SearchSpace, resumed: Checkpoint | None, above: tuple[int, int] = (0, 0)
    ) -> None:
        self.nodes, self.leaves = above
        self.target: int | None = None
        self.lower_bound: int | None = None
        self.node_limit = 0.0
        self.search_time = 0.0
        self.trace: Trace | None = None
        self._space = space
        self.work, self.fathomed = space.begin(resumed)
        if resumed is None or resumed.open_work is None:
            return
        self.nodes, self.leaves = resumed.nodes, resumed.leaves
        target, bound = resumed.tree_number("below"), resumed.tree_number("proven")
        self.target = None if target is None else int(target)
        self.lower_bound = None if bound is None else int(bound)
        self.node_limit = float(resumed.tree_number("limit") or 0.0)

    @property
    def complete(self) -> bool:
        return len(self.work) == 0

    def restart_tree(self) -> None:
        """Begin the tree anew; what was branched before still counts."""
        self.work, self.fathomed = self._space.begin(None)
