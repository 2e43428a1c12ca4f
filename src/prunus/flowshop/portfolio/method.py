"""A portfolio for a flow shop: its devices, its first schedule, its activities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from prunus.flowshop.objective import Objective
from prunus.flowshop.portfolio.parts import portfolio_of, tree_share
from prunus.hardware import clock
from prunus.hardware.device import Device
from prunus.hardware.devices import Devices, available_cores, first_gpu, open_gpu
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
    """One solve of a flow shop.

    An automatic choice of devices takes the first GPU, if it can be used. ``beams``: whether there
    are some beside iterated greedy.
    """

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
            objective.factory, devices, monitor, seed=seed, root_bound=root_bound, proof=proof
        )
        self._objective, self._with_beams, self._first_s = objective, beams, 0.0
        self._cards = self._open_cards()
        if self._cards:
            # Those that wait for a GPU, or search the tree as well, are not free.
            self._cores = max(1, available_cores() - len(self._cards) - self._devices.cores)

    def _open_cards(self) -> Sequence[Device]:
        """Return the GPUs on which beams run; they search the tree as well."""
        devices, factory = self._devices, self._factory
        if not devices.automatic or factory.prefers_cores:
            return [open_gpu(index) for index in devices.gpus]

        def first() -> Device:
            if self._has_tree:
                self._made = [factory.on_gpu(open_gpu(0))]
            return open_gpu(0)

        found = first_gpu(first, "searching")
        if found is None:
            self._devices = replace(devices, automatic=False)
            return []
        self._devices = replace(devices, cores=0, gpus=(0,), automatic=False)
        return [found]

    @property
    def _has_tree(self) -> bool:
        return self._objective.problem.jobs <= MAX_TREE_JOBS

    def _find_first(self) -> None:
        began, objective = clock.seconds(), self._objective
        permutation = objective.first_schedule(self._should_stop)
        cost = objective.problem.evaluate(permutation)
        self._monitor.incumbent.offer(cost, permutation, objective.first)
        self._first_s = clock.seconds() - began

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

    def _statistics(self) -> dict[str, Any]:
        """Return the seconds and the improvements of each heuristic, by name."""
        sources = [entry.source for entry in self._monitor.incumbent.improvements]
        first = self._objective.first
        figures = {first: {"time": self._first_s, "improvements": sources.count(first)}}
        return figures | super()._statistics()
