"""The ledger of a solve on cores: bounds that prices prove, in portions that keep the deadline."""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import NDArray

from prunus.assignment.bound import bound_steps
from prunus.assignment.exact.lists import Lists
from prunus.assignment.instance.prepare import Prepared
from prunus.assignment.ledger import Ledger
from prunus.assignment.problem import Assignment
from prunus.assignment.threads import Threads
from prunus.errors import InputError
from prunus.runtime.monitor import Monitor

__all__ = ["CoreLedger"]

_MOMENT = 2**20


class CoreLedger(Ledger):
    """A ledger whose bounds are computed on cores.

    Parameters
    ----------
    problem, prepared
        The problem, and what is solved.
    monitor
        The clock and the incumbent.
    threads
        The cores to use.
    """

    def __init__(
        self, problem: Assignment, prepared: Prepared, monitor: Monitor, threads: Threads
    ) -> None:
        super().__init__(problem, prepared, monitor)
        self.prepared = prepared
        self.threads = threads
        if not math.isfinite(prepared.largest * (prepared.rows + 1)):
            raise InputError("values: their sum may be beyond the largest float; scale them down")
        if not prepared.huge:
            self.improve_bound(prepared.high * prepared.rows, 0.0)

    @property
    def moment(self) -> int:
        """How many rows are looked at in about a millisecond."""
        return max(1, _MOMENT // self.prepared.columns)

    def portion(self) -> int:
        """How many rows to look at until the next look at the clock: fewer where it is near."""
        left = min(max(self.monitor.left, 0.0), 1.0)
        return max(1, int(self.moment * min(4.0, max(0.25, 1e3 * left / 8))))

    def bound_by(self, prices: NDArray[Any], lists: Lists | None = None) -> bool:
        """Take the bound that prices give; return whether there was the time to compute it."""
        steps = bound_steps(self.prepared.values, lists, prices, self.threads, self.portion)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                benefit, slack = end.value
                # Sums of whole numbers are exact.
                self.improve_bound(benefit, 0.0 if self.prepared.integral else slack)
                return True
            if self.look("certificate"):
                return False
