"""Under a deadline: deep greedy switching from a quick start, and cheap prices that bound it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from prunus.assignment.certificate import HostCertificate
from prunus.assignment.exact.solver import ExactSolver
from prunus.assignment.portfolio.record import SolveRecord
from prunus.assignment.switching.deep_greedy import DeepGreedySwitching
from prunus.assignment.switching.exchange import new_switching_state
from prunus.assignment.switching.price_sweeps import sweep
from prunus.assignment.switching.start import from_columns, greedy_start, random_start
from prunus.assignment.switching.transpose import transpose_in_steps
from prunus.hardware import clock

_SWEEPS = 4
_WIDE = 1e-3
_PHASES = 4
_PASSES = 2.2


class AnytimePhase:
    """A start, switching, and a bound, each stopped when the monitor says so.

    What was done, and how long it took, is noted in ``record``.
    """

    def __init__(self, certificate: HostCertificate, seed: int, record: SolveRecord) -> None:
        self._certificate = certificate
        self._seed = seed
        self._record = record
        self._state = new_switching_state(certificate.prepared.values)
        self._pass = 0.0

    def start(self, kind: str) -> bool:
        """Find an assignment at once and a greedy one soon; return whether to stop."""
        certificate, values, state = (
            self._certificate,
            self._certificate.prepared.values,
            self._state,
        )
        given = certificate.monitor.incumbent.best
        began = clock.seconds()
        if given is not None:
            solution = certificate.problem.completed(np.asarray(given.solution))
            from_columns(values, state, certificate.prepared.column(solution))
        else:
            random_start(values, state, self._seed)
            certificate.offer(state.column, "random start")
            self._record.start = "random start"
            if kind == "greedy":
                state = new_switching_state(values)
                if certificate.poll("random start"):
                    return True
                for _ in greedy_start(values, state, self._seed, certificate.row_budget):
                    if certificate.poll("greedy start"):
                        return True
                self._state = state
                certificate.offer(state.column, "greedy start")
                self._record.start = "greedy start"
        self._pass = clock.seconds() - began
        self._record.statistics["start_time"] = clock.seconds() - began
        return certificate.poll("greedy start", force=True)

    def improve(self, order: str, *, alone: bool) -> Iterator[bool]:
        """Run deep greedy switching, then bound what it found; yield often, whether to stop.

        Switching ends early where no time would be left for the bound.

        Exchanges are made in this order. If nothing better follows (``alone``), some cheap prices
        are taken from the auction where these stall.
        """
        certificate, state, monitor = self._certificate, self._state, self._certificate.monitor
        self._record.switching = True
        began = clock.seconds()
        # A bound takes two passes over the matrix. Where they are most of the time, do without.
        reserve = _PASSES * self._pass
        reserve = reserve if monitor.time_left > 1.5 * reserve else 0.0
        for switching in self._switching(order):
            if certificate.due:
                certificate.offer(state.column, "deep greedy switching")
            if switching is not None:
                self._record.statistics.update(
                    evaluations=switching.evaluations, switches=switching.switches
                )
            stop = certificate.poll("deep greedy switching")
            if stop or monitor.time_left < reserve:
                break
            yield False
        self._record.statistics["switching_time"] = clock.seconds() - began
        certificate.offer(state.column, "deep greedy switching")
        yield certificate.poll("deep greedy switching", force=True) or self._bound(alone)

    def _switching(self, order: str) -> Iterator[DeepGreedySwitching | None]:
        certificate = self._certificate
        prepared = certificate.prepared
        values = prepared.values
        transposed = yield from transpose_in_steps(values, certificate.threads)
        tiny = 0.0 if prepared.integral else prepared.largest * 1e-12
        switching = DeepGreedySwitching(
            values, transposed, self._state, order, certificate.threads, seed=self._seed, tiny=tiny,
            budget=certificate.row_budget,
        )  # fmt: skip
        yield switching
        for _ in switching.steps():
            yield switching
        yield switching

    def _bound(self, alone: bool) -> bool:
        """Improve the bound cheaply while that pays; return whether to stop."""
        certificate, state = self._certificate, self._state
        values = certificate.prepared.values
        n, m = values.shape
        prices = np.zeros(m, values.price)
        for k in range(_SWEEPS if n == m else 1):
            before = certificate.bound
            if n == m:
                for _ in sweep(values, state, prices, certificate.row_budget):
                    if certificate.poll("sweeping prices"):
                        return True
            if not certificate.bound_by_prices(prices):
                return True
            if (k and certificate.bound == before) or certificate.poll("sweeping prices"):
                break
        if alone and certificate.prepared.auction_applies and certificate.gap > _WIDE:
            self._bound_by_auction()
        return certificate.poll("sweeping prices", force=True)

    def _bound_by_auction(self) -> None:
        """Take prices from the first phases of the auction."""
        certificate = self._certificate
        exact = ExactSolver(certificate.prepared, certificate.threads)
        for _ in exact.steps(certificate.row_budget):
            if certificate.poll("coarse auction") or exact.phases > _PHASES:
                return
            if exact.complete and not certificate.bound_by_prices(exact.auction.prices):
                return
