"""Objectives as the searches see them: costs, to be minimised, none of them negative.

The searches minimise, and those on GPUs compare costs as unsigned numbers. A cost is the objective,
or its negative where one maximises, less a base: the bound of the root where that is negative.
Here stand the incumbent and the monitor that translate between the two.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

from prunus.custom.plain_tree import INFEASIBLE, cost_of, cost_sign
from prunus.custom.problem import CustomProblem
from prunus.errors import InputError
from prunus.model.arrays import Int64Array
from prunus.runtime.checkpoint import Checkpoint, CheckpointWriter
from prunus.runtime.incumbent import NO_INCUMBENT, Incumbent
from prunus.runtime.interrupts import Interrupts
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.stop_token import StopToken
from prunus.treesearch.model import SearchMonitor

__all__ = ["CostIncumbent", "CostMonitor", "CostProblem", "in_objectives"]


@dataclass(frozen=True)
class CostProblem:
    """A user's problem as the searches see it: with costs in place of objectives.

    Attributes
    ----------
    problem
        The user's.
    base
        The cost that counts as 0.
    """

    problem: CustomProblem
    base: int

    @classmethod
    def of(cls, problem: CustomProblem, root: int) -> CostProblem:
        """Choose a base, given the root's bound before it is shifted."""
        return cls(problem, root if problem.maximise or root < 0 else 0)

    def evaluate(self, solution: Int64Array) -> int:
        """Return the cost of a solution, according to the user's ``evaluate``."""
        cost = cost_of(self.problem, solution)
        if cost == INFEASIBLE:
            return cost
        if cost < self.base:
            kind = type(self.problem).__name__
            raise InputError(
                f"{kind}.bound is wrong: at the root it says {self.objective(0)}, and "
                f"{solution.tolist()} has the objective {self.objective(cost - self.base)}; "
                "prunus.check looks for more such examples"
            )
        return cost - self.base

    def objective(self, cost: int) -> int:
        """Return the objective with a cost."""
        return cost_sign(self.problem) * (cost + self.base)


class CostIncumbent(Incumbent):
    """The incumbent as a search for costs sees it; better solutions go to the user's.

    Parameters
    ----------
    whole
        The user's incumbent.
    costs
        Translates.
    """

    def __init__(self, whole: Incumbent, costs: CostProblem) -> None:
        super().__init__()
        self.improvements = whole.improvements
        self._whole, self._costs = whole, costs
        self._follow()

    def _follow(self) -> None:
        if self._whole.cutoff < NO_INCUMBENT:
            self.shared_cutoff[0] = min(self.cutoff, max(0, self._whole.cutoff - self._costs.base))

    def offer(self, objective: int | float, solution: Int64Array, source: str) -> bool:
        """Take a solution with a cost if it is better than the best one; return whether it was."""
        taken = self._whole.offer(self._costs.objective(int(objective)), solution, source)
        with self._lock:
            self._follow()
        if taken:
            self._tell()
        return taken


class CostMonitor(SearchMonitor):
    """The monitor as a search for costs sees it: the user's, to which costs are translated.

    Parameters
    ----------
    monitor
        The user's, which does all the work.
    costs
        Translates.
    """

    def __init__(self, monitor: Monitor, costs: CostProblem) -> None:
        self._monitor, self._costs = monitor, costs
        self._incumbent = CostIncumbent(monitor.incumbent, costs)

    @property
    def incumbent(self) -> Incumbent:
        """The best solution, by its cost."""
        return self._incumbent

    @property
    def stop_token(self) -> StopToken:
        """The monitor's."""
        return self._monitor.stop_token

    @property
    def interrupts(self) -> Interrupts:
        """The monitor's."""
        return self._monitor.interrupts

    @property
    def checkpoint_writer(self) -> CheckpointWriter | None:
        """The monitor's."""
        return self._monitor.checkpoint_writer

    @property
    def resumed(self) -> Checkpoint | None:
        """The monitor's; what it says of the tree is in costs."""
        return self._monitor.resumed

    @property
    def elapsed(self) -> float:
        """The monitor's."""
        return self._monitor.elapsed

    @property
    def time_left(self) -> float:
        """The monitor's."""
        return self._monitor.time_left

    def poll(
        self,
        phase: str,
        *,
        bound: int | None = None,
        objective: int | None = None,
        explored: float = 0.0,
        nodes: int = 0,
        active: int = 0,
        explorers: int = 0,
        target: int | None = None,
        nodes_left: float | None = None,
    ) -> bool:
        """Tell everybody how things stand; return whether the solve must stop."""
        return self._monitor.poll(
            phase,
            bound=self._objective(bound),
            objective=objective,
            explored=explored,
            nodes=nodes,
            active=active,
            explorers=explorers,
            target=self._objective(target),
            nodes_left=nodes_left,
        )

    def _objective(self, cost: int | None) -> int | None:
        return None if cost is None else self._costs.objective(cost)

    def note_bound(self, bound: int) -> None:
        """Remember what is proven."""
        self._monitor.note_bound(self._costs.objective(bound))

    def interruptible(self) -> AbstractContextManager[None]:
        """Do what the monitor does."""
        return self._monitor.interruptible()

    def state(self) -> dict[str, Any]:
        """Return what a checkpoint keeps of the incumbent and the course of the solve."""
        return self._monitor.state()

    def finish(self, nodes: int) -> None:
        """Note the last incumbents."""
        self._monitor.finish(nodes)


def in_objectives(outcome: Outcome, costs: CostProblem) -> Outcome:
    """Return what a search for costs found in terms of the objective."""
    figures = dict(outcome.statistics)
    if "targets" in figures:
        figures["targets"] = [
            {**one, "below": costs.objective(one["below"])} for one in figures["targets"]
        ]
    bound = None if outcome.bound is None else costs.objective(int(outcome.bound))
    return replace(outcome, bound=bound, statistics=figures)
