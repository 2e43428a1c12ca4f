"""What is proven of a problem at every moment: the incumbent, the bound, and whether they meet."""

from __future__ import annotations

import math
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.bound import bound_steps
from prunus.assignment.lists import Lists
from prunus.assignment.prepare import Prepared
from prunus.assignment.threads import Threads
from prunus.errors import InputError
from prunus.monitor import Monitor
from prunus.problems.assignment import Assignment
from prunus.progress import relative_gap

__all__ = ["Ledger"]

_GLANCE = 0.1
_MOMENT = 2**20


class Ledger:
    """The incumbent and the bound of one problem, and the clock.

    Parameters
    ----------
    problem, prepared
        The problem, and what is solved.
    monitor
        The clock and the incumbent.
    threads
        The cores to use.

    Attributes
    ----------
    bound : int, float or None
        What no assignment is better than, in the problem's values.
    complete : bool
        Nothing is left to prove.
    """

    def __init__(
        self, problem: Assignment, prepared: Prepared, monitor: Monitor, threads: Threads
    ) -> None:
        self.problem = problem
        self.prepared = prepared
        self.monitor = monitor
        self.threads = threads
        self.bound: int | float | None = None
        self.complete = False
        self._slack = 0.0
        self._looked = 0.0
        most = max(abs(prepared.high), abs(prepared.high - prepared.spread))
        if not math.isfinite(most * (prepared.values.shape[0] + 1)):
            raise InputError("values: their sum may be beyond the largest float; scale them down")
        if not prepared.huge:
            self.improve_bound(prepared.high * prepared.values.shape[0], 0.0)

    @property
    def moment(self) -> int:
        """How many rows are looked at in about a millisecond."""
        return max(1, _MOMENT // self.prepared.values.shape[1])

    def portion(self) -> int:
        """How many rows to look at until the next look at the clock: fewer where it is near."""
        left = min(max(self.monitor.left, 0.0), 1.0)
        return max(1, int(self.moment * min(4.0, max(0.25, 1e3 * left / 8))))

    @property
    def gap(self) -> float:
        """The relative gap; 0 while something is missing."""
        best = self.monitor.incumbent.best
        return relative_gap(None if best is None else best.objective, self.bound) or 0.0

    def look(self, phase: str, *, force: bool = False) -> bool:
        """Ask the monitor whether to stop: always about the clock, often about the rest."""
        now = perf_counter()
        if not force and self.monitor.left > 0 and now - self._looked < _GLANCE:
            return False
        self._looked = now
        return self.complete or self.monitor.look(phase, bound=self.bound)

    @property
    def due(self) -> bool:
        """Whether the next look is one at everything."""
        return perf_counter() - self._looked >= _GLANCE or self.monitor.left <= 0

    def offer(self, column: NDArray[np.int64], source: str) -> None:
        """Offer an assignment, given by the column of each row."""
        solution = self.prepared.columns(column.copy())
        self.monitor.incumbent.offer(self.problem.evaluate(solution), solution, source)
        self._compare()

    def improve_bound(self, benefit: int | float, slack: float) -> None:
        """Take a bound in benefits, which may be off by ``slack`` from rounding."""
        if self.prepared.integral:
            benefit = math.floor(benefit)
        bound = self.prepared.objective(benefit)
        sign = self.prepared.sign
        if self.bound is None or sign * bound < sign * self.bound:
            self.bound, self._slack = bound, slack
            self._compare()

    def bound_by(self, prices: NDArray[Any], lists: Lists | None = None) -> bool:
        """Take the bound that prices give; return whether there was the time to compute it."""
        steps = bound_steps(self.prepared.values, lists, prices, self.threads, self.portion)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                self.improve_bound(*end.value)
                return True
            if self.look("certificate"):
                return False

    def _compare(self) -> None:
        """See whether the bound is reached."""
        best = self.monitor.incumbent.best
        if best is not None and self.bound is not None:
            gap = self.prepared.sign * (self.bound - best.objective)
            # What is beyond the bound by rounding alone is the optimum as far as floats can tell.
            if gap <= (0 if self.problem.integral else self._slack):
                self.bound = best.objective
                self.complete = True
