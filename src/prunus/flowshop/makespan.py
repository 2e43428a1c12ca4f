"""The makespan as an objective: trees and beams at both ends of the schedule, NEH."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prunus.flowshop.beam.guides import MANY_MACHINES, tuning_for
from prunus.flowshop.beam.on_cpu import CpuBeam
from prunus.flowshop.beam.on_gpu import GpuBeam, fits_gpu
from prunus.flowshop.bounds.johnson import root_bound
from prunus.flowshop.explorer_factory import FlowShopExplorerFactory
from prunus.flowshop.heuristics.iterated_greedy import COOLED, IteratedGreedy
from prunus.flowshop.heuristics.neh import neh
from prunus.flowshop.objective import Objective
from prunus.flowshop.portfolio.gpu_chains import chains_on
from prunus.flowshop.portfolio.greedy import greedy_finds_more
from prunus.flowshop.rules import Bound
from prunus.hardware.device import Device
from prunus.model.arrays import Int64Array
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.portfolio.gpu_beams import beam_runs_on_gpus
from prunus.treesearch.portfolio.gpu_runs import GpuRuns


class Makespan(Objective):
    """One instance with the makespan."""

    first = "neh"

    def __init__(self, factory: FlowShopExplorerFactory) -> None:
        problem = factory.problem
        super().__init__(problem, factory)
        jobs, machines = problem.jobs, problem.machines
        self.beam_tuning = tuning_for(jobs, machines)
        self.node_ns = (0.2 if factory.bound is Bound.LB1 else 1.0) * jobs * machines
        # With few jobs a level has so few children that what comes between levels counts.
        self.child_ns = 3.0 + 0.08 * machines + 1000 / jobs * max(1.0, 50 / jobs)
        self.iteration_ns = (17.0 + 0.5 * jobs) * jobs * machines
        # Smaller shops are proven.
        self._cools = jobs > 30 and greedy_finds_more(jobs, machines)
        if greedy_finds_more(jobs, machines):
            self.greedy_share = 16.0
        elif machines >= MANY_MACHINES:
            self.greedy_share = 0.125

    def root_bound(self, should_stop: Callable[[], bool]) -> int:
        """Return the best bound of one machine and of two."""
        return root_bound(self.problem, should_stop)

    def first_schedule(self, should_stop: Callable[[], bool]) -> Int64Array:
        """Return NEH's schedule."""
        return neh(self.problem, should_stop)[0]

    def greedy(
        self, seed: int, stream: int, start: Int64Array, target: int, *, cooled: bool = False
    ) -> IteratedGreedy:
        """Make a run of iterated greedy."""
        if not (cooled and self._cools):
            return super().greedy(seed, stream, start, target)
        return IteratedGreedy(
            self.problem, seed, stream=stream, start=start, target=target, tuning=COOLED
        )

    def core_beam(self, threads: int) -> CpuBeam:
        """Make the beam search on cores."""
        return CpuBeam(self.problem, threads)

    def gpu_beams(
        self, cards: Sequence[Device], incumbent: Incumbent, time_left: Callable[[], float]
    ) -> Sequence[GpuRuns]:
        """Make beams for each GPU; none if the times are too large for their kernels."""
        problem, cutoff = self.problem, incumbent.cutoff
        if not cards or not fits_gpu(problem, cutoff):
            return []
        beams = [GpuBeam(problem, card, cutoff) for card in cards]
        return beam_runs_on_gpus(beams, problem.evaluate, incumbent, self.beam_tuning, time_left)

    def gpu_chains(
        self,
        cards: Sequence[Device],
        incumbent: Incumbent,
        time_left: Callable[[], float],
        seed: int,
    ) -> Sequence[GpuRuns]:
        """Make chains of iterated greedy for each GPU; none where they find less than beams."""
        return chains_on(cards, self.problem, incumbent, seed, time_left)
