"""Local search, beams and the tree of a user's problem side by side, then the proof.

How long a node takes depends on the user's functions. Where the proof has priority everything is
counted, and is the same in every run on one core; under a time limit a child is timed first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace

from prunus.custom.compiled_functions import compile_functions
from prunus.custom.costs import CostMonitor, CostProblem
from prunus.custom.explorer_factory import CustomExplorerFactory
from prunus.custom.local_search import LocalSearch, dive
from prunus.custom.tree import core_tree
from prunus.hardware.devices import Devices
from prunus.model.arrays import Int64Array
from prunus.runtime.outcome import Outcome
from prunus.treesearch.beam.forward import ForwardBeam, ForwardBeamTuning
from prunus.treesearch.beam.iterate import BeamTuning
from prunus.treesearch.driver.explorers import explorers_on
from prunus.treesearch.driver.prove import prove
from prunus.treesearch.options import Proof
from prunus.treesearch.portfolio.activity import Activity
from prunus.treesearch.portfolio.beams import BeamRuns
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


TUNING = CustomTuning()


class Heuristics:
    """What improves the solutions of one problem on cores."""

    def __init__(self, costs: CostProblem, monitor: CostMonitor, seed: int) -> None:
        self._costs, self._monitor, self._seed = costs, monitor, seed
        levels = len(costs.problem.radix)
        self.timed = not math.isinf(monitor.time_left)
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

    def beams(self, threads: int = 1) -> BeamRuns:
        """Make the beams, which use some threads together."""
        costs = self._costs
        tree, compiled = core_tree(costs), compile_functions(type(costs.problem)).beam
        assert compiled is not None  # nothing is counted here
        incumbent, tuning = self._monitor.incumbent, ForwardBeamTuning()

        def known() -> Int64Array | None:
            best = incumbent.best
            return None if best is None else best.solution

        if self.timed:
            tuning = replace(tuning, chunk_children=max(1, round(TUNING.piece_ns / self._trial_ns)))
        return BeamRuns(
            lambda: ForwardBeam(tree, compiled, known, threads, self._seed, tuning),
            costs.evaluate,
            incumbent,
            child_ns=self._trial_ns / threads,
            timed=self.timed,
            tuning=BEAMS,
            least_share=TUNING.least_beam_share,
        )

    def run_usual(self, should_stop: Callable[[], bool], *, beams: bool) -> None:
        """Run them one after the other on one core, each for its usual time."""
        some: list[Activity] = [self.local_search(), *([self.beams()] if beams else [])]
        for activity in some:
            spent = 0.0
            while spent < self.usual_ns / 2 and not activity.done and not should_stop():
                spent += activity.step()


def search_with_portfolio(
    factory: CustomExplorerFactory,
    devices: Devices,
    monitor: CostMonitor,
    first_solutions: Callable[[], None],
    *,
    seed: int,
    root_bound: int,
    proof: Proof,
    with_tree: bool,
) -> Outcome:
    """Find better solutions and prove, each as far as it pays, on cores.

    ``first_solutions`` offers what the user has. How the proof is made has priority where the user
    has chosen it. Without the tree, this ends when the widest beam has ended.
    """
    incumbent, cores = monitor.incumbent, max(1, devices.cores)
    portfolio: Portfolio | None = None

    def should_stop() -> bool:
        bound = root_bound if portfolio is None else portfolio.lower
        nodes = 0 if portfolio is None else portfolio.nodes
        writer = monitor.checkpoint_writer
        if writer is not None and writer.due(incumbent.objective):
            writer.write(**monitor.state())
        return monitor.poll("heuristics", bound=bound, nodes=nodes)

    outcome: Outcome | None = None
    with monitor.interruptible():
        monitor.note_bound(root_bound)
        fresh = monitor.resumed is None or monitor.resumed.open_work is None
        if fresh and root_bound < incumbent.cutoff and not should_stop():
            first_solutions()
            heuristics = Heuristics(factory.problem, monitor, seed)
            if root_bound < incumbent.cutoff and not should_stop():
                portfolio = _make(heuristics, factory, cores, monitor, root_bound, proof, with_tree)
                portfolio.run(should_stop)
    if portfolio is not None:
        outcome = portfolio.outcome()
    if outcome is None and not with_tree:
        done = root_bound >= incumbent.cutoff
        reason = None if done else monitor.stop_token.reason
        bound = incumbent.cutoff if done else root_bound
        outcome = Outcome(complete=done, bound=bound, stop_reason=reason, explored=float(done))
    outcome = outcome or _prove(portfolio, factory, devices, monitor, root_bound, seed, proof)
    statistics = dict(outcome.statistics)
    if portfolio is not None:
        statistics["portfolio"] = portfolio.statistics()
    return replace(
        outcome,
        nodes=outcome.nodes + (0 if portfolio is None else portfolio.side_nodes),
        devices=outcome.devices or (f"cpu:{cores}",),
        statistics=statistics,
    )


def _make(
    heuristics: Heuristics,
    factory: CustomExplorerFactory,
    cores: int,
    monitor: CostMonitor,
    root_bound: int,
    proof: Proof,
    with_tree: bool,
) -> Portfolio:
    """Put the portfolio together."""
    tree, runs = None, []
    if with_tree and proof is not Proof.CLIMB:
        node_ns, timed = heuristics.node_ns, heuristics.timed
        nodes_each = TreeTuning().nodes_each
        if timed:
            nodes_each = max(1, min(nodes_each, round(TUNING.piece_ns / node_ns)))
        tuning = TreeTuning(
            first_nodes=max(64, round(TUNING.first_ns / node_ns)),
            last_nodes=max(64, round((2 if timed else 16) * TUNING.first_ns / node_ns)),
            poll_nodes=max(16, round(TUNING.first_ns / 5 / node_ns)),
            nodes_each=nodes_each,
            timed=timed,
            sample_ns=nodes_each / 2 * node_ns,
            hopeless_ns=1e11 * monitor.time_left if timed else TreeTuning().hopeless_ns,
        )
        tree = TreeShare(factory.tree(), node_ns, monitor.incumbent, tuning)

    def beams(threads: int) -> BeamRuns:
        runs.append(heuristics.beams(threads))
        return runs[0]

    def has_ended() -> bool:
        # Without a limit nothing else would end it.
        return not with_tree and not monitor.limited and all(each.done for each in runs)

    return Portfolio(
        tree,
        cores,
        monitor,
        lower=root_bound,
        chain=lambda stream, slice_ns: heuristics.local_search(stream, has_ended),
        beams=beams,
        usual_ns=heuristics.usual_ns,
        proof_first=with_tree
        and (
            proof is not Proof.AUTO
            or math.isinf(monitor.time_left)
            or monitor.checkpoint_writer is not None
        ),
    )


def _prove(
    portfolio: Portfolio | None,
    factory: CustomExplorerFactory,
    devices: Devices,
    monitor: CostMonitor,
    root_bound: int,
    seed: int,
    proof: Proof,
) -> Outcome:
    """Search the tree on all cores, heuristics beside it."""
    # On a single core every run is to be the same.
    beside = portfolio is not None and devices.cores > 1
    with portfolio.beside() if portfolio is not None and beside else nullcontext():
        return prove(
            monitor,
            root_bound=root_bound if portfolio is None else portfolio.lower,
            first_incumbents=None if portfolio is None else portfolio.begun,
            explorers=lambda: explorers_on(devices, factory, monitor),
            seed=seed,
            policy=factory.policy,
            proof=proof,
            sampled=factory.tree,
        )
