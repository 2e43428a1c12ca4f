"""Branch and bound: first tours, the root, which bound suits the instance, then the tree.

The assignment bound is cheap, and near the optimum where distances are unrelated; 1-arborescences
are dear, and near it where distances are those of places. Which bound suits an instance shows in
the first nodes with the assignment bound: that tree is searched on if they let expect an end, or if
the root of the other one leaves more than half of the gap that the first hundred of them have left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from prunus.atsp.assignment.probe import probe
from prunus.atsp.assignment.relaxation import AssignmentRelaxation, assignment_relaxation
from prunus.atsp.duplicate_cities import merge_duplicates
from prunus.atsp.explorer_factory import NodeExplorerFactory, tree_of
from prunus.atsp.first_tours import FirstTours
from prunus.atsp.problem import ATSP
from prunus.atsp.symmetry import NEARLY_SYMMETRIC, symmetry
from prunus.hardware.devices import Devices
from prunus.runtime.outcome import Outcome
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.search import core_explorers, search
from prunus.treesearch.bestfirst.space import saved_nodes
from prunus.treesearch.driver.explorers import explorers_on
from prunus.treesearch.model import Explorer
from prunus.treesearch.options import StealingPolicy

if TYPE_CHECKING:
    from prunus.atsp.arborescence.pricing import SparseAscent
    from prunus.atsp.arborescence.root import Root

ARBORESCENCE = "1-arborescence"
"""What a result's history calls tours that this relaxation meets."""

MANY_ARCS = 10_000
"""From so many arcs on prices are found on few of them."""

TOO_MANY_ARCS = 200_000
"""Under a limit, no tree is searched while so many arcs are left: it would get nowhere."""

EASY_ARCS = 6
"""So many arcs a city are left at the root of a tree that ends soon. Where more are, its time grows
by the third power of their number, and local search is worth as much more."""

POLLED_ARCS = 3000
"""From so many arcs on a round of ascent takes long enough to be stopped in its midst."""


def run(
    problem: ATSP, heuristics: bool, bound: str, devices: Devices, monitor: AnyMonitor, seed: int
) -> Outcome:
    """Solve an instance as well as the monitor allows.

    With ``heuristics`` first tours are looked for before the tree is searched; the bound is
    ``"assignment"``, ``"arborescence"`` or ``"auto"``.
    """
    return _BranchAndBound(problem, heuristics, bound, devices, monitor, seed).run()


