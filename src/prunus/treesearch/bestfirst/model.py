"""What a problem tells the best-first search: what a node is, and where to begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from prunus._native.treesearch import BestFirstSearch
from prunus.model.arrays import AnyArray, Int64Array
from prunus.treesearch.bestfirst.space import NodeBatch, NodeSpace


@dataclass(frozen=True, slots=True, eq=False)
class BestFirstModel:
    """A problem as the best-first search sees it: a tree whose nodes are rows of words."""

    root: NodeBatch
    """The nodes at the beginning, usually one."""
    search: Callable[[], BestFirstSearch]
    """Makes the search of one core, without a node."""
    solution: Callable[[Int64Array], Int64Array]
    """Turns the numbers that describe a solution into one."""
    evaluate: Callable[[Int64Array], int]
    """The problem's own plain evaluation of a solution."""
    saved: Mapping[str, AnyArray] = field(default_factory=dict)
    """Arrays that give the words their meaning, for checkpoints."""

    @property
    def space(self) -> NodeSpace:
        """The tree, for those who hand its nodes about."""
        return NodeSpace(self.root, self.saved)

    @property
    def words(self) -> int:
        """How many words a node has."""
        return int(self.root.words.shape[1])
