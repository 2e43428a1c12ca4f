"""What a portfolio is made of, for a flow shop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prunus.flowshop.beam.guides import TUNING
from prunus.flowshop.beam.on_cpu import CpuBeam
from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.heuristics.first_incumbent import FirstIncumbentTuning
from prunus.flowshop.portfolio.gpu_beams import GpuBeamRuns
from prunus.flowshop.portfolio.greedy import GreedyChain
from prunus.flowshop.portfolio.nominal import child_ns, iteration_ns, node_ns
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.treesearch.portfolio.beams import BeamRuns, first_width
from prunus.treesearch.portfolio.portfolio import Portfolio, PortfolioTuning
from prunus.treesearch.portfolio.tree import TreeShare, TreeTuning

_TREE, _PORTFOLIO = TreeTuning(), PortfolioTuning()
_GPU_USUAL_NS = 3e6
"""The usual time of heuristics before a GPU searches the tree, nanoseconds for each job and
machine: three seconds for 50 x 20."""


def tree_share(
    problem: FlowShop,
    bound: Bound,
    branching: Branching,
    incumbent: Incumbent,
    tuning: TreeTuning = _TREE,
) -> TreeShare:
    """Make the search of the tree on one core."""
    a_node = node_ns(problem.jobs, problem.machines, two_machines=bound is not Bound.LB1)
    return TreeShare(core_tree(problem, bound, branching), a_node, incumbent, tuning)


def beam_runs(problem: FlowShop, incumbent: Incumbent, threads: int = 1) -> BeamRuns:
    """Make the beams, which use some threads together."""
    return BeamRuns(
        lambda: CpuBeam(problem, threads),
        problem.evaluate,
        incumbent,
        child_ns=child_ns(problem.machines) / threads,
        tuning=replace(TUNING, first_width=first_width(problem.jobs)),
    )


def portfolio_of(
    problem: FlowShop,
    tree: TreeShare | None,
    cores: int,
    monitor: Monitor,
    *,
    seed: int,
    lower: int,
    beams: bool,
    proof_first: bool,
    gpus: int = 0,
    gpu_beams: Sequence[GpuBeamRuns] = (),
    tuning: PortfolioTuning = _PORTFOLIO,
) -> Portfolio:
    """Put a portfolio together: iterated greedy, beams if wanted, the tree if there is one.

    See `Portfolio`.
    """
    incumbent, jobs, machines = monitor.incumbent, problem.jobs, problem.machines

    def chain(stream: int, slice_ns: float) -> GreedyChain:
        return GreedyChain(
            problem, incumbent, seed=seed, stream=stream, target=lower, slice_ns=slice_ns
        )

    iterations = FirstIncumbentTuning().iterations_for(jobs)
    usual_ns = (
        _GPU_USUAL_NS * jobs * machines if gpus else iterations * iteration_ns(jobs, machines)
    )
    return Portfolio(
        tree,
        cores,
        monitor,
        lower=lower,
        chain=chain,
        beams=(lambda threads: beam_runs(problem, incumbent, threads)) if beams else None,
        usual_ns=_GPU_USUAL_NS * jobs * machines if gpus else usual_ns,
        proof_first=proof_first,
        gpus=gpus,
        gpu_beams=gpu_beams,
        tuning=tuning,
    )
