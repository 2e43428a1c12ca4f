"""Total flow time as an objective: trees and beams from the beginning of the schedule on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from prunus._native.flowshop import flowtime_beam
from prunus._native.treesearch import Beam
from prunus.flowshop.flowtime.root import idle_shares, root_bound
from prunus.flowshop.flowtime.tree import FlowtimeExplorerFactory
from prunus.flowshop.objective import Objective
from prunus.flowshop.problem import FlowShop
from prunus.hardware.memory import usable_memory
from prunus.model.arrays import Int64Array
from prunus.model.seeds import generator_seed
from prunus.treesearch.beam.core_beam import CoreBeam
from prunus.treesearch.beam.iterate import BeamTuning
from prunus.treesearch.beam.model import BeamResult, Guide

BEAMS = BeamTuning(weights=(1.0, 0.5, 2.0), neighbours=(1.0, 0.7, 1.4))
"""Weights of idle time; the published one is 1. With 5 machines .5 is the best, with 20 1 to 2, in
wide beams .7 to 1."""
_COMPARED_CHILDREN = 2e8
"""Of beams with more children none are compared: at 500 x 20 four times the width is worth .2 %,
and the best of three weights .05."""
_PIECE_CHILDREN = 65_536
"""Of a piece: between two pieces a thread can be stopped."""
_WIDEST, _MEMORY_SHARE = 2**20, 0.25
"""Nodes a level, whatever the memory, and of the memory there is the part that may be used."""
_FIRST_WIDTH, _FIRST_NS = 64, 3e8
"""Nodes a level of the beam that finds the first schedule; fewer, where it would take longer."""


class FlowtimeBeam(CoreBeam):
    """Beam search of one instance on cores; its weight is that of idle time.

    Of children with the same below them one is kept; of equal ones others in each beam. The result
    does not depend on the number of threads.
    """

    def __init__(self, problem: FlowShop, threads: int = 1) -> None:
        super().__init__(threads)
        self._problem, self._begun = problem, 0
        self._shares, self._unit = idle_shares(problem.jobs, problem.machines)

    @property
    def widest(self) -> int:
        jobs, machines = self._problem.jobs, self._problem.machines
        # Three levels, candidates, and what leads to each node of all levels.
        node = 3 * (8 * (machines + 3) + jobs // 8 + 8) + 64 * self._threads.cores + 8 * jobs
        return max(1, min(_WIDEST, usable_memory(_MEMORY_SHARE) // node))

    def begin(self, guide: Guide, cutoff: int) -> Beam:
        self._begun += 1
        jobs = self._problem.jobs
        return flowtime_beam(
            times=self._problem.processing_times,
            cutoff=cutoff,
            weight=guide.weight * self._unit,
            shares=self._shares,
            threads=self._threads.cores,
            piece_nodes=max(1, _PIECE_CHILDREN // jobs),
            seed=generator_seed(0, self._begun),
        )


class Flowtime(Objective):
    """One instance with the total flow time."""

    first = "narrow beam"

    def __init__(self, factory: FlowtimeExplorerFactory) -> None:
        problem = factory.problem
        super().__init__(problem, factory)
        jobs, machines = problem.jobs, problem.machines
        compared = 2 * _COMPARED_CHILDREN / jobs**2
        self.beam_tuning = replace(BEAMS, widest_compared=compared)
        self.node_ns = 3.0 * jobs * machines
        self.child_ns = 8.0 + 0.6 * machines
        self.iteration_ns = (0.1 * jobs + 5.0) * jobs**2 * machines

    def root_bound(self, should_stop: Callable[[], bool]) -> int:
        """Return the best bound of one machine."""
        return root_bound(self.problem)

    def first_schedule(self, should_stop: Callable[[], bool]) -> Int64Array:
        """Return the schedule of a narrow beam, or the shortest jobs first if it is stopped."""
        problem = self.problem
        found = BeamResult(None, None, False, 0)
        if not should_stop():
            beam = FlowtimeBeam(problem)
            width = int(_FIRST_NS / (self.child_ns * problem.jobs**2 / 2))
            width = max(1, min(_FIRST_WIDTH, width))
            found = beam.search(width, guide=Guide(1.0), cutoff=2**62, should_stop=should_stop)
        if found.solution is None:
            return np.argsort(problem.processing_times.sum(1), kind="stable")
        return found.solution

    def core_beam(self, threads: int) -> FlowtimeBeam:
        """Make the beam search on cores."""
        return FlowtimeBeam(self.problem, threads)
