"""An explorer on one core that branches its own open nodes, best bound first."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.bestfirst.compiled_search import EXHAUSTED, FOUND, NO_ROOM
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.open_nodes import NodeBatch, OpenNodes

__all__ = ["BestFirstExplorer"]

BEST_FIRST_AGAIN = 0.9
"""A core that went depth first is best-first again when it holds this part of the nodes it may."""

FIRST_RATE = 1000.0
"""Nodes a second that a core is taken to branch before it has been measured."""


class BestFirstExplorer:
    """Branches the nodes that it holds.

    Parameters
    ----------
    model
        What a node is.
    name
        For traces.
    max_open_nodes
        Nodes to keep before the search goes depth first.

    Attributes
    ----------
    open
        The open nodes.
    depth_first
        It holds so many nodes that it searches depth first.
    steals, idle_time
        Donations taken, and seconds waited for them.
    """

    def __init__(self, model: BestFirstModel, name: str, max_open_nodes: int) -> None:
        self.name = name
        self.open = OpenNodes(model.words, model.children, model.solution_size)
        self.steals = 0
        self.idle_time = 0.0
        self.stop_flag = np.zeros(1, np.int64)
        self.depth_first = False
        self._model, self._max_open_nodes = model, max_open_nodes
        self._data = model.data()
        self._rate = FIRST_RATE

    @property
    def nodes(self) -> int:
        """Nodes branched."""
        return int(self.open.counts.nodes)

    @property
    def leaves(self) -> int:
        """Nodes without children."""
        return int(self.open.counts.leaves)

    def load(self, nodes: NodeBatch) -> None:
        """Add nodes."""
        self.open.put(nodes)

    def explore(self, incumbent: Incumbent, seconds: float) -> None:
        """Branch nodes for about so long, until nothing is open, or until ``stop_flag`` is set."""
        start = now = perf_counter()
        before = self.nodes
        while now - start < seconds and not self.stop_flag[0]:
            count = self.open.count
            self.depth_first = (
                count >= (BEST_FIRST_AGAIN if self.depth_first else 1.0) * self._max_open_nodes
            )
            if not self.branch(incumbent, max(1, int(self._rate * (seconds - (now - start))))):
                break
            now = perf_counter()
        if now > start and self.nodes > before:
            self._rate = (self.nodes - before) / (perf_counter() - start)

    def branch(self, incumbent: Incumbent, budget: int) -> bool:
        """Branch up to so many nodes; return whether any is open still.

        It may stop before, to hand out a solution or for want of room; then call it again.
        """
        status = self._model.explore(
            self._data,
            self.open.arrays,
            self.open.counts,
            incumbent.shared_cutoff,
            self.stop_flag,
            budget,
            self.depth_first,
        )
        if status == FOUND:
            self._offer(incumbent)
        elif status == NO_ROOM:
            self.open.grow()
        return bool(status != EXHAUSTED)

    def _offer(self, incumbent: Incumbent) -> None:
        found = self.open.arrays.found
        solution = self._model.solution(found[1:].copy())
        objective = self._model.evaluate(solution)
        if objective != found[0]:
            raise AssertionError(f"the search says {found[0]}, the solution is worth {objective}")
        incumbent.offer(objective, solution, "tree search")
