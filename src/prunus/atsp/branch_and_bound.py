"""Branch and bound: first tours, the root, which bound suits the instance, then the tree.

The assignment bound is cheap, and near the optimum where distances are unrelated; 1-arborescences
are dear, and near it where distances are those of places. Which bound suits an instance shows in
the first nodes with the assignment bound: that tree is searched on if they let expect an end, or if
the root of the other one leaves more than half of the gap that they have left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from prunus.atsp.assignment.probe import probe
from prunus.atsp.assignment.relaxation import AssignmentRelaxation, assignment_relaxation
from prunus.atsp.duplicate_cities import merge_duplicates
from prunus.atsp.explorer_factory import NodeExplorerFactory, tree_of
from prunus.atsp.heuristics.anytime_tours import AnytimeTours
from prunus.atsp.heuristics.karp_patching import cycles, patched_tour
from prunus.atsp.heuristics.local_search import iterated_local_search
from prunus.atsp.heuristics.nearest_neighbour import SOURCE as NEAREST
from prunus.atsp.heuristics.nearest_neighbour import nearest_neighbour
from prunus.atsp.heuristics.tour_team import SOURCE as LOCAL_SEARCH
from prunus.atsp.heuristics.tour_team import TourTeam, from_zero
from prunus.atsp.likeness import NEARLY_SYMMETRIC, likeness
from prunus.atsp.problem import ATSP
from prunus.hardware.devices import Devices
from prunus.model.arrays import Int64Array, IntArray
from prunus.runtime.outcome import Outcome
from prunus.runtime.stop_token import TIME_LIMIT
from prunus.runtime.translated import AnyMonitor
from prunus.treesearch.bestfirst.model import BestFirstModel
from prunus.treesearch.bestfirst.search import core_explorers, search
from prunus.treesearch.bestfirst.space import saved_nodes
from prunus.treesearch.driver.explorers import explorers_on
from prunus.treesearch.model import Explorer
from prunus.treesearch.options import StealingPolicy

if TYPE_CHECKING:
    from prunus.atsp.arborescence.pricing import SparseAscent

PATCHED, ARBORESCENCE = "patched assignment", "1-arborescence"
"""What a result's history calls tours of the two relaxations."""

LARGE_CITIES, MANY_CYCLES = 150, 0.05
"""Under a limit, local search goes on beside the bounds for so many cities if the assignment has
more cycles than this part of them: with distances of places it has, with unrelated ones few."""

MANY_ARCS = 10_000
"""From so many arcs on prices are found on few of them."""

TOO_MANY_ARCS = 200_000
"""Under a limit, no tree is searched while so many arcs are left: it would get nowhere."""

MAX_PATCHED_CITIES = 1000
"""Then from so many cities on local search begins without patching, which would take seconds."""

SECONDS_PER_ARC = 1e-7
"""Of a step of ascent, which cannot be interrupted."""

SECONDS_PER_LIST_ENTRY = 5e-8
"""Of the lists of near cities that local search begins with, and of pricing all arcs once: steps
that nothing interrupts, a third of a second for 2500 cities. They are begun while there is time."""

POLLED_ARCS = 10_000
"""From so many arcs on a round of ascent takes long enough to be stopped in its midst."""

