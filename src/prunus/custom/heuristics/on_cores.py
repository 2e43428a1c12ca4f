"""What improves the solutions of a user's problem: local search and beams, on cores and on GPUs.

How long a node takes depends on the user's functions. Where the proof has priority everything is
counted, and is the same in every run on one core; under a time limit a child is timed first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from prunus.custom.costs import CostMonitor, CostProblem
from prunus.custom.heuristics.beam import CustomBeam, CustomBeamTuning
from prunus.custom.heuristics.first_solutions import dive
from prunus.custom.heuristics.local_search import LocalSearch
from prunus.hardware.device import Device
from prunus.model.arrays import Int64Array
from prunus.treesearch.beam.iterate import BeamPlan, BeamTuning
from prunus.treesearch.portfolio.activity import Activity
from prunus.treesearch.portfolio.beams import MOST_LEFT, BeamRuns
from prunus.treesearch.portfolio.gpu_runs import GpuRuns

BEAMS = BeamTuning(
    weights=(1.0, 0.0, 0.5),
    first_width=8,
    growth=2,
    first_tolerance=0.0,
    tolerance=0.0,
    neighbours=(1.0,),
)
"""Weights of completions: the first beams say whether they, bounds or both lead further."""


@dataclass(frozen=True, slots=True)
class CustomTuning:
    """How long heuristics take, and what that is measured by."""

    child_ns: float = 100.0
    """How long a child takes, where everything is counted and nothing timed."""
    usual_trials: int = 60_000
    """The usual time of heuristics before the tree has all cores, in changes of local search."""
    least_beam_share: float = 0.125
    """Of a core, for beams where local search finds more."""
    piece_ns: float = 2e6
    """How long a piece of a beam's level takes, where children are timed."""
    first_ns: float = 2e7
    """How long the tree is searched before other heuristics than a dive."""
    gpu_first_nodes: int = 1000
    """The same where GPUs search it, in nodes."""


TUNING = CustomTuning()


class Heuristics:
    """What improves the solutions of one problem on cores."""

    def __init__(self, costs: CostProblem, monitor: CostMonitor, seed: int) -> None:
        self._costs, self._monitor, self._seed = costs, monitor, seed
        levels = len(costs.problem.radix)
        self.timed = not math.isinf(monitor.time_left)
        with monitor.heuristics.timing("dive"):
            self._child_ns = dive(costs, monitor.incumbent)
        if not self.timed:
            self._child_ns = TUNING.child_ns
        # A change walks down half of the tree and bounds once.
        self._trial_ns = self._child_ns * (1 + levels / 8)
        self.usual_ns = TUNING.usual_trials * self._trial_ns

    @property
    def node_ns(self) -> float:
        """How long a node of the tree takes, nominally."""
        radix = self._costs.problem.radix
        return self._child_ns * sum(radix) / len(radix)

    def local_search(self, stream: int = 0) -> LocalSearch:
        """Make a local search on one core."""
        return LocalSearch(
            self._costs,
            self._monitor.incumbent,
            seed=self._seed,
            stream=stream,
            trial_ns=self._trial_ns,
            timed=self.timed,
        )

    def beams(self, threads: int = 1) -> BeamRuns:
        """Make beams on some threads."""
        costs, monitor = self._costs, self._monitor
        tuning = CustomBeamTuning()
        if self.timed:
            tuning = replace(tuning, chunk_children=max(1, round(TUNING.piece_ns / self._trial_ns)))
        return BeamRuns(
            lambda: CustomBeam(costs, self._known, threads, self._seed, tuning),
            costs.evaluate,
            monitor.incumbent,
            BeamPlan(lambda: monitor.incumbent.cutoff, BEAMS, lambda: monitor.time_left, MOST_LEFT),
            child_ns=self._trial_ns / threads,
            timed=self.timed,
            least_share=TUNING.least_beam_share,
        )

    def on_gpus(self, cards: Sequence[Device], *, beams: bool = True) -> list[GpuRuns]:
        """Make local search and beams on some GPUs; see ``heuristics_on``."""
        if not cards:
            return []
        from prunus.custom.heuristics.on_gpus import heuristics_on

        costs, monitor, seed = self._costs, self._monitor, self._seed
        return heuristics_on(cards, costs, monitor, seed, BEAMS, self._known, beams)

    def _known(self) -> Int64Array | None:
        """Return the best solution, for beams to follow."""
        best = self._monitor.incumbent.best
        return None if best is None else best.solution

    def run_usual(self, should_stop: Callable[[], bool], *, beams: bool) -> None:
        """Run them one after the other on one core, each for its usual time."""
        some: list[Activity] = [self.local_search(), *([self.beams()] if beams else [])]
        for activity in some:
            spent = 0.0
            while spent < self.usual_ns / 2 and not activity.done and not should_stop():
                with self._monitor.heuristics.timing(activity.name):
                    spent += activity.step()
