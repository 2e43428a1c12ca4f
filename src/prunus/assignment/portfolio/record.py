"""What a portfolio, on cores or on GPUs, knows of a solve, and says of it at the end."""

from __future__ import annotations

from typing import Any

from prunus.assignment.certificate import Certificate
from prunus.assignment.portfolio.methods_used import MethodsUsed
from prunus.assignment.problem import Assignment
from prunus.hardware.threads import Threads
from prunus.model.spec import AUTO
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome


class SolveRecord:
    """One solve of a problem that is not a stack, on some devices, as well as the monitor allows.

    The method is one that the problem's spec names; the seed is that of the starts and of the order
    of switching.
    """

    _certificate: Certificate | None = None

    def __init__(
        self,
        problem: Assignment,
        method: str,
        monitor: Monitor,
        threads: Threads,
        seed: int,
        devices: tuple[str, ...],
    ) -> None:
        self.problem = problem
        self.method = method
        self.statistics: dict[str, Any] = {}
        self._used = MethodsUsed(exact=not monitor.limited)
        self._monitor = monitor
        self._threads = threads
        self._seed = seed
        self._device_names = devices
        self._unscanned_bound: int | float | None = None
        self._infeasible = False

    def outcome(self) -> Outcome:
        """Say what was found and proven."""
        certificate = self._certificate
        complete = self._infeasible or (certificate is not None and certificate.complete)
        bound = self._unscanned_bound if certificate is None else certificate.bound
        return Outcome(
            complete=complete,
            bound=None if self._infeasible else bound,
            stop_reason=None if complete else self._monitor.stop_token.reason,
            explored=1.0 if complete else 0.0,
            devices=self._device_names,
            statistics=self.statistics,
            method=str(self._used) if self.method == AUTO else None,
            duals=None if certificate is None else certificate.duals,
        )
