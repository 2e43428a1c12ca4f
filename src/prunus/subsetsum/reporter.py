"""One solve: the instance as reduced, and how to report on it in terms of the user's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.subsetsum.pieces.accounting import PieceAccounting
from prunus.subsetsum.problem import SubsetSum
from prunus.subsetsum.reductions import ReducedInstance


class Reporter:
    """Reports progress and results in terms of the user's instance.

    ``devices`` are those of the latest search, of which ``devices_at_work`` search.
    """

    def __init__(self, problem: SubsetSum, reduced: ReducedInstance, monitor: Monitor) -> None:
        self.problem, self.reduced, self.monitor = problem, reduced, monitor
        self.devices: tuple[str, ...] = ()
        self.devices_at_work = 1
        self.statistics: dict[str, Any] = {"reduced_items": len(reduced.weights)}

    @property
    def stopped(self) -> bool:
        """Whether the monitor or the user has asked to stop."""
        return self.monitor.stop_token.requested

    def trivial_answer(self) -> Outcome | None:
        """Answer what needs no search."""
        weights, target = self.reduced.weights, self.reduced.target
        if self.reduced.hopeless:
            return self.end("reductions", complete=True)
        if target == 0:
            return self.end("reductions", (), count=1, complete=True)
        if target == sum(weights):
            return self.end("reductions", range(len(weights)), count=1, complete=True)
        return None

    def end(
        self,
        method: str,
        chosen: Any = None,
        *,
        count: int = 0,
        complete: bool,
        explored: float | None = None,
    ) -> Outcome:
        """Verify a subset by adding it up, offer it, and note how it was found."""
        objective = self.problem.objective
        bound: int | None = None
        if chosen is not None and objective != "count":
            value = self.offer(chosen, method)
            complete = complete or value == self.problem.target
            if complete:
                bound = value
        if objective == "closest" and not complete:
            bound = self._bound()
        return Outcome(
            complete=complete,
            bound=bound,
            stop_reason=None if complete else self.monitor.stop_token.reason,
            leaves=count * self.reduced.factor if objective == "count" else 0,
            explored=1.0 if complete else explored or 0.0,
            devices=() if method == "reductions" else self.devices,
            statistics=self.statistics,
            method=method,
        )

    def offer(self, chosen: Iterable[int], source: str) -> int:
        """Verify a subset of the reduced instance by adding it up, and offer it; return its sum."""
        items = self.reduced.subset(chosen)
        value, target = self.problem.evaluate(items), self.problem.target
        if value > target or (self.problem.objective == "sum" and value < target):
            raise AssertionError(f"a subset by {source} adds up to {value}")
        self.monitor.incumbent.offer(value, np.array(items, np.int64), source)
        return value

    def _bound(self) -> int:
        """Return an upper bound on the sums that do not exceed the target."""
        most = sum(weight for weight in self.problem.weights if weight > 0)
        return min(self.problem.target, most)

    def poller(self, phase: str, *, offering: bool) -> Callable[[PieceAccounting | None], bool]:
        """Return what tells the monitor how far a search is and asks it whether to stop.

        ``offering``: the subsets that the search finds are some of the reduced instance.
        """
        counting_all = self.problem.objective == "count"
        bound = self._bound() if self.problem.objective == "closest" else None

        def look(accounting: PieceAccounting | None) -> bool:
            closest = offering and self.problem.objective == "closest"
            if closest and accounting is not None and accounting.subset is not None:
                self.offer(accounting.subset, phase)
            count = None
            if accounting is not None and counting_all:
                count = accounting.count * self.reduced.factor
            return self.monitor.poll(
                phase,
                bound=bound,
                objective=count,
                explored=accounting.explored if accounting else 0.0,
                active=self.devices_at_work,
                explorers=self.devices_at_work,
            )

        return look
