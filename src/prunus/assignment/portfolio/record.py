"""What the steps of one solve, on cores or on GPUs, have used, found and proven."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from prunus.assignment.certificate import Certificate
from prunus.model.arrays import Number
from prunus.model.spec import AUTO
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome


@dataclass
class SolveRecord:
    """What is told at the end of the solve of a problem that is not a stack."""

    start: str = ""
    """The start that the assignment comes from, if no method came after it."""
    switching: bool = False
    exact: bool = False
    """Whether these methods have begun."""
    statistics: dict[str, Any] = field(default_factory=dict)
    certificate: Certificate | None = None
    bound: Number | None = None
    """What is proven without a certificate."""
    infeasible: bool = False

    def outcome(self, method: str, devices: tuple[str, ...], monitor: Monitor) -> Outcome:
        """Say what was found and proven by a method that the problem's spec names."""
        certificate = self.certificate
        complete = self.infeasible or (certificate is not None and certificate.complete)
        bound = self.bound if certificate is None else certificate.bound
        used = [name for name in ("switching", "exact") if getattr(self, name)]
        return Outcome(
            complete=complete,
            bound=None if self.infeasible else bound,
            stop_reason=None if complete else monitor.stop_token.reason,
            explored=1.0 if complete else 0.0,
            devices=devices,
            statistics=self.statistics,
            method=(", ".join(used) or self.start) if method == AUTO else None,
            duals=None if certificate is None else certificate.duals,
        )
