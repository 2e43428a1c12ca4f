"""What makes explorers of the nodes of a branch and bound, in any process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from prunus.atsp.duplicate_cities import merge_duplicates
from prunus.atsp.problem import ATSP
from prunus.errors import InputError
from prunus.hardware.device import Device
from prunus.hardware.devices import available_cores
from prunus.model.arrays import AnyArray
from prunus.treesearch.bestfirst.explorer import BestFirstExplorer
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.search import max_open_nodes
from prunus.treesearch.bestfirst.space import NodeBatch, NodeSpace
from prunus.treesearch.model import ExplorerFactory


class _Bound(Protocol):
    """What the modules of both bounds have in common."""

    def resumed_tree(
        self, problem: ATSP, nodes: NodeBatch, arrays: Mapping[str, AnyArray]
    ) -> BestFirstModel:
        """Make the tree of a checkpoint."""


def tree_of(problem: ATSP, nodes: NodeBatch, arrays: Mapping[str, AnyArray]) -> BestFirstModel:
    """Make the tree of some nodes again, from the arrays that give their words a meaning."""
    bound: _Bound
    if "cap" in arrays:
        from prunus.atsp.assignment import tree as bound
    else:
        from prunus.atsp.arborescence import root as bound
    return bound.resumed_tree(problem, nodes, arrays)


@dataclass(frozen=True)
class NodeExplorerFactory(ExplorerFactory):
    """An instance, and what the words of a node mean.

    A node has so many ``words``; ``arrays`` are as in ``BestFirstModel.saved``.
    """

    problem: ATSP
    arrays: Mapping[str, AnyArray]
    words: int

    @cached_property
    def _tree(self) -> BestFirstModel:
        merged = merge_duplicates(self.problem)
        nodes = NodeBatch(np.zeros(0, np.int64), np.zeros(0), np.zeros((0, self.words), np.int64))
        tree = tree_of(merged.problem, nodes, self.arrays)
        return replace(tree, solution=merged.tour, evaluate=self.problem.whole_length)

    @property
    def space(self) -> NodeSpace:
        return self._tree.space

    @property
    def prefers_cores(self) -> bool:
        """GPUs have no kernel for these nodes."""
        return True

    def on_core(self, name: str) -> BestFirstExplorer:
        """Make an explorer on a core of a process that has all of them."""
        most = max_open_nodes(self._tree, available_cores())
        return BestFirstExplorer(self._tree, name, most)

    def on_gpu(self, device: Device) -> BestFirstExplorer:
        """Refuse."""
        raise InputError("an ATSP's branch and bound (method 'pool') runs on cores, not on GPUs")
