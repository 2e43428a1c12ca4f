"""Open nodes, and a tree of them as those see it who hand them about."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from prunus.errors import InputError
from prunus.model.arrays import AnyArray, FloatArray, Int64Array
from prunus.runtime.checkpoint import Checkpoint, OpenWork
from prunus.treesearch.model import SearchSpace, Work

SHARE_ERROR = 1e-6
"""By this part, at most, shares may differ from what they should add up to, after rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class NodeBatch:
    """Open nodes; ``Work`` of the best-first search."""

    bound: Int64Array
    share: FloatArray
    words: Int64Array
    """Of each node: its lower bound, the share of the tree that it is taken for, its row."""

    @classmethod
    def join(cls, parts: Sequence[NodeBatch]) -> NodeBatch:
        return cls(*(np.concatenate([getattr(p, name) for p in parts]) for name in cls.__slots__))

    def __len__(self) -> int:
        return len(self.bound)

    def __getitem__(self, which: slice | AnyArray) -> NodeBatch:
        return NodeBatch(self.bound[which], self.share[which], self.words[which])


def nodes_in(work: Work) -> NodeBatch:
    """Return work of a tree of nodes as nodes."""
    if not isinstance(work, NodeBatch):
        raise TypeError(f"{type(work).__name__} is no part of a tree of nodes")
    return work


@dataclass(frozen=True, slots=True, eq=False)
class NodeSpace(SearchSpace):
    """A ``SearchSpace`` whose work is nodes; sizes are shares of the tree."""

    root: NodeBatch
    """The nodes at the beginning, or in a checkpoint."""
    arrays: Mapping[str, AnyArray]
    """What gives their words a meaning, for checkpoints."""
    size = 1.0

    def begin(self, resumed: Checkpoint | None) -> tuple[NodeBatch, float]:
        """Return the nodes at the beginning; what they have no share in is done."""
        return self.root, 1.0 - float(self.root.share.sum())

    def distribute(self, work: Work, count: int) -> list[Work]:
        """Deal nodes out in turn."""
        return [nodes_in(work)[i::count] for i in range(count)]

    def join(self, parts: Sequence[Work]) -> NodeBatch:
        return NodeBatch.join([self.root[:0], *map(nodes_in, parts)])

    def measure(self, work: Work) -> float:
        """Return the share of the tree that some nodes stand for."""
        if not isinstance(work, NodeBatch) or not _is_whole(work, self.root.words.shape[1]):
            raise ValueError("its nodes are incomplete")
        return float(work.share.sum())

    def bound(self, work: Work) -> int | None:
        """Return the least bound of some nodes, None if there are none."""
        return int(nodes_in(work).bound.min()) if len(work) else None

    def is_same(self, one: float, other: float) -> bool:
        return math.isclose(one, other, rel_tol=SHARE_ERROR, abs_tol=1e-12)

    def take(self, work: Work, count: int) -> tuple[NodeBatch, NodeBatch]:
        """Divide nodes: so many, as good as the others, and the others."""
        nodes = nodes_in(work)
        order = np.argsort(nodes.bound, kind="stable")
        taken = np.zeros(len(nodes), np.bool_)
        taken[order[np.arange(count) * len(nodes) // count]] = True
        return nodes[taken], nodes[~taken]

    def saved(self, work: Work, fathomed: float) -> dict[str, Any]:
        nodes = nodes_in(work)
        arrays = {name: getattr(nodes, name) for name in NodeBatch.__slots__}
        return {"open_work": OpenWork("node", len(nodes), lambda: {**arrays, **self.arrays})}


def saved_nodes(checkpoint: Checkpoint | None) -> NodeBatch | None:
    """Return the open nodes in a checkpoint, if there are any.

    Raises ``InputError`` if its arrays do not fit one another.
    """
    saved = None if checkpoint is None else checkpoint.open_work
    if saved is None:
        return None
    arrays = saved.arrays()
    nodes = NodeBatch(*(arrays.get(name, np.zeros(0)) for name in NodeBatch.__slots__))
    if saved.unit != "node" or not _is_whole(nodes) or len(nodes) != saved.count:
        raise InputError("the checkpoint does not fit its problem: its open nodes are incomplete")
    return nodes


def _is_whole(nodes: NodeBatch, words: int | None = None) -> bool:
    """Tell whether arrays are nodes of one tree, with so many words a node."""
    arrays = nodes.bound, nodes.share, nodes.words
    kinds = np.dtype(np.int64), np.dtype(np.float64), np.dtype(np.int64)
    return (
        all(isinstance(array, np.ndarray) for array in arrays)
        and tuple(array.dtype for array in arrays) == kinds
        and tuple(array.ndim for array in arrays) == (1, 1, 2)
        and all(len(array) == len(nodes) for array in arrays)
        and words in (None, nodes.words.shape[1])
        and bool((nodes.share >= 0).all())
        and float(nodes.share.sum()) <= 1.0 + SHARE_ERROR
    )
