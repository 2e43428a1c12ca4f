"""What a problem tells the best-first search: what a node is, and where to begin."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from prunus.model.arrays import AnyArray, Int64Array
from prunus.treesearch.bestfirst.open_nodes import NodeBatch
from prunus.treesearch.bestfirst.space import NodeSpace

NodeData_contra = TypeVar("NodeData_contra", contravariant=True)
"""What ``branch`` reads: a tuple of arrays and numbers, with scratch memory."""


class BranchNode(Protocol[NodeData_contra]):
    """Bound a node and divide it, in compiled code."""

    def __call__(
        self,
        data: NodeData_contra,
        node: Int64Array,
        bound: int,
        cutoff: int,
        stop_flag: Int64Array,
        children: Int64Array,
        bounds: Int64Array,
        found: Int64Array,
    ) -> int:
        """Write a node's children; return how many they are.

        ``node`` is its row of words, ``bound`` what is known of it. Write the children that may
        hold a solution better than ``cutoff`` to the first rows of ``children`` and their bounds,
        no less than ``bound``, to ``bounds``; rows beyond those returned are scratch. A solution
        better than ``cutoff`` that is met goes to ``found``: its objective first, then the numbers
        that describe it. If ``stop_flag[0]`` is set meanwhile, the children may be chosen less
        carefully.
        """


@dataclass(frozen=True, slots=True, eq=False)
class BestFirstModel:
    """A problem as the best-first search sees it: a tree whose nodes are rows of words."""

    root: NodeBatch
    """The nodes at the beginning, usually one."""
    children: int
    """Rows that ``branch`` may write to."""
    solution_size: int
    """How many numbers describe a solution."""
    explore: Callable[..., int]
    """What ``compiled_search.compile_search`` makes of the problem's ``branch``."""
    data: Callable[[], tuple[object, ...]]
    """Makes what ``branch`` reads, with scratch memory for one core."""
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
