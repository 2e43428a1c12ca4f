"""One solve of one problem: what is tried in which order.

Without a deadline the exact method is all there is. With one there is an assignment at once, a
greedy one after a pass over the matrix, and then the first phase of the auction tells how hard the
instance is. Where rows want different columns, the exact method is as fast as anything, and has
better assignments and bounds after every phase. Where they all want the same few it will take long,
and deep greedy switching, which is good just there, comes first when maximising. When minimising,
where nobody can say how good it will be, it takes turns with the exact method.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from prunus.assignment import huge
from prunus.assignment.core_ledger import CoreLedger
from prunus.assignment.exact.method import Exact, TooLargeError
from prunus.assignment.hurry import Hurry
from prunus.assignment.instance import monge
from prunus.assignment.instance.prepare import prepare
from prunus.assignment.instance.unread import answer_unread, pausing
from prunus.assignment.problem import Assignment
from prunus.assignment.threads import Threads
from prunus.errors import InputError
from prunus.hardware.memory import usable_memory
from prunus.runtime import clock
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.stop_token import StoppedError

__all__ = ["Campaign"]

_ANSWER, _OF_A_ROW = 3e-4, 2e-7
"""About how many seconds the answer takes once the time is up, and how many of it a row."""

_DISTANCE = 2e-9
"""About how many seconds a distance takes."""


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
        self.statistics: dict[str, Any] = {}
        self._monitor = monitor
        self._threads = threads
        self._seed = seed
        self._ledger: CoreLedger | None = None
        self._unread_bound: int | float | None = None
        self._infeasible = False

    def run(self, start: str, order: str) -> None:
        """Solve until the optimum is proven or the monitor says stop."""
        monitor, problem = self._monitor, self.problem
        monitor.reserve = _ANSWER + _OF_A_ROW * min(problem.agents, problem.jobs)
        try:
            prepared = prepare(problem, self._threads, hold=self._holds(), pause=pausing(monitor))
        except StoppedError:
            self._unread_bound = answer_unread(problem, monitor, self._seed)
            return
        ledger = self._ledger = CoreLedger(self.problem, prepared, self._monitor, self._threads)
        ledger.look("reading", force=True)
        switching = self.method == "switching"
        if switching and prepared.forbidden:
            raise InputError(
                "method='switching' swaps any two jobs, and here pairs are forbidden; "
                "leave the method out"
            )
        if prepared.huge:
            self._solve_huge(ledger)
            return
        hurried = self.method == "auto" and self._monitor.hurried and not prepared.forbidden
        hurry = Hurry(ledger, self._seed, self.statistics) if switching or hurried else None
        if hurry is not None and hurry.start(start):
            return
        if hurry is not None and switching:
            for stop in hurry.improve(order, alone=True):
                if stop:
                    break
            return
        self._solve(ledger, hurry, order)

    def _holds(self) -> bool:
        """Whether there are the time and the memory to have all distances of points."""
        entries = self.problem.agents * self.problem.jobs
        enough = self._monitor.left > 20 * entries * _DISTANCE / self._threads.cores
        return enough and 8 * entries <= usable_memory(0.25)

    def outcome(self) -> Outcome:
        """Say what was found and proven."""
        ledger = self._ledger
        complete = self._infeasible or (ledger is not None and ledger.complete)
        bound = self._unread_bound if ledger is None else ledger.bound
        return Outcome(
            complete=complete,
            bound=None if self._infeasible else bound,
            stop_reason=None if complete else self._monitor.stop_token.reason,
            explored=1.0 if complete else 0.0,
            devices=(f"cpu:{self._threads.cores}",),
            statistics=self.statistics,
        )

    def _solve(self, ledger: CoreLedger, hurry: Hurry | None, order: str) -> None:
        """Solve exactly, with switching in turns where that helps."""
        prepared = ledger.prepared
        try:
            sorted_ = monge.recognise(prepared, pausing(self._monitor))
        except StoppedError:
            ledger.look("sorting", force=True)
            return
        if sorted_ is not None:
            ledger.offer(sorted_[0], "sorting")
            ledger.bound_by(sorted_[1])
            ledger.look("sorting", force=True)
            return
        exact = Exact(prepared, self._threads, bounded=True)
        switching = iter(()) if hurry is None else hurry.improve(order, alone=False)
        bounded = 0
        owed = 0.0
        before = clock.seconds()
        try:
            for phase in exact.steps(ledger.portion):
                if exact.complete and exact.phases > bounded and self._monitor.hurried:
                    bounded = exact.phases
                    ledger.offer(exact.market.column, phase)
                    ledger.bound_by(exact.market.prices, exact.lists)
                if exact.most is not None and not bounded and math.isfinite(exact.most):
                    ledger.improve_bound(exact.most, 0.0)
                if ledger.look(phase):
                    break
                # Only the auction tells whether switching is worth while. It is no good minimiser:
                # there it gets a quarter of the time, elsewhere all until it is done.
                if exact.crowded or not prepared.auction:
                    owed += (clock.seconds() - before) / 3
                    owed, stop = _spend(math.inf if prepared.sign > 0 else owed, switching)
                    if stop:
                        break
                before = clock.seconds()
        except TooLargeError:
            self._solve_huge(ledger)
            return
        finally:
            self.statistics.update(exact.figures())
        self._infeasible = exact.finished and not exact.feasible
        if exact.finished and exact.feasible:
            ledger.offer(exact.market.column, "augmenting paths")
        if not self._infeasible and (prepared.auction or exact.finished):
            ledger.bound_by(exact.market.prices, exact.lists)
        ledger.look("certificate", force=True)

    def _solve_huge(self, ledger: CoreLedger) -> None:
        """Solve in Python's integers."""
        if ledger.prepared.lists is not None:
            raise InputError(
                "the values of this sparse problem are too large: the largest less the smallest, "
                "times the number of agents, must stay below 2**60"
            )
        matrix = ledger.prepared.values.matrix
        column, bound = huge.solve(matrix, self.problem.maximise)
        ledger.offer(column, "augmenting paths")
        ledger.improve_bound(bound, 0.0)


def _spend(seconds: float, steps: Iterator[bool]) -> tuple[float, bool]:
    """Go on for so long; return what of the time is left, and whether to stop."""
    while seconds > 0:
        began = clock.seconds()
        stop = next(steps, None)
        if stop is None:
            return 0.0, False
        if stop:
            return 0.0, True
        seconds -= clock.seconds() - began
    return seconds, False
