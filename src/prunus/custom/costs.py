"""Objectives as the searches see them: costs, to be minimised, none of them negative.

The searches minimise, and those on GPUs compare costs as unsigned numbers. A cost is the objective,
or its negative where one maximises, less a base: the bound of the root where that is negative.
Here stand the incumbent and the monitor that translate between the two.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.custom.plain_tree import INFEASIBLE, cost_of, cost_sign
from prunus.custom.problem import CustomProblem
from prunus.errors import InputError
from prunus.runtime.incumbent import NO_INCUMBENT, Incumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome

__all__ = ["CostIncumbent", "CostMonitor", "CostProblem"]


@dataclass(frozen=True)
class CostProblem:
    """A problem whose objectives are costs.

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

    def evaluate(self, solution: NDArray[np.int64]) -> int:
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

    @property
    def plain(self) -> bool:
        """Whether costs and objectives are the same."""
        return self.base == 0 and not self.problem.maximise


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

    def offer(self, objective: int | float, solution: NDArray[np.int64], source: str) -> bool:
        """Take a solution with a cost if it is better than the best one; return whether it was."""
        taken = self._whole.offer(self._costs.objective(int(objective)), solution, source)
        with self._lock:
            self._follow()
        if taken:
            self._tell()
        return taken


class CostMonitor(Monitor):
    """A monitor as a search for costs sees it.

    Parameters
    ----------
    monitor
        The user's, which does all the work.
    costs
        Translates.
    """

    _monitor: Monitor
    _costs: CostProblem

    def __init__(self, monitor: Monitor, costs: CostProblem) -> None:
        object.__setattr__(self, "_monitor", monitor)
        object.__setattr__(self, "_costs", costs)
        object.__setattr__(self, "incumbent", CostIncumbent(monitor.incumbent, costs))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._monitor, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._monitor, name, value)

    def poll(self, phase: str, *, bound: int | float | None = None, **others: Any) -> bool:
        """Tell everybody how things stand; return whether the solve must stop."""
        words, _, below = phase.partition("searching below ")
        if below and not words:
            side = "above" if self._monitor.incumbent.maximise else "below"
            phase = f"searching {side} {self._costs.objective(int(below))}"
        if bound is not None:
            bound = self._costs.objective(int(bound))
        return self._monitor.poll(phase, bound=bound, **others)

    def note_bound(self, bound: int | float) -> None:
        """Remember what is proven by now."""
        self._monitor.note_bound(self._costs.objective(int(bound)))

    def state(self) -> dict[str, Any]:
        """Return what a checkpoint keeps of the incumbent and the course of the solve."""
        return self._monitor.state()

    def finish(self, nodes: int) -> None:
        """Note the last incumbents."""
        self._monitor.finish(nodes)

    def translated(self, outcome: Outcome) -> Outcome:
        """Return what a search for costs found in terms of the objective."""
        figures = dict(outcome.statistics)
        if "targets" in figures:
            figures["targets"] = [
                {**one, "below": self._costs.objective(one["below"])} for one in figures["targets"]
            ]
        bound = None if outcome.bound is None else self._costs.objective(int(outcome.bound))
        return replace(outcome, bound=bound, statistics=figures)
