"""Following a method that ends at the optimum, and offering what there is on the way."""

from __future__ import annotations

from typing import Any

from prunus.assignment.gpu.answers import Answers
from prunus.assignment.gpu.exact import Exact
from prunus.assignment.gpu.jacobi import Jacobi
from prunus.assignment.gpu.market import Market
from prunus.assignment.gpu.raising import Raising
from prunus.assignment.ledger import Ledger
from prunus.runtime import clock
from prunus.runtime.monitor import Monitor

__all__ = ["Pursuit"]

_BETTER = ("auction", "scale")
"""Steps after which there may be a better assignment, and better prices."""

_RARELY = 10
"""Within such a step both are offered once in so many times what the last offer took."""


class Pursuit:
    """Methods that find the optimum in steps, on the market of one instance.

    Parameters
    ----------
    market
        The instance on the device.
    answers
        Take from it what there is.
    ledger, monitor
        Of the solve.
    statistics
        Gets ``"exact_time"``, ``"phases"`` and, of the plain auction, ``"rounds"``.
    """

    def __init__(
        self,
        market: Market,
        answers: Answers,
        ledger: Ledger,
        monitor: Monitor,
        statistics: dict[str, Any],
    ) -> None:
        self._market = market
        self._answers = answers
        self._ledger = ledger
        self._monitor = monitor
        self._statistics = statistics

    def follow(self, solver: Jacobi | Raising, source: str) -> bool:
        """Solve by a method from beginning to end; return True."""
        self.advance(solver)
        return self.conclude(solver, source)

    def advance(self, solver: Exact | Jacobi | Raising) -> None:
        """Solve until the method ends or the monitor says stop; offer what there is in between."""
        began = offered = clock.seconds()
        took = 0.0
        for phase in solver.steps():
            now = clock.seconds()
            better = phase in _BETTER or now - offered >= _RARELY * took
            if better and solver.complete and self._monitor.hurried:
                self._market.run("adopt")
                self._answers.offer(phase)
                self._answers.bound()
                offered = clock.seconds()
                took = offered - now
            if self._ledger.look(phase):
                break
        self._statistics.update(exact_time=clock.seconds() - began, phases=solver.phases)
        if isinstance(solver, Jacobi):
            self._statistics["rounds"] = solver.rounds

    def conclude(self, solver: Exact | Jacobi | Raising, source: str) -> bool:
        """Offer what a method ended with; return True."""
        if solver.complete:
            self._answers.offer(source)
        if self._monitor.left > 0:
            self._answers.bound()
        self._ledger.look("certificate", force=True)
        return True
