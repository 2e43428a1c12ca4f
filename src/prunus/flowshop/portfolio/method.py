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
from prunus.treesearch.portfolio.tuning import DEFAULT_TUNING, PortfolioTuning

_BEAMS = PortfolioTuning(beam_cores=2)
"""Without the tree, beams have half of the cores however few there are, and chains the others."""
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
        has_tree: bool,
    ) -> None:
        super().__init__(
            objective.factory,
            devices,
            monitor,
            seed=seed,
            root_bound=root_bound,
            proof=proof,
            has_tree=has_tree,
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
        incumbent, seed = monitor.incumbent, self._heuristics_seed
        tree, cards = None, self._cards if self._with_beams and not self._begun else []

        def time_left() -> float:
            return monitor.time_left

        # Without the tree, the widest beam may be the end.
        chains = objective.gpu_chains(cards, incumbent, time_left, seed) if self._has_tree else []
        on_gpus = chains or objective.gpu_beams(cards, incumbent, time_left)
        if not (self._has_tree or on_gpus):
            self._cards = []
        if self._proof is not Proof.CLIMB and self._has_tree and not self._begun:
            tuning = _GPU_TREE if self._cards else TreeTuning()
            tree = tree_share(objective, incumbent, tuning)
        return portfolio_of(
            objective,
            tree,
            self._cores,
            monitor,
            seed=seed,
            lower=self._root_bound,
            beams=self._with_beams,
            proof_first=self._proof_first,
            gpus=len(self._cards),
            gpu_heuristics=on_gpus,
            tuning=DEFAULT_TUNING if self._has_tree else _BEAMS,
        )
