"""Objectives as the searches see them: costs, to be minimised, none of them negative.

The searches minimise, and those on GPUs compare costs as unsigned numbers. A cost is the objective,
or its negative where one maximises, less a base: the bound of the root where that is negative.
Here stand the incumbent and the monitor that translate between the two.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from prunus.custom.plain_tree import INFEASIBLE, cost_of, cost_sign
from prunus.custom.problem import CustomProblem
from prunus.errors import InputError, missing_extra
from prunus.model.arrays import Int64Array, Number
from prunus.runtime.incumbent import NO_INCUMBENT, Incumbent, IncumbentView
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.translated_monitor import TranslatedMonitor

if TYPE_CHECKING:
    from prunus._native.custom import Problem


@dataclass(frozen=True)
class CostProblem:
    """A user's problem as the searches see it: with costs in place of objectives."""

    problem: CustomProblem
    """The user's."""
    base: int
    """The cost that counts as 0."""

    @cached_property
    def native(self) -> Problem:
        """The problem for native code: its functions compiled, once for each solve.

        Raises ``InputError`` if a function cannot be compiled, ``MissingExtraError`` without Numba.
        """
        try:
            from prunus.custom.cpu.native_problem import native_problem
        except ModuleNotFoundError as error:
            if error.name not in ("numba", "llvmlite"):
                raise
            raise missing_extra("a problem of your own", "own") from error
        return native_problem(self.problem, self.base)

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave what is compiled behind."""
        return CostProblem, (self.problem, self.base)

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

    def cost(self, objective: Number) -> int:
        """Return the cost that an objective has."""
        return cost_sign(self.problem) * int(objective) - self.base


class CostIncumbent(IncumbentView):
    """The incumbent as a search for costs sees it."""

    def __init__(self, whole: Incumbent, costs: CostProblem) -> None:
        self._costs = costs
        super().__init__(whole, self._cost(whole.cutoff))

    def _cost(self, cutoff: int) -> int:
        """Return the whole incumbent's cutoff as a cost."""
        if cutoff == NO_INCUMBENT:
            return NO_INCUMBENT
        return max(0, min(NO_INCUMBENT, cutoff - self._costs.base))

    def offer(self, objective: int | float, solution: Int64Array, source: str) -> bool:
        """Take a solution with a cost if it is better than the best one; return whether it was."""
        taken = self._whole.offer(self._costs.objective(int(objective)), solution, source)
        return self._follow(taken, self._cost(self._whole.cutoff))


class CostMonitor(TranslatedMonitor):
    """The monitor as a search for costs sees it."""

    def __init__(self, monitor: Monitor, costs: CostProblem) -> None:
        incumbent = CostIncumbent(monitor.incumbent, costs)
        super().__init__(monitor, incumbent, costs.objective, costs.cost)


def in_objectives(outcome: Outcome, costs: CostProblem) -> Outcome:
    """Return what a search for costs found in terms of the objective."""
    figures = dict(outcome.statistics)
    if "targets" in figures:
        figures["targets"] = [
            {**one, "below": costs.objective(one["below"])} for one in figures["targets"]
        ]
    bound = None if outcome.bound is None else costs.objective(int(outcome.bound))
    return replace(outcome, bound=bound, statistics=figures)
