"""What the methods ask of an objective: each has its own tree, beams, heuristics and bound."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from prunus.flowshop.heuristics.iterated_greedy import IteratedGreedy
from prunus.flowshop.problem import FlowShop
from prunus.hardware.device import Device
from prunus.model.arrays import Int64Array
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.beam.core_beam import CoreBeam
from prunus.treesearch.beam.iterate import BeamTuning
from prunus.treesearch.interval.explorer_factory import PermutationExplorerFactory
from prunus.treesearch.portfolio.gpu_runs import GpuRuns


class Objective(ABC):
    """One instance with its objective.

    Parameters
    ----------
    factory
        Makes the explorers of its tree.
    """

    first = "first schedule"
    """What the first schedule is called in the history."""
    beam_tuning: BeamTuning
    """The weights that beams choose among."""
    node_ns: float
    """How long a node of the tree takes a core, nominally."""
    child_ns: float
    """The same of a child in a beam."""
    iteration_ns: float
    """The same of an iteration of iterated greedy."""
    greedy_share = 1.0
    """How much of a few cores iterated greedy has, compared with beams on one."""

    def __init__(self, problem: FlowShop, factory: PermutationExplorerFactory) -> None:
        self.problem, self.factory = problem, factory

    @abstractmethod
    def root_bound(self, should_stop: Callable[[], bool]) -> int:
        """Return a lower bound."""

    @abstractmethod
    def first_schedule(self, should_stop: Callable[[], bool]) -> Int64Array:
        """Return a schedule that is found quickly."""

    def greedy(
        self, seed: int, stream: int, start: Int64Array, target: int, *, cooled: bool = False
    ) -> IteratedGreedy:
        """Make a run of iterated greedy, which ends at a target; ``cooled`` in the time it has."""
        return IteratedGreedy(self.problem, seed, stream=stream, start=start, target=target)

    @abstractmethod
    def core_beam(self, threads: int) -> CoreBeam:
        """Make the beam search on cores."""

    def gpu_beams(
        self, cards: Sequence[Device], incumbent: Incumbent, time_left: Callable[[], float]
    ) -> Sequence[GpuRuns]:
        """Make beams for each GPU; none where there are no kernels for them."""
        return []

    def gpu_chains(
        self,
        cards: Sequence[Device],
        incumbent: Incumbent,
        time_left: Callable[[], float],
        seed: int,
    ) -> Sequence[GpuRuns]:
        """Make chains of iterated greedy for each GPU; none where they find less than beams."""
        return []
