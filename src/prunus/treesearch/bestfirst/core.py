"""One core that searches a pool of its own."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.bestfirst import kernel as k
from prunus.treesearch.bestfirst.store import Nodes, Store
from prunus.treesearch.bestfirst.tree import PoolTree

__all__ = ["Core"]

SPARE = 0.9
"""A core whose pool was full searches best bound first again when it is down to this part."""


class Core:
    """Branches nodes of its pool.

    Parameters
    ----------
    tree
        What a node is.
    name
        For traces.
    most
        Nodes to keep before the search goes depth first.

    Attributes
    ----------
    store
        The open nodes.
    steals, idle_time
        Gifts taken, and seconds waited for them.
    """

    def __init__(self, tree: PoolTree, name: str, most: int) -> None:
        self.name = name
        self.store = Store(tree.words, tree.children, tree.solution_size)
        self.steals = 0
        self.idle_time = 0.0
        self.flag = np.zeros(1, np.int64)
        self.crowded = False
        self._tree, self._most = tree, most
        self._data = tree.data()
        self._rate = 1000.0

    @property
    def nodes(self) -> int:
        """Nodes branched."""
        return int(self.store.control[k.NODES])

    @property
    def leaves(self) -> int:
        """Nodes without children."""
        return int(self.store.control[k.LEAVES])

    def take(self, nodes: Nodes) -> None:
        """Add nodes."""
        self.store.put(nodes)

    def explore(self, incumbent: Incumbent, seconds: float) -> None:
        """Branch nodes for about so long, until nothing is open, or until ``flag`` is set."""
        start = now = perf_counter()
        before = self.nodes
        while now - start < seconds and not self.flag[0]:
            count = self.store.count
            self.crowded = count >= (SPARE if self.crowded else 1.0) * self._most
            if not self.branch(incumbent, max(1, int(self._rate * (seconds - (now - start))))):
                break
            now = perf_counter()
        if now > start and self.nodes > before:
            self._rate = (self.nodes - before) / (perf_counter() - start)

    def branch(self, incumbent: Incumbent, budget: int) -> bool:
        """Branch up to so many nodes; return whether any is open still.

        It may stop before, to hand out a solution or for want of room; then call it again.
        """
        status = self._tree.explore(
            self._data,
            self.store.room,
            self.store.control,
            incumbent.shared_cutoff,
            self.flag,
            budget,
            self.crowded,
        )
        if status == k.FOUND:
            self._offer(incumbent)
        elif status == k.CROWDED:
            self.store.grow()
        return bool(status != k.EXHAUSTED)

    def _offer(self, incumbent: Incumbent) -> None:
        found = self.store.room.found
        solution = self._tree.solution(found[1:].copy())
        objective = self._tree.evaluate(solution)
        if objective != found[0]:
            raise AssertionError(f"the search says {found[0]}, the solution is worth {objective}")
        incumbent.offer(objective, solution, "tree search")