class _BranchAndBound:
    """One solve."""

    def __init__(
        self,
        problem: ATSP,
        heuristics: bool,
        relaxation: str,
        devices: Devices,
        monitor: AnyMonitor,
        seed: int,
    ) -> None:
        self._relaxation, self._devices, self._monitor = relaxation, devices, monitor
        self._merged = merge_duplicates(problem)
        self._problem = self._merged.problem
        self._bound, self._root_bound = monitor.at_least(0), 0
        before = monitor.resumed
        self._before = (0, 0) if before is None else (before.nodes, before.leaves)
        self._nodes = self._leaves = 0
        self._tours = FirstTours(
            self._merged,
            lambda: self._relaxed,
            monitor,
            self._poll,
            wanted=heuristics,
            cores=max(1, devices.cores),
            seed=seed,
        )

    def run(self) -> Outcome:
        monitor = self._monitor
        begun: BestFirstModel | Outcome | None = None
        explorers: Sequence[Explorer] | None = None
        try:
            with monitor.interruptible():
                begun = self._resume() or self._begin()
                if isinstance(begun, BestFirstModel):
                    begun = self._whole(begun)
                    explorers = self._explorers(begun)
            if isinstance(begun, Outcome):
                return begun
            if begun is None or explorers is None:
                return self._stopped()
            return search(
                begun,
                monitor,
                explorers,
                root_bound=self._bound,
                nodes=self._nodes,
                leaves=self._leaves,
            )
        finally:
            self._tours.close()

    def _explorers(self, tree: BestFirstModel) -> Sequence[Explorer]:
        """Make an explorer for each core, or one for all workers of an executor."""
        cores = self._tours.give_cores()
        if self._devices.engine is None:
            return core_explorers(tree, cores)
        problem, policy = self._merged.whole, StealingPolicy.HALF
        factory = NodeExplorerFactory(problem, policy, tree.saved, tree.words)
        return explorers_on(self._devices, factory, self._monitor)

    @cached_property
    def _relaxed(self) -> AssignmentRelaxation:
        return assignment_relaxation(self._problem, lambda: self._poll("bounding"))

    def _resume(self) -> BestFirstModel | Outcome | None:
        """Return the tree of a checkpoint that has one, or what is made of it."""
        monitor = self._monitor
        nodes = saved_nodes(monitor.resumed)
        saved = None if monitor.resumed is None else monitor.resumed.open_work
        if nodes is None or saved is None:
            return None
        arrays = saved.arrays()
        if self._bound >= monitor.incumbent.cutoff:
            return self._proven()
        tree = tree_of(self._problem, nodes, arrays)
        return self._chosen(tree) if "cap" in arrays else tree

    def _begin(self) -> BestFirstModel | Outcome:
        """Bound the root; return the tree, or what proves or stops it."""
        problem, incumbent = self._problem, self._monitor.incumbent
        if problem.cities == 1:
            self._tours.offer(np.zeros(1, np.int64), "only tour")
            return self._proven()
        self._tours.offer_nearest()
        self._bound = max(self._bound, self._relaxed.bound)
        if not self._relaxed.complete:
            return self._stopped()
        self._tours.offer_some()
        if self._bound >= incumbent.cutoff:
            return self._proven()
        if self._tours.is_scattered:
            self._tours.improve_beside()
            alike = symmetry(problem.distances) >= NEARLY_SYMMETRIC
            if alike and self._relaxation == "auto":
                return self._arborescences()
        if self._relaxation == "arborescence":
            return self._arborescences()
        if self._poll("bounding"):
            return self._stopped()
        from prunus.atsp.assignment.tree import tree

        cap = min(incumbent.cutoff, self._tours.longest + 1)
        return self._chosen(tree(problem, self._relaxed, cap))

    def _chosen(self, tree: BestFirstModel) -> BestFirstModel | Outcome:
        """Return a tree of the assignment bound, if that suits the instance, or the other one."""
        if self._relaxation != "auto" or not len(tree.root):
            return tree
        probed = probe(
            self._whole(tree),
            self._monitor.incumbent,
            int(tree.saved["cap"][0]),
            lambda bound, nodes: self._poll("tree search", bound, self._before[0] + nodes),
        )
        self._bound = max(self._bound, probed.bound)
        self._nodes, self._leaves = probed.nodes, probed.leaves
        tree = replace(tree, root=probed.open)
        if not probed.hopeless:
            return tree
        other = self._arborescences()
        if isinstance(other, Outcome):
            return other if other.complete else tree
        top = min(int(tree.saved["cap"][0]), self._monitor.incumbent.cutoff)
        return other if 2 * (top - self._root_bound) <= top - probed.early_bound else tree

    def _arborescences(self) -> BestFirstModel | Outcome:
        """Find first tours and bound the root by 1-arborescences; return what it comes to."""
        from prunus.atsp.arborescence.root import Root

        problem, incumbent = self._problem, self._monitor.incumbent
        relaxed = self._relaxed
        self._tours.improve()
        if self._poll("bounding"):
            return self._stopped()
        sparse = self._sparse_ascent()
        if self._bound >= incumbent.cutoff:
            return self._proven()
        if sparse is not None and not self._saturated():
            return self._stopped()
        root = Root(problem, relaxed, incumbent.cutoff, self._tours.best, sparse)
        if self._tours.beside is not None and root.arcs > TOO_MANY_ARCS:
            return self._proven() if self._saturated(endless=True) else self._stopped()
        self._root_bound = root.bound
        while self._bound < incumbent.cutoff and not root.done:
            if not self._ascend(root):
                return self._stopped()
        if self._bound < incumbent.cutoff:
            before = incumbent.cutoff
            self._tours.improve_further((root.arcs / problem.cities / EASY_ARCS) ** 3)
            if incumbent.cutoff < before and not self._ascend(root):
                return self._stopped()
        if not self._saturated():
            return self._stopped()
        if self._bound >= incumbent.cutoff:
            return self._proven()
        return self._stopped() if self._poll("tree search") else root.tree()

    def _ascend(self, root: Root) -> bool:
        """Raise the bound of the root for a round; return False if there is no time for it."""
        if self._poll("bounding"):
            return False
        with self._monitor.heuristics.timing(ARBORESCENCE):
            tour = root.ascend(
                self._monitor.incumbent.cutoff,
                (lambda: self._poll("bounding")) if root.arcs >= POLLED_ARCS else None,
            )
        if tour is not None:
            self._tours.offer(tour, ARBORESCENCE)
        self._root_bound = root.bound
        self._bound = max(self._bound, root.bound)
        return True

    def _saturated(self, *, endless: bool = False) -> bool:
        """Wait until local search finds no more, or for ever; return False if the solve ends."""
        incumbent = self._monitor.incumbent
        return self._tours.saturated(lambda: self._bound >= incumbent.cutoff, endless=endless)

    def _sparse_ascent(self) -> SparseAscent | None:
        """Raise the bound by an ascent on few arcs if there are many; return it."""
        from prunus.atsp.arborescence.pricing import SparseAscent

        cap = min(self._monitor.incumbent.cutoff, self._tours.longest + 1)
        if not self._relaxed.has_useful_arcs(self._problem, cap, MANY_ARCS):
            return None
        sparse = SparseAscent(self._problem, self._relaxed, self._tours.best)
        while not sparse.done and self._bound < self._monitor.incumbent.cutoff:
            if self._poll("bounding"):
                break
            sparse.ascend(lambda: self._poll("bounding"))
            self._bound = max(self._bound, sparse.bound)
        return sparse

    def _whole(self, tree: BestFirstModel) -> BestFirstModel:
        """Have the search hand out tours of all cities, twins included."""
        return replace(tree, solution=self._merged.tour, evaluate=self._merged.whole.whole_length)

    def _poll(self, phase: str, bound: int = 0, nodes: int = 0) -> bool:
        return self._monitor.poll(phase, bound=max(bound, self._bound), nodes=nodes)

    def _proven(self) -> Outcome:
        return Outcome(
            complete=True,
            bound=self._monitor.incumbent.cutoff,
            nodes=self._before[0] + self._nodes,
            leaves=self._before[1] + self._leaves,
            explored=1.0,
        )

    def _stopped(self) -> Outcome:
        return Outcome(
            complete=False,
            bound=min(self._bound, self._monitor.incumbent.cutoff),
            stop_reason=self._monitor.stop_token.reason,
        )
