"""An explorer on one core that branches its own open nodes, best bound first."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from prunus.errors import DisagreementError
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.bestfirst.compiled_search import EXHAUSTED, FOUND, NO_ROOM
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.open_nodes import NodeBatch, OpenNodes
from prunus.treesearch.bestfirst.space import NodeSpace, nodes_in
from prunus.treesearch.model import Explorer, ExplorerStatistics, Work

BEST_FIRST_AGAIN = 0.9
"""A core that went depth first is best-first again when it holds this part of the nodes it may."""

FIRST_RATE = 1000.0
"""Nodes a second that a core is taken to branch before it has been measured."""


class BestFirstExplorer(Explorer):
    """Branches the nodes that it holds; an ``Explorer``.

    The name is for traces. With more than ``max_open_nodes`` nodes the search goes depth first.
    """

    power = 1.0
    reliable = True

    def __init__(self, model: BestFirstModel, name: str, max_open_nodes: int) -> None:
        self.name = name
        self.open = OpenNodes(model.words, model.children, model.solution_size)
        self._model, self._max_open_nodes = model, max_open_nodes
        self._data = model.data()
        self._stop_flags = np.zeros(2, np.int64)
        self._depth_first = False
        self._rate = FIRST_RATE
        self._loaded = 0.0
        """The share of the tree that has been given to it, and not away again."""

    @property
    def space(self) -> NodeSpace:
        return self._model.space

    @property
    def nodes(self) -> int:
        return int(self.open.counts.nodes)

    @property
    def leaves(self) -> int:
        """Nodes without children."""
        return int(self.open.counts.leaves)

    def load(self, work: Work) -> None:
        nodes = nodes_in(work)
        self.open.put(nodes)
        self._loaded += float(nodes.share.sum())

    def interrupt(self) -> None:
        """Make a running ``explore`` return after the node under way; see ``Explorer``."""
        self._stop_flags[1] = 1

    def stop(self) -> None:
        """Have the node under way branched less carefully, and return."""
        self._stop_flags[:] = 1

    def explore(self, incumbent: Incumbent, seconds: float) -> ExplorerStatistics:
        start = now = perf_counter()
        nodes, leaves = self.nodes, self.leaves
        while now - start < seconds and not self._stop_flags[1]:
            limit = (BEST_FIRST_AGAIN if self._depth_first else 1.0) * self._max_open_nodes
            self._depth_first = self.open.count >= limit
            if not self.branch(incumbent, max(1, int(self._rate * (seconds - (now - start))))):
                break
            now = perf_counter()
        self._stop_flags[:] = 0
        if now > start and self.nodes > nodes:
            self._rate = (self.nodes - nodes) / (perf_counter() - start)
        count = self.open.count
        return ExplorerStatistics(
            nodes=self.nodes - nodes,
            leaves=self.leaves - leaves,
            active=int(count > 0),
            explorers=1,
            exhausted=count == 0,
            remaining=max(0.0, self._loaded - self._fathomed),
            has_spare_work=count > 1,
            bound=self.open.least(),
        )

    def branch(self, incumbent: Incumbent, budget: int) -> bool:
        """Branch up to so many nodes; return whether any is open still.

        It may stop before, to hand out a solution or for want of room; then call it again.
        """
        status = self._model.explore(
            self._data,
            self.open.arrays,
            self.open.counts,
            incumbent.shared_cutoff,
            self._stop_flags,
            budget,
            self._depth_first,
        )
        if status == FOUND:
            self._offer(incumbent)
        elif status == NO_ROOM:
            self.open.grow()
        return bool(status != EXHAUSTED)

    def clear(self) -> None:
        self.open.clear()
        self._loaded = self._fathomed

    def split(self, fraction: float) -> NodeBatch:
        """Give away every second of the best nodes, whatever fraction is asked for."""
        nodes = self.open.donate()
        self._loaded -= float(nodes.share.sum())
        return nodes

    def state(self) -> tuple[list[Work], float]:
        """Return the open nodes and the share of the tree that is fathomed."""
        return [self.open.all()], self._fathomed

    def bound(self) -> int | None:
        """Return the least bound of an open node; None if there is none."""
        return self.open.least() if self.open.count else None

    def statistics(self) -> dict[str, int]:
        """Return how many nodes are open, and 1 if this core has gone depth first, else 0."""
        return {"open_nodes": self.open.count, "depth_first": int(self._depth_first)}

    @property
    def _fathomed(self) -> float:
        return float(self.open.counts.fathomed)

    def _offer(self, incumbent: Incumbent) -> None:
        found = self.open.arrays.found
        solution = self._model.solution(found[1:].copy())
        objective = self._model.evaluate(solution)
        if objective != found[0]:
            raise DisagreementError(int(found[0]), objective)
        incumbent.offer(objective, solution, "tree search")
