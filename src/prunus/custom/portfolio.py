"""Local search, beams and the tree of a user's problem side by side, then the proof."""

from __future__ import annotations

from collections.abc import Callable

from prunus.custom.costs import CostMonitor, CostProblem
from prunus.custom.heuristics.on_cores import TUNING, Heuristics
from prunus.treesearch.portfolio.method import PortfolioMethod
from prunus.treesearch.portfolio.portfolio import Activities
from prunus.treesearch.portfolio.tree import TreeShare, TreeTuning


class CustomParts:
    """What a user's problem brings to a solve by a portfolio; see ``Parts``.

    ``first_solutions`` offers what the user has; ``beams``: whether there are some beside local
    search.
    """

    def __init__(
        self,
        costs: CostProblem,
        monitor: CostMonitor,
        first_solutions: Callable[[], None],
        *,
        beams: bool,
    ) -> None:
        self._costs, self._monitor = costs, monitor
        self._first_solutions, self._with_beams = first_solutions, beams
        self._heuristics: Heuristics | None = None

    def find_first(self, course: PortfolioMethod) -> None:
        """Offer the user's solutions, and what a dive leads to."""
        if course.should_stop():
            return
        self._first_solutions()
        self._heuristics = self._make_heuristics(course)

    def _make_heuristics(self, course: PortfolioMethod) -> Heuristics:
        return Heuristics(self._costs, self._monitor, course.heuristics_seed)

    def activities(self, course: PortfolioMethod) -> Activities:
        """Return local search, beams, and the tree if it is searched beside them."""
        heuristics = self._heuristics or self._make_heuristics(course)
        cards, beams = course.cards_for_heuristics, self._with_beams
        return Activities(
            chain=lambda stream, slice_ns: heuristics.local_search(stream),
            beams=heuristics.beams if beams else None,
            usual_ns=heuristics.usual_ns,
            tree=self._tree_share(heuristics, course) if course.tree_beside else None,
            on_gpus=heuristics.on_gpus(cards, beams=beams),
            beams_rest=True,
        )

    def _tree_share(self, heuristics: Heuristics, course: PortfolioMethod) -> TreeShare:
        monitor, node_ns, timed = self._monitor, heuristics.node_ns, heuristics.timed
        nodes_each, longer = TreeTuning().nodes_each, 2 if timed else 16
        hopeless_ns = TreeTuning().hopeless_ns
        first_nodes = max(64, round(TUNING.first_ns / node_ns))
        if timed:
            nodes_each = max(1, min(nodes_each, round(TUNING.piece_ns / node_ns)))
        if course.cards:
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
        return TreeShare(course.factory.tree(), node_ns, monitor.incumbent, tuning)
