"""What a portfolio is made of, for a flow shop of any objective."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from prunus.flowshop.objective import Objective
from prunus.flowshop.portfolio.gpu_chains import FirstPart
from prunus.flowshop.portfolio.greedy import GreedyChain
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.beam.iterate import BeamPlan
from prunus.treesearch.portfolio.beams import MOST_LEFT, BeamRuns
from prunus.treesearch.portfolio.gpu_runs import GpuRuns, follow_one_another
from prunus.treesearch.portfolio.method import PortfolioMethod
from prunus.treesearch.portfolio.portfolio import Portfolio
from prunus.treesearch.portfolio.tree import TreeShare, TreeTuning
from prunus.treesearch.portfolio.tuning import DEFAULT_TUNING, PortfolioTuning

_TREE = TreeTuning()
_GPU_TREE = TreeTuning(first_nodes=1000, last_nodes=1000)
"""After the first try of GPUs, cores only estimate how large the tree is."""
_TUNING = PortfolioTuning(small_gap=0.1)
_FIRST_NS = 4e7
"""The tree is searched for so many nanoseconds before anything else, at most."""
_FIRST_CHILDREN, _FEW_GUIDES, _MORE = 2e6, 3, 4
"""Children of a first beam, about: with more jobs it is narrower. Where no more than so many guides
are compared, it has so many times as many."""
_SAMPLED_NODES = 100
"""An estimate of its size branches so many nodes for each that it samples, about."""
_USUAL_NS = 8e5
"""The usual time of heuristics before cores search the tree, nanoseconds for each job and machine
from 20 jobs on: 0.3 s for 20 x 20, 5 ms for 10 x 10."""
_GPU_USUAL_NS = 3e6
"""The usual time of heuristics before a GPU searches the tree, nanoseconds for each job and
machine: three seconds for 50 x 20."""


def tree_share(objective: Objective, incumbent: Incumbent, tuning: TreeTuning = _TREE) -> TreeShare:
    """Make the search of the tree on one core, with fewer nodes first where each takes long."""
    nodes = max(1000, int(_FIRST_NS / objective.node_ns))
    tuning = replace(
        tuning,
        first_nodes=min(tuning.first_nodes, nodes),
        last_nodes=min(tuning.last_nodes, 16 * nodes),
        poll_nodes=max(100, min(tuning.poll_nodes, nodes // 5)),
        sample_ns=max(tuning.sample_ns, _SAMPLED_NODES * objective.node_ns),
    )
    return TreeShare(objective.factory.tree(), objective.node_ns, incumbent, tuning)


def beam_runs(objective: Objective, monitor: AnyMonitor, threads: int) -> BeamRuns:
    """Make beams on so many threads."""
    problem, incumbent = objective.problem, monitor.incumbent
    tuning = objective.beam_tuning
    few = len(tuning.weights) + len(tuning.other_forms) <= _FEW_GUIDES
    width = int(2 * _FIRST_CHILDREN * (_MORE if few else 1) / problem.jobs**2)
    tuning = replace(tuning, first_width=max(4, min(256, width)))
    plan = BeamPlan(lambda: incumbent.cutoff, tuning, lambda: monitor.time_left, MOST_LEFT)
    return BeamRuns(
        lambda: objective.core_beam(threads),
        problem.evaluate,
        incumbent,
        plan,
        child_ns=objective.child_ns / threads,
    )


def portfolio_of(
    objective: Objective,
    tree: TreeShare | None,
    cores: int,
    monitor: AnyMonitor,
    *,
    seed: int,
    lower: int,
    beams: bool,
    proof_first: bool,
    gpus: int = 0,
    gpu_heuristics: Sequence[GpuRuns] = (),
    tuning: PortfolioTuning = DEFAULT_TUNING,
) -> Portfolio:
    """Put a portfolio together: iterated greedy, beams if wanted, the tree if there is one.

    See `Portfolio`.
    """
    incumbent, problem = monitor.incumbent, objective.problem

    def chain(stream: int, slice_ns: float) -> GreedyChain:
        return GreedyChain(
            objective,
            incumbent,
            seed=seed,
            stream=stream,
            target=lower,
            slice_ns=slice_ns,
            time_left=lambda: monitor.time_left,
        )

    usual_ns = _USUAL_NS * problem.jobs * problem.machines * min(1.0, problem.jobs / 20) ** 4
    return Portfolio(
        tree,
        cores,
        monitor,
        lower=lower,
        chain=chain,
        beams=partial(beam_runs, objective, monitor) if beams else None,
        usual_ns=_GPU_USUAL_NS * problem.jobs * problem.machines if gpus else usual_ns,
        proof_first=proof_first,
        chain_share=objective.greedy_share,
        gpus=gpus,
        gpu_heuristics=gpu_heuristics,
        tuning=tuning,
    )


class FlowShopParts:
    """What a flow shop puts into a portfolio, see ``Parts``; with or without ``beams``."""

    def __init__(self, objective: Objective, *, beams: bool) -> None:
        self._objective, self._with_beams = objective, beams

    def find_first(self, course: PortfolioMethod) -> None:
        """Offer a schedule that is found quickly."""
        objective, monitor = self._objective, course.monitor
        with monitor.heuristics.timing(objective.first):
            permutation = objective.first_schedule(course.should_stop)
            cost = objective.problem.evaluate(permutation)
        monitor.incumbent.offer(cost, permutation, objective.first)

    def together(self, course: PortfolioMethod) -> Portfolio:
        """Put the portfolio together."""
        objective, monitor, seed = self._objective, course.monitor, course.heuristics_seed
        incumbent, tree = monitor.incumbent, None
        cards = course.cards_for_heuristics if self._with_beams else []

        def time_left() -> float:
            return monitor.time_left

        # Without the tree, the widest beam may be the end.
        chains = objective.gpu_chains(cards, incumbent, time_left, seed) if course.has_tree else []
        for_beams = FirstPart(objective.problem, time_left) if chains else time_left
        beams = objective.gpu_beams(cards, incumbent, for_beams)
        for one_gpu in zip(beams, chains, strict=False):
            follow_one_another(one_gpu)
        on_gpus = [*beams, *chains]
        if not (course.has_tree or on_gpus):
            course.cards = []
        if course.tree_beside:
            tuning = _GPU_TREE if course.cards else _TREE
            tree = tree_share(objective, incumbent, tuning)
        return portfolio_of(
            objective,
            tree,
            course.cores,
            monitor,
            seed=seed,
            lower=course.root_bound,
            beams=self._with_beams,
            proof_first=course.proof_first,
            gpus=len(course.cards),
            gpu_heuristics=on_gpus,
            tuning=_TUNING,
        )
