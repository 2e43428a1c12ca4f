"""Branch and bound with the 1-arborescence bound: first tours, the root, then the pool."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.atsp.incumbent import first_tour
from prunus.atsp.relaxation.assignment import patch, relax
from prunus.atsp.relaxation.root import Root, resumed_tree
from prunus.atsp.twins import merge
from prunus.errors import InputError
from prunus.machine.devices import Devices
from prunus.problems.atsp import ATSP
from prunus.solving.monitor import Monitor
from prunus.solving.outcome import Outcome
from prunus.treesearch.pool.search import open_nodes, search
from prunus.treesearch.pool.tree import PoolTree

__all__ = ["run"]


def run(problem: ATSP, heuristics: bool, devices: Devices, monitor: Monitor, seed: int) -> Outcome:
    """Solve an instance as well as the monitor allows.

    Parameters
    ----------
    problem
        The instance.
    heuristics
        Whether to look for first tours before the tree is searched.
    devices
        The cores that search.
    monitor
        Holds the incumbent; stops everything.
    seed
        Of the heuristics.

    Raises
    ------
    InputError
        If it is to be searched by anything but cores of this process.
    """
    if devices.engine is not None or devices.gpus:
        raise InputError(
            "an ATSP's branch and bound (method 'pool') searches on the cores of one machine, "
            "without executor and without GPUs; leave them out, or take method='interval', whose "
            "bound is good for up to some 15 cities"
        )
    return _Solve(problem, devices.cores, monitor, seed).run(heuristics)


class _Solve:
    """The course of one solve."""

    def __init__(self, problem: ATSP, cores: int, monitor: Monitor, seed: int) -> None:
        self._cores, self._monitor, self._seed = cores, monitor, seed
        self._merged = merge(problem)
        self._problem = self._merged.problem
        self._bound = 0

    def run(self, heuristics: bool) -> Outcome:
        monitor = self._monitor
        try:
            nodes = open_nodes(monitor.resumed)
            if nodes is not None and monitor.resumed is not None:
                tree = resumed_tree(self._problem, nodes, monitor.resumed.pool or {})
            else:
                begun = self._begin(heuristics)
                if isinstance(begun, Outcome):
                    return begun
                tree = begun
        except KeyboardInterrupt:
            monitor.stopped_by = "interrupt"
            return Outcome(complete=False, bound=self._bound)
        return search(self._whole(tree), monitor, self._cores, root_bound=self._bound)

    def _begin(self, heuristics: bool) -> PoolTree | Outcome:
        """Bound the root and find first tours; return the tree, or what proves or stops it."""
        problem, incumbent = self._problem, self._monitor.incumbent
        if problem.cities == 1:
            self._offer(np.zeros(1, np.int64), "only tour")
            return self._proven()
        relaxed = relax(problem)
        self._bound = relaxed.bound
        patched = patch(problem, relaxed)
        if heuristics:
            self._offer(patched, "patched assignment")
            if self._look("local search"):
                return self._stopped()
            first_tour(
                problem,
                seed=self._seed,
                start=patched,
                reduced=problem.distances - relaxed.leaving[:, None] - relaxed.entering,
                should_stop=lambda: self._look("local search"),
                on_improvement=lambda tour, length, source: self._offer(tour, source),
            )
        root = Root(problem, relaxed, incumbent.to_beat, problem.evaluate(patched))
        while self._bound < incumbent.to_beat and not root.done:
            if self._look("bounding"):
                return self._stopped()
            tour = root.ascend(incumbent.to_beat)
            if tour is not None:
                self._offer(tour, "1-arborescence")
            self._bound = max(self._bound, root.bound)
        if self._bound >= incumbent.to_beat:
            return self._proven()
        return self._stopped() if self._look("tree search") else root.tree()

    def _whole(self, tree: PoolTree) -> PoolTree:
        """Have the search hand out tours of all cities, twins included."""
        return replace(tree, solution=self._merged.tour, evaluate=self._merged.whole.evaluate)

    def _look(self, phase: str) -> bool:
        return self._monitor.look(phase, bound=self._bound)

    def _offer(self, tour: NDArray[Any], source: str) -> None:
        whole = self._merged.tour(np.asarray(tour, np.int64))
        self._monitor.incumbent.offer(self._merged.whole.evaluate(whole), whole, source)

    def _proven(self) -> Outcome:
        self._monitor.stopped_by = None
        return Outcome(complete=True, bound=self._monitor.incumbent.to_beat, explored=1.0)

    def _stopped(self) -> Outcome:
        return Outcome(complete=False, bound=min(self._bound, self._monitor.incumbent.to_beat))
