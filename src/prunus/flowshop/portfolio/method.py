"""A portfolio for a flow shop: its devices, its first schedule, its activities."""

from __future__ import annotations

from prunus.flowshop.objective import Objective
from prunus.flowshop.portfolio.parts import portfolio_of, tree_share
from prunus.hardware.devices import Devices
from prunus.runtime.monitor import Monitor
from prunus.treesearch.options import Proof
from prunus.treesearch.portfolio.method import PortfolioMethod
from prunus.treesearch.portfolio.portfolio import Portfolio
from prunus.treesearch.portfolio.tree import TreeTuning

MAX_TREE_JOBS = 1000
"""With more jobs the tree is not searched under a limit: its numbers of leaves, as many digits as
jobs each, would take longer to compute than a slice lasts, and a node longer to reach."""
_GPU_TREE = TreeTuning(first_nodes=1000, last_nodes=1000)
"""After the first try of GPUs, cores only estimate how large the tree is."""


class FlowShopPortfolio(PortfolioMethod):
    """One solve of a flow shop; ``beams``: whether there are some beside iterated greedy."""

    def __init__(
        self,
        objective: Objective,
        devices: Devices,
        monitor: Monitor,
        *,
        seed: int,
        root_bound: int,
        proof: Proof,
        beams: bool,
    ) -> None:
        super().__init__(
            objective.factory,
            devices,
            monitor,
            seed=seed,
            root_bound=root_bound,
            proof=proof,
            has_tree=objective.problem.jobs <= MAX_TREE_JOBS,
        )
        self._objective, self._with_beams = objective, beams

    def _find_first(self) -> None:
        objective, monitor = self._objective, self._monitor
        with monitor.heuristics.timing(objective.first):
            permutation = objective.first_schedule(self._should_stop)
            cost = objective.problem.evaluate(permutation)
        monitor.incumbent.offer(cost, permutation, objective.first)

    def _make_portfolio(self) -> Portfolio:
        objective, monitor = self._objective, self._monitor
        incumbent = monitor.incumbent
        tree, cards = None, self._cards if self._with_beams and not self._begun else []
        if self._proof is not Proof.CLIMB and self._has_tree and not self._begun:
            tuning = _GPU_TREE if self._cards else TreeTuning()
            tree = tree_share(objective, incumbent, tuning)
        return portfolio_of(
            objective,
            tree,
            self._cores,
            monitor,
            seed=self._heuristics_seed,
            lower=self._root_bound,
            beams=self._with_beams,
            proof_first=self._proof_first,
            gpus=len(self._cards),
            gpu_heuristics=objective.gpu_heuristics(
                cards, incumbent, lambda: monitor.time_left, self._heuristics_seed
            ),
        )
