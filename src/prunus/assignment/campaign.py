"""One solve of one problem: what is tried in which order, and what is proven at every moment."""

from __future__ import annotations

import math
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.assignment import huge, monge
from prunus.assignment.bound import dual_bound
from prunus.assignment.exact import Exact, TooLargeError
from prunus.assignment.exchange import new_state, turn
from prunus.assignment.prepare import Prepared, prepare
from prunus.assignment.start import from_columns, greedy_start, random_start
from prunus.assignment.sweeps import sweep
from prunus.assignment.switching import Switching
from prunus.assignment.threads import Threads
from prunus.errors import InputError
from prunus.monitor import Monitor
from prunus.outcome import Outcome
from prunus.problems.assignment import Assignment
from prunus.progress import relative_gap

__all__ = ["Campaign"]

_GLANCE = 0.1
_SWEEPS = 4
_WIDE = 1e-3
_PHASES = 4


class Campaign:
    """Solve a problem that is not a stack as well as the monitor allows.

    Parameters
    ----------
    problem
        The problem.
    method
        ``"auto"``, ``"exact"`` or ``"switching"``.
    monitor
        The clock and the incumbent.
    threads
        The cores to use.
    seed
        Of the starts and of the order of switching.
    """

    def __init__(
        self, problem: Assignment, method: str, monitor: Monitor, threads: Threads, seed: int
    ) -> None:
        self.problem = problem
        self.method = method
        self.prepared: Prepared | None = None
        self.statistics: dict[str, Any] = {}
        self.complete = False
        self._bound: int | float | None = None
        self._slack = 0.0
        self._monitor = monitor
        self._threads = threads
        self._seed = seed
        self._looked = 0.0

    def run(self, start: str, order: str) -> None:
        """Solve until the optimum is proven or the monitor says stop."""
        prepared = self.prepared = prepare(self.problem, self._threads)
        self._look("reading", force=True)
        n = prepared.values.shape[0]
        if not prepared.huge and math.isfinite(prepared.high):
            self._improve_bound(prepared.high * n, 0.0)
        if prepared.huge:
            self._solve_huge(prepared)
            return
        hurried = self._monitor.hurried and not prepared.forbidden
        if self.method == "switching" or (self.method == "auto" and hurried):
            if prepared.forbidden:
                raise InputError(
                    "method='switching' swaps any two jobs, and here pairs are forbidden; "
                    "leave the method out"
                )
            if self._switch(prepared, start, order):
                return
            if self._bound_by_sweeps(prepared) or self.method == "switching":
                return
        self._solve(prepared)

    def outcome(self) -> Outcome:
        """Say what was found and proven."""
        bound = self._bound
        return Outcome(
            complete=self.complete,
            bound=bound,
            explored=1.0 if self.complete else 0.0,
            devices=(f"cpu:{self._threads.cores}",),
            statistics=self.statistics,
        )

    def _look(self, phase: str, *, force: bool = False) -> bool:
        """Ask the monitor whether to stop: always about the clock, often about the rest."""
        now = perf_counter()
        if not force and self._monitor.left > 0 and now - self._looked < _GLANCE:
            return False
        self._looked = now
        return self._monitor.look(phase, bound=self._bound) or self.complete

    def _offer(self, column: NDArray[np.int64], source: str) -> None:
        assert self.prepared is not None
        solution = self.prepared.columns(column.copy())
        self._monitor.incumbent.offer(self.problem.evaluate(solution), solution, source)
        self._compare()

    def _improve_bound(self, benefit: int | float, slack: float) -> None:
        """Take a bound in benefits, which may be off by ``slack`` from rounding."""
        assert self.prepared is not None
        if self.prepared.integral:
            benefit = math.floor(benefit)
        bound = self.prepared.objective(benefit)
        sign = self.prepared.sign
        if self._bound is None or sign * bound < sign * self._bound:
            self._bound, self._slack = bound, slack
            self._compare()

    def _compare(self) -> None:
        """See whether the bound is reached."""
        best = self._monitor.incumbent.best
        if best is not None and self._bound is not None and self.prepared is not None:
            gap = self.prepared.sign * (self._bound - best.objective)
            # What is beyond the bound by rounding alone is the optimum as far as floats can tell.
            if gap <= (0 if self.problem.integral else self._slack):
                self._bound = best.objective
                self.complete = True

    def _price_bound(
        self, prepared: Prepared, prices: NDArray[Any], exact: Exact | None = None
    ) -> None:
        lists = None if exact is None else exact.lists
        self._improve_bound(*dual_bound(prepared.values, lists, prices, self._threads))

    def _switch(self, prepared: Prepared, start: str, order: str) -> bool:
        """Run deep greedy switching; return whether to stop."""
        values = prepared.values
        state = self._state = new_state(values)
        given = self._monitor.incumbent.best
        began = perf_counter()
        if given is not None:
            from_columns(values, state, prepared.rows(np.asarray(given.solution)))
        else:
            random_start(values, state, self._seed)
            self._offer(state.column, "random start")
            if start == "greedy" and not self._greedy(prepared):
                return True
        self.statistics["start_time"] = perf_counter() - began
        if self._look("deep greedy switching", force=True):
            return True
        turned = turn(values, self._symmetric(prepared))
        largest = max(abs(prepared.high), abs(prepared.high - prepared.spread))
        tiny = 0.0 if prepared.integral else largest * 1e-12
        switching = Switching(
            values, turned, state, order, self._threads, seed=self._seed, tiny=tiny
        )
        stop = False
        for _ in switching.steps():
            stop = self._switching_look(prepared, switching)
            if stop:
                break
        self.statistics.update(
            switching_time=perf_counter() - began,
            evaluations=switching.evaluations,
            switches=switching.switches,
        )
        self._offer(state.column, "deep greedy switching")
        return stop or self._look("deep greedy switching", force=True)

    def _switching_look(self, prepared: Prepared, switching: Switching) -> bool:
        now = perf_counter()
        if now - self._looked >= _GLANCE or self._monitor.left <= 0:
            self._offer(switching.state.column, "deep greedy switching")
        return self._look("deep greedy switching")

    def _greedy(self, prepared: Prepared) -> bool:
        """Replace a random start by a greedy one if there is the time; return whether there was."""
        state = new_state(prepared.values)
        budget = self._slice(prepared)
        for _ in greedy_start(prepared.values, state, self._seed, budget):
            if self._look("greedy start"):
                return False
        self._state = state
        return True

    def _slice(self, prepared: Prepared) -> int:
        """Return how many rows are looked at in about a millisecond."""
        return max(1, 2**20 // prepared.values.shape[1])

    def _symmetric(self, prepared: Prepared) -> bool:
        """Tell whether the matrix is its own transpose, at once where it is not."""
        matrix = prepared.values.matrix
        n, m = prepared.values.shape
        if n != m or prepared.values.metric >= 0:
            return False
        return all(
            np.array_equal(matrix[k : k + 256, :], matrix[:, k : k + 256].T)
            for k in range(0, n, 256)
        )

    def _bound_by_sweeps(self, prepared: Prepared) -> bool:
        """Improve the bound cheaply while that pays; return whether to stop."""
        values, state = prepared.values, self._state
        n, m = values.shape
        prices = np.zeros(m, values.price)
        self._price_bound(prepared, prices)
        for _ in range(_SWEEPS if n == m else 0):
            if self._look("sweeping prices"):
                return True
            before = self._bound
            for _ in sweep(values, state, prices, self._slice(prepared)):
                if self._look("sweeping prices"):
                    return True
            self._price_bound(prepared, prices)
            if self._bound == before:
                break
        self._stalled(prepared)
        return self._look("sweeping prices", force=True)

    def _stalled(self, prepared: Prepared) -> None:
        """Where sweeps leave a wide gap, take prices from coarse phases of the auction."""
        if self.method != "switching" or not prepared.auction or self._gap() <= _WIDE:
            return
        exact = Exact(prepared, self._threads)
        for _ in exact.steps(4 * self._slice(prepared)):
            if self._look("coarse auction") or exact.phases > _PHASES:
                return
            if exact.complete:
                self._price_bound(prepared, exact.market.prices)

    def _gap(self) -> float:
        best = self._monitor.incumbent.best
        return relative_gap(None if best is None else best.objective, self._bound) or 0.0

    def _solve(self, prepared: Prepared) -> None:
        """Solve exactly."""
        sorted_ = monge.recognise(prepared)
        if sorted_ is not None:
            self._offer(sorted_[0], "sorting")
            self._price_bound(prepared, sorted_[1])
            self._look("sorting", force=True)
            return
        exact = Exact(prepared, self._threads)
        bounded = 0
        try:
            for phase in exact.steps(4 * self._slice(prepared)):
                if exact.complete and exact.phases > bounded and self._monitor.hurried:
                    bounded = exact.phases
                    self._offer(exact.market.column, phase)
                    self._price_bound(prepared, exact.market.prices, exact)
                if self._look(phase):
                    break
        except TooLargeError:
            self._solve_huge(prepared)
            return
        finally:
            self.statistics.update(exact.figures())
        if exact.finished and exact.feasible:
            self._offer(exact.market.column, "augmenting paths")
        if exact.finished and not exact.feasible:
            self.complete, self._bound = True, None
        elif prepared.auction or exact.finished:
            self._price_bound(prepared, exact.market.prices, exact)
        self._look("certificate", force=True)

    def _solve_huge(self, prepared: Prepared) -> None:
        """Solve in Python's integers."""
        if prepared.lists is not None:
            raise InputError(
                "the values of this sparse problem are too large: the largest less the smallest, "
                "times the number of agents, must stay below 2**60"
            )
        matrix = prepared.values.matrix
        column, bound = huge.solve(matrix, self.problem.maximise)
        self._offer(column, "augmenting paths")
        self._improve_bound(bound, 0.0)