MIN_STEP_S, SMALL_PART = 0.05, 0.02
"""A step that cannot be interrupted may take so many seconds, or this part of what is left."""


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
        self._heuristics, self._relaxation = heuristics, relaxation
        self._devices, self._monitor, self._seed = devices, monitor, seed
        self._cores = max(1, devices.cores)
        self._merged = merge_duplicates(problem)
        self._problem = self._merged.problem
        self._bound = self._root_bound = 0
        before = monitor.resumed
        self._before = (0, 0) if before is None else (before.nodes, before.leaves)
        self._nodes = self._leaves = 0
        self._searched = False
        self._tours: AnytimeTours | None = None
        self._improved: Int64Array | None = None

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
            if self._tours is not None:
                with monitor.interrupts.deferred():
                    self._tours.close()

    def _explorers(self, tree: BestFirstModel) -> Sequence[Explorer]:
        """Make an explorer for each core, or one for all workers of an executor."""
        cores = self._cores
        if self._tours is not None:
            cores = self._tours.give_cores(self._problem.cities)
        if self._devices.engine is None:
            return core_explorers(tree, cores)
        problem, policy = self._merged.whole, StealingPolicy.HALF
        factory = NodeExplorerFactory(problem, policy, tree.saved, tree.words)
        return explorers_on(self._devices, factory, self._monitor)

    @cached_property
    def _relaxed(self) -> AssignmentRelaxation:
        return assignment_relaxation(self._problem, lambda: self._poll("bounding"))

    @cached_property
    def _neighbours_tour(self) -> Int64Array:
        with self._monitor.heuristics.timing(NEAREST):
            return from_zero(nearest_neighbour(self._problem, self._dearest_city)[0])

    @property
    def _dearest_city(self) -> int:
        """Where to begin lest arcs that do not exist be all that is left: the end of a path."""
        return int(self._problem.distances.sum(1).argmax())

    @cached_property
    def _is_scattered(self) -> bool:
        """Whether local search comes before the tree: a limit, and an assignment of many cycles."""
        cities = self._problem.cities
        if not (self._heuristics and self._monitor.limited and cities >= LARGE_CITIES):
            return False
        return len(np.unique(cycles(self._relaxed.following))) > cities * MANY_CYCLES

    @cached_property
    def _is_symmetric(self) -> bool:
        return likeness(self._problem.distances) >= NEARLY_SYMMETRIC

    @cached_property
    def _some_tour(self) -> Int64Array:
        """The patched assignment; the nearest neighbour's tour where patching takes too long."""
        if self._is_scattered and self._problem.cities >= MAX_PATCHED_CITIES:
            return self._neighbours_tour
        relaxed = self._relaxed
        with self._monitor.heuristics.timing(PATCHED):
            return patched_tour(self._problem, relaxed, lambda: self._poll("bounding"))

    @property
    def _best_tour(self) -> Int64Array:
        """The best tour of the heuristics so far."""
        if self._tours is not None:
            return self._tours.team.best
        return self._some_tour if self._improved is None else self._improved

    @cached_property
    def _longest(self) -> int:
        """The length of some tour."""
        return self._problem.whole_length(self._some_tour)

    def _resume(self) -> BestFirstModel | Outcome | None:
        """Return the tree of a checkpoint that has one, or what is made of it."""
        monitor = self._monitor
        nodes = saved_nodes(monitor.resumed)
        saved = None if monitor.resumed is None else monitor.resumed.open_work
        if nodes is None or saved is None:
            return None
        arrays = saved.arrays()
        tree = tree_of(self._problem, nodes, arrays)
        return self._chosen(tree) if "cap" in arrays else tree

    def _begin(self) -> BestFirstModel | Outcome:
        """Bound the root; return the tree, or what proves or stops it."""
        problem, incumbent = self._problem, self._monitor.incumbent
        if problem.cities == 1:
            self._offer(np.zeros(1, np.int64), "only tour")
            return self._proven()
        if self._heuristics and self._monitor.limited and problem.cities >= LARGE_CITIES:
            self._offer(self._neighbours_tour, NEAREST)
        self._bound = max(self._bound, self._relaxed.bound)
        if not self._relaxed.complete:
            return self._stopped()
        if self._heuristics:
            self._offer(self._some_tour, PATCHED)
        if self._bound >= incumbent.cutoff:
            return self._proven()
        if self._is_scattered:
            self._begin_local_search()
            if self._is_symmetric and self._relaxation == "auto":
                return self._arborescences()
        if self._relaxation == "arborescence":
            return self._arborescences()
        if self._poll("bounding"):
            return self._stopped()
        from prunus.atsp.assignment.tree import tree

        cap = min(incumbent.cutoff, self._longest + 1)
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
        return other if 2 * (top - self._root_bound) <= top - probed.bound else tree

    def _arborescences(self) -> BestFirstModel | Outcome:
        """Find first tours and bound the root by 1-arborescences; return what it comes to."""
        from prunus.atsp.arborescence.root import Root

        problem, incumbent = self._problem, self._monitor.incumbent
        relaxed = self._relaxed
        if self._heuristics and not self._searched:
            self._local_search()
        if self._poll("bounding"):
            return self._stopped()
        sparse = self._sparse_ascent()
        if self._bound >= incumbent.cutoff:
            return self._proven()
        if sparse is not None and (not self._saturated() or self._is_late()):
            return self._stopped()
        root = Root(problem, relaxed, incumbent.cutoff, self._best_tour, sparse)
        if self._tours is not None and root.arcs > TOO_MANY_ARCS:
            return self._proven() if self._saturated(endless=True) else self._stopped()
        self._root_bound = root.bound
        while self._bound < incumbent.cutoff and not root.done:
            if self._poll("bounding"):
                return self._stopped()
            if self._relaxation == "auto" and not self._has_time_for(root.arcs * SECONDS_PER_ARC):
                return self._stopped()
            with self._monitor.heuristics.timing(ARBORESCENCE):
                tour = root.ascend(
                    incumbent.cutoff,
                    (lambda: self._poll("bounding")) if root.arcs >= POLLED_ARCS else None,
                )
            if tour is not None:
                self._offer(tour, ARBORESCENCE)
            self._root_bound = root.bound
            self._bound = max(self._bound, root.bound)
        if not self._saturated():
            return self._stopped()
        if self._bound >= incumbent.cutoff:
            return self._proven()
        return self._stopped() if self._poll("tree search") else root.tree()

    def _is_late(self) -> bool:
        """Tell whether the time that is left would be over within one look at all arcs."""
        looked = SECONDS_PER_LIST_ENTRY * self._problem.cities**2
        return self._poll("bounding") or self._monitor.time_left < looked

    def _has_time_for(self, seconds: float) -> bool:
        """Return whether a step of so many seconds is a small part of the time that is left."""
        return seconds <= max(MIN_STEP_S, SMALL_PART * self._monitor.time_left)

    def _local_search(self) -> None:
        """Improve the tours for a short time on one core."""
        self._searched = True
        if self._poll("local search"):
            return
        self._improved, _ = iterated_local_search(
            self._problem,
            seed=self._seed,
            start=self._some_tour,
            reduced=self._relaxed.reduced_costs(self._problem),
            should_stop=lambda: self._poll("local search"),
            on_improvement=lambda tour, length, source: self._offer(tour, source),
            times=self._monitor.heuristics,
        )

    def _begin_local_search(self) -> None:
        """Have all cores improve the tours, beside everything else if they are several."""
        self._searched = True
        if self._is_late():
            return
        team = TourTeam(
            self._problem,
            self._some_tour,
            self._cores,
            self._seed,
            nearness=self._relaxed.reduced_costs(self._problem),
            on_improvement=lambda tour, length: self._offer(tour, LOCAL_SEARCH),
            times=self._monitor.heuristics,
        )
        self._tours = AnytimeTours(team, self._cores, lambda: self._poll("local search"))

    def _saturated(self, *, endless: bool = False) -> bool:
        """Wait until local search finds no more, or for ever; return False if the solve ends."""
        if self._tours is not None:
            incumbent = self._monitor.incumbent
            self._tours.wait(
                lambda: self._poll("local search") or self._bound >= incumbent.cutoff,
                endless=endless,
            )
        return not self._monitor.stop_token.requested

    def _sparse_ascent(self) -> SparseAscent | None:
        """Raise the bound by an ascent on few arcs if there are many; return it."""
        from prunus.atsp.arborescence.pricing import SparseAscent

        cap = min(self._monitor.incumbent.cutoff, self._longest + 1)
        if not self._relaxed.has_useful_arcs(self._problem, cap, MANY_ARCS):
            return None
        sparse = SparseAscent(self._problem, self._relaxed, self._best_tour, self._is_late)
        while not sparse.done and self._bound < self._monitor.incumbent.cutoff:
            if self._is_late():
                break
            sparse.ascend(self._is_late)
            self._bound = max(self._bound, sparse.bound)
        return sparse

    def _whole(self, tree: BestFirstModel) -> BestFirstModel:
        """Have the search hand out tours of all cities, twins included."""
        return replace(tree, solution=self._merged.tour, evaluate=self._merged.whole.whole_length)

    def _poll(self, phase: str, bound: int = 0, nodes: int = 0) -> bool:
        return self._monitor.poll(phase, bound=max(bound, self._bound), nodes=nodes)

    def _offer(self, tour: IntArray, source: str) -> None:
        whole = self._merged.tour(np.asarray(tour, np.int64))
        self._monitor.incumbent.offer(self._merged.whole.whole_length(whole), whole, source)

    def _proven(self) -> Outcome:
        return Outcome(
            complete=True,
            bound=self._monitor.incumbent.cutoff,
            nodes=self._before[0] + self._nodes,
            leaves=self._before[1] + self._leaves,
            explored=1.0,
        )

    def _stopped(self) -> Outcome:
        monitor = self._monitor
        # What is left of a limit may be too little for a step that cannot be interrupted.
        late = TIME_LIMIT if math.isfinite(monitor.time_left) else None
        return Outcome(
            complete=False,
            bound=min(self._bound, monitor.incumbent.cutoff),
            stop_reason=monitor.stop_token.reason or late,
        )
