"""Under a deadline: deep greedy switching from a quick start, and cheap prices that bound it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from prunus.assignment.certificate import HostCertificate
from prunus.assignment.exact.solver import ExactSolver
from prunus.assignment.portfolio.record import SolveRecord
from prunus.assignment.switching.deep_greedy import DeepGreedySwitching
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
        self._record = record
        prepared = certificate.prepared
        tiny = 0.0 if prepared.integral else prepared.largest * 1e-12
        self._switching = DeepGreedySwitching(
            prepared.values, certificate.threads, certificate.row_budget, seed=seed, tiny=tiny
        )
        self._pass = 0.0

    def start(self, kind: str) -> bool:
        """Find an assignment at once and a greedy one soon; return whether to stop."""
        certificate, switching = self._certificate, self._switching
        given = certificate.monitor.incumbent.best
        began = clock.seconds()
        if given is not None:
            solution = certificate.problem.completed(np.asarray(given.solution))
            switching.kernel.assign(certificate.prepared.column(solution))
        else:
            switching.start_randomly()
            self._offer("random start")
            if kind == "greedy":
                if certificate.poll("random start"):
                    return True
                for _ in switching.start_greedily():
                    if certificate.poll("greedy start"):
                        return True
                self._offer("greedy start")
        self._pass = clock.seconds() - began
        self._record.statistics["start_time"] = clock.seconds() - began
        return certificate.poll("greedy start", force=True)

    def _offer(self, start: str) -> None:
        self._certificate.offer(self._switching.kernel.column, start)
        self._record.start = start

    def improve(self, order: str, *, alone: bool) -> Iterator[bool]:
        """Run deep greedy switching, then bound what it found; yield often, whether to stop.

        Switching ends early where no time would be left for the bound.

        Exchanges are made in this order. If nothing better follows (``alone``), some cheap prices
        are taken from the auction where these stall.
        """
        certificate, monitor, record = self._certificate, self._certificate.monitor, self._record
        kernel = self._switching.kernel
        record.switching = True
        began = clock.seconds()
        # A bound takes two passes over the matrix. Where they are most of the time, do without.
        reserve = _PASSES * self._pass
        reserve = reserve if monitor.time_left > 1.5 * reserve else 0.0
        for _ in self._switching.steps(order):
            if certificate.due:
                certificate.offer(kernel.column, "deep greedy switching")
            stop = certificate.poll("deep greedy switching")
            if stop or monitor.time_left < reserve:
                break
            yield False
        record.statistics.update(
            evaluations=kernel.evaluations,
            switches=kernel.switches,
            switching_time=clock.seconds() - began,
        )
        certificate.offer(kernel.column, "deep greedy switching")
        yield certificate.poll("deep greedy switching", force=True) or self._bound(alone)

    def _bound(self, alone: bool) -> bool:
        """Improve the bound cheaply while that pays; return whether to stop."""
        certificate = self._certificate
        values = certificate.prepared.values
        n, m = values.shape
        prices = np.zeros(m, values.price)
        for k in range(_SWEEPS if n == m else 1):
            before = certificate.bound
            if n == m:
                for _ in self._switching.sweep(prices):
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
            if exact.complete and not certificate.bound_by_prices(exact.prices):
                return
