"""Local search, beams and the tree of a user's problem side by side, then the proof.

How long a node takes depends on the user's functions. Where the proof has priority everything is
counted, and is the same in every run on one core; under a time limit a child is timed first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from prunus.custom.compiled_functions import compile_functions
from prunus.custom.costs import CostMonitor, CostProblem
from prunus.custom.explorer_factory import CustomExplorerFactory
from prunus.custom.local_search import LocalSearch, dive
from prunus.custom.tree import core_tree
from prunus.hardware.device import Device
from prunus.hardware.devices import Devices
from prunus.model.arrays import Int64Array
from prunus.runtime.outcome import Outcome
from prunus.treesearch.beam.forward import ForwardBeam, ForwardBeamTuning
from prunus.treesearch.beam.iterate import BeamPlan, BeamTuning
from prunus.treesearch.options import Proof
from prunus.treesearch.portfolio.activity import Activity
from prunus.treesearch.portfolio.beams import MOST_LEFT, BeamRuns, BeamTeam
from prunus.treesearch.portfolio.gpu_beams import GpuBeamRuns
from prunus.treesearch.portfolio.gpu_runs import GpuRuns
from prunus.treesearch.portfolio.method import PortfolioMethod
from prunus.treesearch.portfolio.portfolio import Portfolio
from prunus.treesearch.portfolio.tree import TreeShare, TreeTuning

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
        self._team = BeamTeam(
            BeamPlan(lambda: monitor.incumbent.cutoff, BEAMS, lambda: monitor.time_left, MOST_LEFT)
        )

    @property
    def node_ns(self) -> float:
        """How long a node of the tree takes, nominally."""
        radix = self._costs.problem.radix
        return self._child_ns * sum(radix) / len(radix)

    def local_search(
        self, stream: int = 0, has_ended: Callable[[], bool] = lambda: False
    ) -> LocalSearch:
        """Make a local search on one core."""
        return LocalSearch(
            self._costs,
            self._monitor.incumbent,
            seed=self._seed,
            stream=stream,
            trial_ns=self._trial_ns,
            timed=self.timed,
            has_ended=has_ended,
        )

    def beams(self, threads: int = 1, at_once: int = 1) -> BeamRuns:
        """Make one of so many that run at the same time, on some threads together."""
        costs = self._costs
        tree, compiled = core_tree(costs), compile_functions(type(costs.problem)).beam
        assert compiled is not None  # nothing is counted here
        tuning = ForwardBeamTuning()
        if self.timed:
            tuning = replace(tuning, chunk_children=max(1, round(TUNING.piece_ns / self._trial_ns)))
        return BeamRuns(
            lambda: ForwardBeam(tree, compiled, self._known, threads, self._seed, tuning),
            costs.evaluate,
            self._monitor.incumbent,
            self._team,
            at_once=at_once,
            child_ns=self._trial_ns / threads,
            timed=self.timed,
            least_share=TUNING.least_beam_share,
        )

    def on_gpus(
        self, cards: Sequence[Device], has_ended: Callable[[], bool] = lambda: False
    ) -> list[GpuRuns]:
        """Make local search and beams on some GPUs; see ``heuristics_on``."""
        if not cards:
            return []
        from prunus.custom.gpu_heuristics import heuristics_on

        return heuristics_on(
            cards, self._costs, self._monitor, self._seed, BEAMS, self._known, has_ended
        )

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


class CustomPortfolio(PortfolioMethod):
    """One solve of a user's problem.

    ``first_solutions`` offers what the user has; ``beams``: whether there are some beside local
    search. Without the tree, it ends when the widest beam has ended.
    """

    def __init__(
        self,
        factory: CustomExplorerFactory,
        devices: Devices,
        monitor: CostMonitor,
        first_solutions: Callable[[], None],
        *,
        seed: int,
        root_bound: int,
        proof: Proof,
        beams: bool,
        has_tree: bool,
    ) -> None:
        super().__init__(
            factory,
            devices,
            monitor,
            seed=seed,
            root_bound=root_bound,
            proof=proof,
            has_tree=has_tree,
        )
        self._costs, self._view = factory.problem, monitor
        self._first_solutions, self._with_beams = first_solutions, beams
        self._heuristics: Heuristics | None = None

    def _find_first(self) -> None:
        if self._should_stop():
            return
        self._first_solutions()
        self._heuristics = self._make_heuristics()

    def _make_heuristics(self) -> Heuristics:
        return Heuristics(self._costs, self._view, self._heuristics_seed)

    def _make_portfolio(self) -> Portfolio:
        heuristics, monitor = self._heuristics or self._make_heuristics(), self._monitor
        cards = self._cards if self._with_beams and not self._begun else []
        runs: list[BeamRuns] = []

        def beams(threads: int, at_once: int) -> BeamRuns:
            runs.append(heuristics.beams(threads, at_once))
            return runs[-1]

        def has_ended() -> bool:
            # Without a limit nothing else would end it.
            ended = not self._has_tree and not monitor.limited
            on_cards = [each for each in on_gpus if isinstance(each, GpuBeamRuns)]
            left = [each for each in on_cards if each.failure is None] or runs
            return ended and all(each.done for each in left)

        on_gpus = heuristics.on_gpus(cards, has_ended)
        has_tree = self._has_tree and self._proof is not Proof.CLIMB and not self._begun
        return Portfolio(
            self._tree_share(heuristics) if has_tree else None,
            self._cores,
            monitor,
            lower=self._root_bound,
            chain=lambda stream, slice_ns: heuristics.local_search(stream, has_ended),
            beams=beams if self._with_beams else None,
            usual_ns=heuristics.usual_ns,
            proof_first=self._has_tree and self._proof_first,
            beams_rest=True,
            gpus=len(self._cards),
            gpu_heuristics=on_gpus,
        )

    def _tree_share(self, heuristics: Heuristics) -> TreeShare:
        monitor, node_ns, timed = self._monitor, heuristics.node_ns, heuristics.timed
        nodes_each, longer = TreeTuning().nodes_each, 2 if timed else 16
        hopeless_ns = TreeTuning().hopeless_ns
        first_nodes = max(64, round(TUNING.first_ns / node_ns))
        if timed:
            nodes_each = max(1, min(nodes_each, round(TUNING.piece_ns / node_ns)))
        if self._cards:
            # They have tried it; cores only estimate how large it is.
            first_nodes, longer = min(TUNING.gpu_first_nodes, first_nodes), 1
        elif timed:
            hopeless_ns = 1e11 * monitor.time_left
        tuning = TreeTuning(
            first_nodes=first_nodes,
            last_nodes=longer * first_nodes,
            poll_nodes=max(16, round(TUNING.first_ns / 5 / node_ns)),
            nodes_each=nodes_each,
            timed=timed,
            sample_ns=nodes_each / 2 * node_ns,
            hopeless_ns=hopeless_ns,
        )
        return TreeShare(self._factory.tree(), node_ns, monitor.incumbent, tuning)

    def _prove(self) -> Outcome:
        if self._has_tree:
            return super()._prove()
        cutoff, bound = self._monitor.incumbent.cutoff, self._root_bound
        if bound >= cutoff:
            return Outcome(complete=True, bound=cutoff, explored=1.0)
        return Outcome(complete=False, bound=bound, stop_reason=self._monitor.stop_token.reason)
