"""Interval search with the naive bound: a first tour, then the tree of all paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from prunus.atsp.heuristics.local_search import iterated_local_search
from prunus.atsp.naive.tree import core_tree
from prunus.atsp.problem import ATSP
from prunus.hardware.devices import Devices
from prunus.model.arrays import Int64Array
from prunus.runtime.outcome import Outcome
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.driver.explorers import explorers_on
from prunus.treesearch.driver.prove import prove
from prunus.treesearch.interval.cpu.tree import Tree
from prunus.treesearch.interval.explorer_factory import PermutationExplorerFactory
from prunus.treesearch.options import Proof, StealingPolicy

if TYPE_CHECKING:
    from prunus.treesearch.interval.gpu.program import GpuProgram


@dataclass(frozen=True)
class TourExplorerFactory(PermutationExplorerFactory):
    """Makes explorers of the tree of tours of an instance of at least two cities."""

    problem: ATSP

    @property
    def items(self) -> int:
        return self.problem.cities - 1

    def tree(self) -> Tree:
        return core_tree(self.problem)

    def program(self) -> GpuProgram:
        from prunus.atsp.naive.program import atsp_program

        return atsp_program(self.problem)


def root_bound(problem: ATSP) -> int:
    """Bound every tour from below: each city is left once and entered once."""
    if problem.cities == 1:
        return 0
    away = problem.distances + np.diag(np.full(problem.cities, np.iinfo(np.int64).max // 2))
    return max(int(away.min(1).sum()), int(away.min(0).sum()))


def run(
    problem: ATSP,
    heuristic: bool,
    policy: StealingPolicy,
    proof: Proof,
    devices: Devices,
    monitor: AnyMonitor,
    seed: int,
) -> Outcome:
    """Solve an instance as well as the monitor allows."""
    bound = root_bound(problem)

    def improved(tour: Int64Array, length: int, source: str) -> None:
        monitor.incumbent.offer(length, tour, source)

    def heuristics() -> None:
        iterated_local_search(
            problem,
            seed=seed,
            should_stop=lambda: monitor.poll("local search", bound=bound),
            on_improvement=improved,
            times=monitor.heuristics,
        )

    if problem.cities == 1:
        improved(np.zeros(1, np.int64), 0, "only tour")

    factory = TourExplorerFactory(problem, policy)
    return prove(
        monitor,
        root_bound=bound,
        first_incumbents=heuristics if heuristic else None,
        explorers=lambda: explorers_on(devices, factory, monitor),
        seed=seed,
        policy=policy,
        proof=proof,
        sampled=factory.tree,
    )
