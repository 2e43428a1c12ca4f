"""What a portfolio is made of, for a flow shop of any objective."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from prunus.flowshop.objective import Objective
from prunus.flowshop.portfolio.gpu_chains import FirstPart
from prunus.flowshop.portfolio.greedy import GreedyChain
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.beam.iterate import BeamPlan
from prunus.treesearch.portfolio.beams import MOST_LEFT, BeamRuns
from prunus.treesearch.portfolio.gpu_runs import follow_one_another
from prunus.treesearch.portfolio.method import PortfolioMethod
from prunus.treesearch.portfolio.portfolio import Activities
from prunus.treesearch.portfolio.tree import TreeShare, TreeTuning

_TREE = TreeTuning()
_GPU_TREE = TreeTuning(first_nodes=1000, last_nodes=1000)
"""After the first try of GPUs, cores only estimate how large the tree is."""
_SMALL_GAP = 0.1
"""See ``Activities.small_gap``."""
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


class FlowShopParts:
    """What a flow shop brings to a solve by a portfolio, see ``Parts``; with beams or without."""

    def __init__(self, objective: Objective, *, beams: bool) -> None:
        self._objective, self._with_beams = objective, beams

    def find_first(self, course: PortfolioMethod) -> None:
        """Offer a schedule that is found quickly."""
        objective, monitor = self._objective, course.monitor
        with monitor.heuristics.timing(objective.first):
            permutation = objective.first_schedule(course.should_stop)
            cost = objective.problem.evaluate(permutation)
        monitor.incumbent.offer(cost, permutation, objective.first)

    def activities(self, course: PortfolioMethod) -> Activities:
        """Return iterated greedy, beams, and the tree if it is searched beside them."""
        objective, monitor, seed = self._objective, course.monitor, course.heuristics_seed
        cards = course.cards_for_heuristics if self._with_beams else []
        incumbent = monitor.incumbent

        def time_left() -> float:
            return monitor.time_left

        # Without the tree, the widest beam may be the end.
        chains = objective.gpu_chains(cards, incumbent, time_left, seed) if course.proof else []
        for_beams = FirstPart(objective.problem, time_left) if chains else time_left
        beams = objective.gpu_beams(cards, incumbent, for_beams)
        for one_gpu in zip(beams, chains, strict=False):
            follow_one_another(one_gpu)
        tree = None
        if course.tree_beside:
            tree = tree_share(objective, incumbent, _GPU_TREE if course.cards else _TREE)
        some = activities_of(
            objective, monitor, tree, seed=seed, lower=course.root_bound, beams=self._with_beams
        )
        if course.cards:
            size = objective.problem.jobs * objective.problem.machines
            some = replace(some, usual_ns=_GPU_USUAL_NS * size)
        return replace(some, on_gpus=[*beams, *chains])


def activities_of(
    objective: Objective,
    monitor: AnyMonitor,
    tree: TreeShare | None,
    *,
    seed: int,
    lower: int,
    beams: bool,
) -> Activities:
    """Return what runs on cores: iterated greedy, beams if wanted, the tree if there is one."""
    jobs, machines = objective.problem.jobs, objective.problem.machines

    def chain(stream: int, slice_ns: float) -> GreedyChain:
        return GreedyChain(
            objective,
            monitor.incumbent,
            seed=seed,
            stream=stream,
            target=lower,
            slice_ns=slice_ns,
            time_left=lambda: monitor.time_left,
        )

    return Activities(
        chain=chain,
        beams=partial(beam_runs, objective, monitor) if beams else None,
        usual_ns=_USUAL_NS * jobs * machines * min(1.0, jobs / 20) ** 4,
        tree=tree,
        chain_share=objective.greedy_share,
        small_gap=_SMALL_GAP,
    )
