"""Who gets how much of the cores, and when the tree gets all of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from prunus.flowshop.heuristics.first_incumbent import FirstIncumbentTuning
from prunus.flowshop.portfolio.activity import Activity, iteration_ns
from prunus.flowshop.portfolio.beams import BeamRuns
from prunus.flowshop.portfolio.greedy import GreedyChain
from prunus.flowshop.portfolio.sharing import CoreSharing
from prunus.flowshop.portfolio.tree import RaisedBound, TreeShare
from prunus.flowshop.problem import FlowShop
from prunus.runtime.monitor import Monitor
from prunus.treesearch.driver.resume_state import ResumeState

__all__ = ["Portfolio", "PortfolioTuning"]


@dataclass(frozen=True, slots=True)
class PortfolioTuning:
    """How the cores are shared.

    Attributes
    ----------
    at_once_ns
        A tree that seems to take no longer gets all cores at once.
    tree_factor
        So does one that seems to take no more than so many times what heuristics have taken: they
        are worth their time only while the tree is large, and a better schedule makes it smaller.
    reachable_share
        Under a limit, so does one that seems to take no more than this part of what is left, when
        the heuristics have had their usual time.
    hopeless_factor
        Under a limit, one that seems to take longer than so many times what is left is hopeless: a
        lower bound is raised instead.
    side_share
        Of all cores (but one core at most): for the tree beside heuristics, or for the lower bound.
    beam_cores
        From so many cores on, beams use half of them together; below, they run on one.
    """

    at_once_ns: float = 5e7
    tree_factor: float = 4.0
    reachable_share: float = 0.5
    hopeless_factor: float = 3.0
    side_share: float = 0.125
    beam_cores: int = 4


class Portfolio:
    """The activities of one solve on some cores.

    Parameters
    ----------
    problem
        The instance.
    tree
        Its tree; None where it is not searched beside heuristics.
    cores
        How many.
    monitor
        Holds the incumbent, which has a schedule already, and the limits.
    seed
        Of everything random.
    lower
        A lower bound.
    beams
        Whether there are beams beside iterated greedy.
    proof_first
        Whether the proof has priority over better schedules: without a time limit, or where the
        search is to be resumed.
    tuning
        How the cores are shared.
    """

    def __init__(
        self,
        problem: FlowShop,
        tree: TreeShare | None,
        cores: int,
        monitor: Monitor,
        *,
        seed: int,
        lower: int,
        beams: bool,
        proof_first: bool,
        tuning: PortfolioTuning = PortfolioTuning(),
    ) -> None:
        incumbent = monitor.incumbent
        self.tree, self._monitor, self._tuning = tree, monitor, tuning
        self._cores, self._lower, self._proof_first = cores, lower, proof_first
        together = cores // 2 if beams and cores >= tuning.beam_cores else 1
        self._beams = BeamRuns(problem, incumbent, threads=together) if beams else None
        workers = cores - together + 1
        self._chains = [
            GreedyChain(problem, incumbent, seed=seed, stream=stream, target=lower)
            for stream in range(workers)
        ]
        for chain in self._chains:
            chain.share = 1.0 if together > 1 else 1 / workers
        self._raised = None if tree is None else RaisedBound(tree, incumbent, lower)
        self._side_share = min(1.0, tuning.side_share * cores)
        usual = FirstIncumbentTuning().iterations_for(problem.jobs)
        self._usual_ns = cores * usual * iteration_ns(problem.jobs, problem.machines)
        some: list[Activity | None] = [tree, *self._chains, self._beams, self._raised]
        self._sharing = CoreSharing(
            [each for each in some if each is not None], workers, incumbent, self._decide
        )

    @property
    def heuristics(self) -> list[Activity]:
        """What may go on beside a search that has all cores."""
        beams: list[Activity] = [] if self._beams is None else [self._beams]
        return [self._chains[0], *beams]

    @property
    def lower(self) -> int:
        """What is proven: the incumbent's makespan if a beam has dropped nothing."""
        if self._beams is not None and self._beams.complete:
            return self._monitor.incumbent.cutoff
        return self._lower if self._raised is None else max(self._lower, self._raised.lower)

    @property
    def side_nodes(self) -> int:
        """Nodes branched for the lower bound."""
        return 0 if self._raised is None else self._raised.nodes

    @property
    def nodes(self) -> int:
        """All nodes branched."""
        return self.side_nodes + (0 if self.tree is None else self.tree.nodes)

    def begun(self) -> ResumeState | None:
        """Return what is done of the tree, for a search on all devices to go on from."""
        return None if self.tree is None else self.tree.state()

    def run(self, should_stop: Callable[[], bool]) -> None:
        """Work until something is proven, the tree shall have all cores, or a stop is wanted."""
        tree = self.tree
        if tree is not None:
            tree.begin(should_stop)
            if tree.done or should_stop():
                return
        if not self._decide():
            self._sharing.run(should_stop)

    def statistics(self) -> dict[str, dict[str, Any]]:
        """Return the seconds and the improvements of each activity."""
        return self._sharing.statistics()

    def _decide(self) -> bool:
        """Say whether to end, and share the cores anew if not; see ``CoreSharing``."""
        tuning, tree = self._tuning, self.tree
        if self.lower >= self._monitor.incumbent.cutoff or (tree is not None and tree.done):
            return True
        spent = self._sharing.spent_ns(self.heuristics) + self._sharing.spent_ns(self._chains[1:])
        if tree is not None:
            tree.others_ns = spent
        left = math.inf if tree is None or tree.left_ns is None else tree.left_ns
        if left <= max(tuning.at_once_ns, tuning.tree_factor * spent):
            return True
        usual = spent >= self._usual_ns
        tree_share, bound_share = self._side_share, 0.0
        if self._proof_first:
            if usual:
                return True
        else:
            time_left, seconds = self._monitor.time_left, left / 1e9 / self._cores
            if usual and seconds <= tuning.reachable_share * time_left:
                return True
            if seconds > tuning.hopeless_factor * time_left:
                # After a better schedule it is estimated again.
                tree_share, bound_share = 0.0, self._side_share
        if tree is not None and self._raised is not None:
            tree.share = tree_share if tree.may_estimate else 0.0
            self._raised.share = bound_share
        return False
