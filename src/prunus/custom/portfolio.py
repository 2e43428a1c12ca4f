"""Local search, beams and the tree of a user's problem side by side, then the proof."""

from __future__ import annotations

from collections.abc import Callable

from prunus.custom.costs import CostMonitor
from prunus.custom.explorer_factory import CustomExplorerFactory
from prunus.custom.heuristics.on_cores import TUNING, Heuristics
from prunus.hardware.devices import Devices
from prunus.treesearch.options import Proof
from prunus.treesearch.portfolio.method import PortfolioMethod
from prunus.treesearch.portfolio.portfolio import Portfolio
from prunus.treesearch.portfolio.tree import TreeShare, TreeTuning


class CustomPortfolio(PortfolioMethod):
    """One solve of a user's problem.

    ``first_solutions`` offers what the user has; ``beams``: whether there are some beside local
    search.
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
        cards = [] if self._begun else self._cards
        has_tree = self._has_tree and self._proof is not Proof.CLIMB and not self._begun
        return Portfolio(
            self._tree_share(heuristics) if has_tree else None,
            self._cores,
            monitor,
            lower=self._root_bound,
            chain=lambda stream, slice_ns: heuristics.local_search(stream),
            beams=heuristics.beams if self._with_beams else None,
            usual_ns=heuristics.usual_ns,
            proof_first=self._proof_first,
            beams_rest=True,
            gpus=len(self._cards),
            gpu_heuristics=heuristics.on_gpus(cards, beams=self._with_beams),
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
