"""A tree of nodes as those see it who hand its open nodes about."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from prunus.errors import InputError
from prunus.model.arrays import AnyArray
from prunus.runtime.checkpoint import Checkpoint, OpenWork
from prunus.treesearch.bestfirst.open_nodes import NodeBatch
from prunus.treesearch.model import SearchSpace, Work

__all__ = ["NodeSpace", "nodes_in", "saved_nodes"]

SHARE_ERROR = 1e-6
"""By so much, at most, the shares of all nodes may differ from the whole tree after rounding."""


def nodes_in(work: Work) -> NodeBatch:
    """Return work of a tree of nodes as nodes."""
    if not isinstance(work, NodeBatch):
        raise TypeError(f"{type(work).__name__} is no part of a tree of nodes")
    return work


@dataclass(frozen=True, slots=True, eq=False)
class NodeSpace(SearchSpace):
    """A ``SearchSpace`` whose work is nodes; sizes are shares of the tree.

    Attributes
    ----------
    root
        The nodes at the beginning, or in a checkpoint.
    arrays
        What gives their words a meaning, for checkpoints.
    """

    root: NodeBatch
    arrays: Mapping[str, AnyArray]
    size = 1.0

    def begin(self, resumed: Checkpoint | None) -> tuple[NodeBatch, float]:
        """Return the nodes at the beginning; what they have no share in is done."""
        return self.root, 1.0 - float(self.root.share.sum())

    def distribute(self, work: Work, count: int) -> list[Work]:
        """Deal nodes out in turn."""
        return [nodes_in(work)[i::count] for i in range(count)]

    def join(self, parts: Sequence[Work]) -> NodeBatch:
        """Return the nodes of all parts."""
        return NodeBatch.join([self.root[:0], *map(nodes_in, parts)])

    def on_host(self, work: Work) -> Work:
        """Return the same: nodes are nowhere else."""
        return work

    def is_whole(self, fathomed: float, work: Work) -> bool:
        """Return whether shares add up to the whole tree."""
        left = float(nodes_in(work).share.sum())
        return math.isclose(fathomed + left, 1.0, rel_tol=0.0, abs_tol=SHARE_ERROR)

    def prepare_saving(self) -> None:
        """Do nothing: nodes are kept as they are."""

    def saved(self, work: Work, fathomed: float) -> dict[str, Any]:
        """Return what a checkpoint keeps."""
        nodes = nodes_in(work)
        arrays = {name: getattr(nodes, name) for name in NodeBatch.__slots__}
        return {"open_work": OpenWork("node", len(nodes), lambda: {**arrays, **self.arrays})}


def saved_nodes(checkpoint: Checkpoint | None) -> NodeBatch | None:
    """Return the open nodes in a checkpoint, if there are any.

    Raises
    ------
    InputError
        If its arrays do not fit one another.
    """
    saved = None if checkpoint is None else checkpoint.open_work
    if saved is None:
        return None
    arrays = saved.arrays()
    found = [arrays.get(name, np.zeros(0)) for name in NodeBatch.__slots__]
    kinds = (np.dtype(np.int64), np.dtype(np.float64), np.dtype(np.int64))
    whole = (
        saved.unit == "node"
        and tuple(array.dtype for array in found) == kinds
        and tuple(array.ndim for array in found) == (1, 1, 2)
        and all(len(array) == saved.count for array in found)
    )
    if not whole:
        raise InputError("the checkpoint does not fit its problem: its open nodes are not whole")
    return NodeBatch(*found)
