"""One solve of one problem: what is tried in which order.

Without a deadline the exact method is all there is. With one there is an assignment at once, a
greedy one after a pass over the matrix, and then the first phase of the auction tells how hard the
instance is. Where rows want different columns, the exact method is as fast as anything, and has
better assignments and bounds after every phase. Where they all want the same few it will take long,
and deep greedy switching, which is good just there, comes first when maximising. When minimising,
where there is no telling how good it will be, it takes turns with the exact method.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from prunus.assignment.certificate import HostCertificate
from prunus.assignment.exact.dense import solve_wide
from prunus.assignment.exact.solver import ExactSolver, PricesTooLargeError
from prunus.assignment.exact.sparse import SparseSolver
from prunus.assignment.instance import monge
from prunus.assignment.instance.prepared import prepare
from prunus.assignment.points.applies import near_points
from prunus.assignment.portfolio.anytime import AnytimePhase
from prunus.assignment.portfolio.direct import solve_directly
from prunus.assignment.portfolio.feasible_start import feasible_columns
from prunus.assignment.portfolio.points import solve_points
from prunus.assignment.portfolio.record import SolveRecord
from prunus.assignment.portfolio.unscanned import answer_unscanned, going_on, pausing
from prunus.assignment.problem import Assignment
from prunus.errors import InputError, OptionError
from prunus.hardware import clock
from prunus.hardware.memory import usable_memory
from prunus.hardware.threads import Threads
from prunus.model.spec import AUTO
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.stop_token import StoppedError

_ANSWER_S, _ANSWER_ROW_S = 3e-4, 2e-7
"""About how many seconds the answer takes once the time is up, and how many of it a row."""

_DISTANCE_S = 2e-9
"""About how many seconds a distance takes."""


class Portfolio:
    """Solve a problem on cores; the method is ``"auto"``, ``"exact"`` or ``"switching"``."""

    def __init__(
        self, problem: Assignment, method: str, monitor: Monitor, threads: Threads, seed: int
    ) -> None:
        self._problem, self._method, self._monitor = problem, method, monitor
        self._threads, self._seed = threads, seed
        self._record = SolveRecord(exact=not monitor.limited)

    def outcome(self) -> Outcome:
        """Say what was found and proven."""
        return self._record.outcome(self._method, (f"cpu:{self._threads.cores}",), self._monitor)

    def run(self, start: str, order: str) -> None:
        """Solve until the optimum is proven or the monitor says stop."""
        monitor, problem, record = self._monitor, self._problem, self._record
        monitor.reserve = _ANSWER_S + _ANSWER_ROW_S * min(problem.agents, problem.jobs)
        direct = None if self._method == "switching" else solve_directly(problem, monitor)
        if direct is not None:
            record.certificate, record.infeasible = direct
            record.exact = True
            record.statistics["augmenting_paths"] = min(problem.agents, problem.jobs)
            return
        if self._method != "switching" and near_points(problem):
            prepared = prepare(problem, self._threads)
            certificate = HostCertificate(problem, prepared, monitor, self._threads)
            record.certificate, record.exact = certificate, True
            if solve_points(certificate, record.statistics):
                return
        try:
            prepared = prepare(
                problem,
                self._threads,
                all_distances=self._distances_fit(),
                pause=pausing(monitor),
                copy=monitor.limited or self._method == "switching",  # which looks at all of it
            )
        except StoppedError:
            answer_unscanned(problem, monitor, self._seed, record)
            return
        certificate = HostCertificate(problem, prepared, monitor, self._threads)
        record.certificate = certificate
        certificate.poll("reading", force=True)
        if prepared.forbidden and monitor.limited and monitor.incumbent.best is None:
            column = feasible_columns(prepared.values, prepared.lists, going_on(monitor))
            if column is not None:
                record.start = "feasible start"
                certificate.offer(column, "feasible start")
        switching = self._method == "switching"
        if switching and prepared.forbidden:
            raise OptionError(
                "method",
                "swaps any two jobs, but here some pairs are forbidden; leave the method out",
                "switching",
            )
        if prepared.huge:
            self._solve_huge(certificate)
            return
        if prepared.lists is not None:
            self._solve_sparse(certificate)
            return
        hurried = self._method == AUTO and self._monitor.limited and not prepared.forbidden
        anytime = AnytimePhase(certificate, self._seed, record) if switching or hurried else None
        if anytime is not None and anytime.start(start):
            return
        if anytime is not None and switching:
            for stop in anytime.improve(order, alone=True):
                if stop:
                    break
            return
        self._solve(certificate, anytime, order)

    def _distances_fit(self) -> bool:
        """Whether there are the time and the memory to have all distances of points."""
        entries = self._problem.agents * self._problem.jobs
        enough = self._monitor.time_left > 20 * entries * _DISTANCE_S / self._threads.cores
        return enough and 8 * entries <= usable_memory(0.25)

    def _solve(
        self, certificate: HostCertificate, anytime: AnytimePhase | None, order: str
    ) -> None:
        """Solve exactly, with switching in turns where that helps."""
        prepared = certificate.prepared
        try:
            sorted_ = monge.recognise(prepared, pausing(self._monitor))
        except StoppedError:
            certificate.poll("sorting", force=True)
            return
        if sorted_ is not None:
            self._record.exact = True
            certificate.offer(sorted_[0], "sorting")
            certificate.bound_by_prices(sorted_[1], optimal=True)
            certificate.poll("sorting", force=True)
            return
        exact = ExactSolver(prepared, self._threads, bounded=True)
        self._record.exact = True
        switching = iter(()) if anytime is None else anytime.improve(order, alone=False)
        bounded = 0
        owed = 0.0
        before = clock.seconds()
        try:
            for phase in exact.steps(certificate.row_budget):
                if exact.complete and exact.phases > bounded and self._monitor.limited:
                    bounded = exact.phases
                    certificate.offer(exact.column, phase)
                    certificate.bound_by_prices(exact.prices)
                if exact.most is not None and not bounded and math.isfinite(exact.most):
                    certificate.improve_bound(exact.most, 0.0)
                if certificate.poll(phase):
                    break
                # Only the auction tells whether switching is worth while. It is no good minimiser:
                # there it gets a quarter of the time, elsewhere all until it is done.
                if exact.contested or not prepared.auction_applies:
                    owed += (clock.seconds() - before) / 3
                    owed, stop = _run_for(math.inf if prepared.sign > 0 else owed, switching)
                    if stop:
                        break
                before = clock.seconds()
        except PricesTooLargeError:
            self._solve_huge(certificate)
            return
        finally:
            self._record.statistics.update(exact.figures())
        self._record.infeasible = exact.finished and not exact.feasible
        if exact.finished and exact.feasible:
            certificate.offer(exact.column, "augmenting paths")
        if not self._record.infeasible and (prepared.auction_applies or exact.finished):
            certificate.bound_by_prices(exact.prices, optimal=exact.finished)
        certificate.poll("certificate", force=True)

    def _solve_sparse(self, certificate: HostCertificate) -> None:
        """Solve from lists of the allowed pairs."""
        sparse = SparseSolver(certificate.prepared)
        self._record.exact = True
        bounded = not self._monitor.limited
        for phase in sparse.steps(certificate.row_budget):
            if phase == "augmenting paths" and not bounded:
                bounded = True
                # The price of a column that no row may have stays below all.
                if sparse.prices.min() > certificate.prepared.values.lowest:
                    certificate.bound_by_prices(sparse.prices)
            if certificate.poll(phase):
                break
        self._record.statistics.update(sparse.figures())
        self._record.infeasible = sparse.finished and not sparse.feasible
        if sparse.finished and sparse.feasible:
            certificate.offer(sparse.column, "augmenting paths")
            certificate.bound_by_prices(sparse.prices, optimal=True)
        certificate.poll("certificate", force=True)

    def _solve_huge(self, certificate: HostCertificate) -> None:
        """Solve in 128 bits."""
        if certificate.prepared.lists is not None:
            raise InputError(
                "the values of this sparse problem are too large: the largest minus the smallest, "
                "times the number of agents, must stay below 2**60"
            )
        self._record.exact = True
        matrix = certificate.prepared.values.matrix
        column, best, prices = solve_wide(matrix, self._problem.maximise)
        certificate.offer(column, "augmenting paths")
        certificate.improve_by_duals(best, prices)


def _run_for(seconds: float, steps: Iterator[bool]) -> tuple[float, bool]:
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
