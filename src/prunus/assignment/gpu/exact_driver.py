"""Following a method that ends at the optimum, and offering what there is on the way."""

from __future__ import annotations

from typing import Any

from prunus.assignment.certificate import Certificate
from prunus.assignment.gpu.answers import DeviceAnswers
from prunus.assignment.gpu.cost_scaling import CostScaling
from prunus.assignment.gpu.exact import DeviceExactSolver
from prunus.assignment.gpu.instance import DeviceInstance
from prunus.assignment.gpu.jacobi_auction import JacobiAuction
from prunus.hardware import clock
from prunus.runtime.monitor import Monitor

_BETTER = ("auction", "scale")
"""Steps after which there may be a better assignment, and better prices."""


class ExactDriver:
    """Methods that find the optimum in steps, on the instance of one instance.

    The statistics get ``"exact_time"``, ``"phases"`` and, of the plain auction, ``"rounds"``.
    """

    def __init__(
        self,
        instance: DeviceInstance,
        answers: DeviceAnswers,
        certificate: Certificate,
        monitor: Monitor,
        statistics: dict[str, Any],
    ) -> None:
        self._instance = instance
        self._answers = answers
        self._certificate = certificate
        self._monitor = monitor
        self._statistics = statistics

    def follow(self, solver: JacobiAuction | CostScaling, source: str) -> None:
        """Solve by a method from beginning to end."""
        self.advance(solver)
        self.conclude(solver, source)

    def advance(self, solver: DeviceExactSolver | JacobiAuction | CostScaling) -> None:
        """Solve until the method ends or the monitor says stop; offer what there is in between."""
        began = offered = clock.seconds()
        took = 0.0
        interval = self._instance.tuning.offer_interval
        for phase in solver.steps():
            now = clock.seconds()
            better = phase in _BETTER or now - offered >= interval * took
            if better and solver.complete and self._monitor.limited:
                self._instance.run("adopt_columns")
                self._answers.offer(phase)
                self._answers.bound()
                offered = clock.seconds()
                took = offered - now
            if self._certificate.poll(phase):
                break
        self._statistics.update(exact_time=clock.seconds() - began, phases=solver.phases)
        if isinstance(solver, JacobiAuction):
            self._statistics["rounds"] = solver.rounds

    def conclude(
        self, solver: DeviceExactSolver | JacobiAuction | CostScaling, source: str
    ) -> None:
        """Offer what a method ended with."""
        if solver.complete:
            self._answers.offer(source)
        if self._monitor.time_left > 0:
            self._answers.bound()
        self._certificate.poll("certificate", force=True)
