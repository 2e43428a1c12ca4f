"""An explorer on one core that branches its own open nodes, best bound first."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from prunus._native.treesearch import BestFirstSearch
from prunus.errors import DisagreementError
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.space import NodeBatch, NodeSpace, nodes_in
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
        self.search = model.search()
        self._model, self._max_open_nodes = model, max_open_nodes
        self._stop = np.zeros(1, np.int64)
        self._depth_first = False
        self._rate = FIRST_RATE
        self._loaded = 0.0
        """The share of the tree that has been given to it, and not away again."""

    @property
    def space(self) -> NodeSpace:
        return self._model.space

    @property
    def nodes(self) -> int:
        return self.search.nodes

    @property
    def leaves(self) -> int:
        """Nodes without children."""
        return self.search.leaves

    def load(self, work: Work) -> None:
        nodes = nodes_in(work)
        self.search.put(
            np.ascontiguousarray(nodes.bound),
            np.ascontiguousarray(nodes.share),
            np.ascontiguousarray(nodes.words),
        )
        self._loaded += float(nodes.share.sum())

    def interrupt(self) -> None:
        """Make a running ``explore`` return after the node under way; see ``Explorer``."""
        self._stop[0] = max(1, self._stop[0])

    def stop(self) -> None:
        """Have the node under way branched less carefully, and return."""
        self._stop[0] = 2

    def explore(self, incumbent: Incumbent, seconds: float) -> ExplorerStatistics:
        start = now = perf_counter()
        nodes, leaves = self.nodes, self.leaves
        while now - start < seconds and not self._stop[0]:
            limit = (BEST_FIRST_AGAIN if self._depth_first else 1.0) * self._max_open_nodes
            self._depth_first = self.search.open >= limit
            if not self.branch(incumbent, max(1, int(self._rate * (seconds - (now - start))))):
                break
            now = perf_counter()
        self._stop[0] = 0
        if now > start and self.nodes > nodes:
            self._rate = (self.nodes - nodes) / (perf_counter() - start)
        count = self.search.open
        return ExplorerStatistics(
            nodes=self.nodes - nodes,
            leaves=self.leaves - leaves,
            active=int(count > 0),
            explorers=1,
            exhausted=count == 0,
            remaining=max(0.0, self._loaded - self.search.fathomed),
            has_spare_work=count > 1,
            bound=self.search.least,
        )

    def branch(self, incumbent: Incumbent, budget: int) -> bool:
        """Branch up to so many nodes; return whether any is open still.

        It may stop before, to hand out a solution; then call it again.
        """
        status = self.search.explore(incumbent.shared_cutoff, self._stop, budget, self._depth_first)
        if status == BestFirstSearch.FOUND:
            self._offer(incumbent)
        return status != BestFirstSearch.EXHAUSTED

    def clear(self) -> None:
        self.search.clear()
        self._loaded = self.search.fathomed

    def split(self, fraction: float) -> NodeBatch:
        """Give away every second of the best nodes, whatever fraction is asked for."""
        nodes = NodeBatch(*self.search.donate())
        self._loaded -= float(nodes.share.sum())
        return nodes

    def state(self) -> tuple[list[Work], float]:
        """Return the open nodes and the share of the tree that is fathomed."""
        return [self.open_nodes()], self.search.fathomed

    def bound(self) -> int | None:
        """Return the least bound of an open node; None if there is none."""
        return self.search.least if self.search.open else None

    def statistics(self) -> dict[str, int]:
        """Return how many nodes are open, and 1 if this core has gone depth first, else 0."""
        return {"open_nodes": self.search.open, "depth_first": int(self._depth_first)}

    def open_nodes(self) -> NodeBatch:
        """Return all open nodes, which stay."""
        return NodeBatch(*self.search.all())

    def _offer(self, incumbent: Incumbent) -> None:
        found = self.search.found
        solution = self._model.solution(found[1:])
        objective = self._model.evaluate(solution)
        if objective != found[0]:
            raise DisagreementError(int(found[0]), objective)
        incumbent.offer(objective, solution, "tree search")
