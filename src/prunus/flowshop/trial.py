"""The flow-shop tree beside the heuristics: on one core, until its end or until it seems large."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from prunus.flowshop.objective import Objective
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.driver.resume_state import ResumeState
from prunus.treesearch.driver.trial import FirstNodesTuning, TrialSearch


@dataclass(frozen=True, slots=True)
class TrialTuning(FirstNodesTuning):
    """How far the tree is searched before and beside iterated greedy."""

    max_jobs: int = 25
    """With more jobs it is not searched beside iterated greedy."""
    enough: float = 0.5
    """When this fraction of the tree is explored, no better schedule is looked for."""


class TreeBesideHeuristics:
    """A trial of the tree: first alone, then beside iterated greedy; a ``Companion``."""

    def __init__(
        self,
        objective: Objective,
        incumbent: Incumbent,
        tuning: TrialTuning = TrialTuning(),
    ) -> None:
        self._objective = objective
        self._incumbent, self._tuning = incumbent, tuning
        beside = objective.problem.jobs <= tuning.max_jobs
        an_iteration = round(objective.iteration_ns / objective.node_ns)
        self._nodes_per_iteration = an_iteration if beside else 0

    @cached_property
    def search(self) -> TrialSearch:
        """The search of the tree."""
        return TrialSearch(self._objective.factory.tree(), self._incumbent)

    def state(self) -> ResumeState | None:
        """Return what the search proper goes on from, if it was begun."""
        return self.search.state() if "search" in self.__dict__ else None

    def begin(self, should_stop: Callable[[], bool]) -> bool:
        """Search with the first schedule, as long as it gets better; see ``Companion``."""
        tuning = self._tuning
        if self._objective.problem.jobs > tuning.max_first_items:
            return False
        self.search.branch_while_improving(
            tuning.first_nodes, tuning.last_nodes, tuning.poll_nodes, should_stop
        )
        return self._nodes_per_iteration > 0

    def work(self, iterations: int) -> None:
        """Branch nodes for about as long as so many iterations of iterated greedy take."""
        self.search.branch(iterations * self._nodes_per_iteration)

    def interrupt(self) -> None:
        """Make ``work`` return soon."""
        self.search.interrupt()

    def enough(self) -> bool:
        """Return whether the tree seems to be nearly done."""
        if "search" not in self.__dict__:
            return False
        return self.search.complete or self.search.explored >= self._tuning.enough
