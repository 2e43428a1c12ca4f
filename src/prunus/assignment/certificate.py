"""What is proven of a problem at every moment: the incumbent, the bound, and whether they meet."""

from __future__ import annotations

import math
from time import perf_counter

import numpy as np

from prunus.assignment.arithmetic import sums_are_finite
from prunus.assignment.exact.dual_bound import best_values, sum_of_prices
from prunus.assignment.instance.facts import InstanceFacts
from prunus.assignment.instance.prepared import PreparedInstance
from prunus.assignment.problem import Assignment
from prunus.assignment.stepwise import run_to_end
from prunus.errors import InputError
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray, Number
from prunus.runtime.duals import Duals
from prunus.runtime.monitor import Monitor
from prunus.runtime.progress import relative_gap

SUM_TOO_LARGE = (
    "values: their sum may be beyond the largest float; scale them down, or forbid pairs by "
    "an infinity"
)
"""What is said of floats that cannot be added."""

_CLEAR = 1e-9
"""A bound that is off by no more than this part of the objective proves it."""
_POLL_INTERVAL_S = 0.1


class Certificate:
    """The incumbent and the bound of one problem, and the clock; wherever it is solved.

    ``facts`` are those of the problem as it is solved. No assignment is better than ``bound``, in
    the problem's values; with ``complete`` nothing is left to prove; ``duals`` prove the optimum.
    ``blurred``: rounding of large values may have hidden that small ones allow a better assignment.
    """

    def __init__(self, problem: Assignment, facts: InstanceFacts, monitor: Monitor) -> None:
        self.problem = problem
        self.facts = facts
        self.monitor = monitor
        self.bound: Number | None = None
        self.complete = self.blurred = False
        self.duals: Duals | None = None
        self._slack = 0.0
        self._proof: tuple[AnyArray, AnyArray] | None = None
        self._looked = 0.0

    @property
    def gap(self) -> float:
        """The relative gap; 0 while something is missing."""
        best = self.monitor.incumbent.best
        return relative_gap(None if best is None else best.objective, self.bound) or 0.0

    def poll(self, phase: str, *, force: bool = False) -> bool:
        """Ask the monitor whether to stop: always about the clock, often about the rest."""
        if not force and not self.due:
            return False
        self._looked = perf_counter()
        return self.complete or self.monitor.poll(phase, bound=self.bound)

    @property
    def due(self) -> bool:
        """Whether the next look is one at everything."""
        return self.monitor.time_left <= 0 or perf_counter() - self._looked >= _POLL_INTERVAL_S

    def offer(self, column: AnyArray, source: str) -> None:
        """Offer an assignment, given by the column of each row."""
        solution = self.facts.solution(column)
        value = self.problem.evaluate(solution)
        self.monitor.incumbent.offer(value, self.problem.shown(solution), source)
        self._compare()

    def improve_bound(
        self, benefit: Number, slack: float, proof: tuple[AnyArray, AnyArray] | None = None
    ) -> None:
        """Take a bound in benefits, which may be off by ``slack`` from rounding.

        ``proof`` are the best net values of rows and the prices of columns that it is the sum of.
        """
        if self.facts.integral:
            # No assignment of whole numbers is between the bound and the whole number below it.
            benefit, slack = math.floor(benefit + slack if slack else benefit), 0.0
        bound = self.facts.objective(benefit)
        sign = self.facts.sign
        if self.bound is None or sign * bound < sign * self.bound:
            self.bound, self._slack, self._proof = bound, slack, proof
            self._compare()

    def improve_by_duals(self, best: AnyArray, prices: AnyArray) -> None:
        """Take the bound that optimal prices of columns and the best net values of rows are."""
        self.improve_bound(*sum_of_prices(best, prices, integral=self.facts.integral))
        if self.complete:
            self.duals = self.facts.duals(best, prices)

    def _compare(self) -> None:
        """See whether the bound is reached."""
        best = self.monitor.incumbent.best
        if best is not None and self.bound is not None:
            gap = self.facts.sign * (self.bound - best.objective)
            # What is beyond the bound by rounding alone is the optimum as far as floats can tell.
            if gap <= (0 if self.problem.integral else self._slack):
                self.bound = best.objective
                self.complete = True
                self.blurred = abs(gap) > _CLEAR * abs(best.objective) > 0
                if self._proof is not None:
                    self.duals = self.facts.duals(*self._proof)


_ENTRIES_PER_MS = 2**20
"""Entries of a matrix that a core looks at in a millisecond, roughly."""


class HostCertificate(Certificate):
    """A certificate whose bounds are computed on cores, in portions that keep the deadline."""

    def __init__(
        self, problem: Assignment, prepared: PreparedInstance, monitor: Monitor, threads: Threads
    ) -> None:
        super().__init__(problem, prepared, monitor)
        self.prepared = prepared
        self.threads = threads
        if not prepared.huge and not sums_are_finite(prepared.largest, prepared.rows):
            raise InputError(SUM_TOO_LARGE)
        if not prepared.huge:
            kind, rows = prepared.values.price, prepared.rows
            proof = np.full(rows, prepared.high, kind), np.zeros(prepared.columns, kind)
            self.improve_bound(prepared.high * rows, 0.0, proof)

    def row_budget(self) -> int:
        """How many rows to look at until the next look at the clock: fewer where it is near."""
        left = min(max(self.monitor.time_left, 0.0), 1.0)
        rows_per_ms = max(1, _ENTRIES_PER_MS // self.prepared.columns)
        return max(1, int(rows_per_ms * min(4.0, max(0.25, 1e3 * left / 8))))

    def bound_by_prices(self, prices: AnyArray, *, optimal: bool = False) -> bool:
        """Take the bound that prices give; return whether there was the time to compute it.

        Prices that are ``optimal`` are kept: the assignment is optimal, and they prove it.
        """

        def must_stop() -> bool:
            # What is proven already ends a search, but not the computation of its dual prices.
            return self.poll("certificate") and (not optimal or self.monitor.time_left <= 0)

        steps = best_values(self.prepared, prices, self.threads, self.row_budget)
        best = run_to_end(steps, must_stop)
        if best is None:
            return False
        if optimal:
            self.improve_by_duals(best, prices)
        else:
            self.improve_bound(*sum_of_prices(best, prices, integral=self.prepared.integral))
        return True
