"""Under a deadline: deep greedy switching from a quick start, and cheap prices that bound it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from prunus.assignment.core_ledger import CoreLedger
from prunus.assignment.exact.method import Exact
from prunus.assignment.switching.exchange import new_state
from prunus.assignment.switching.method import Switching
from prunus.assignment.switching.start import from_columns, greedy_start, random_start
from prunus.assignment.switching.sweeps import sweep
from prunus.assignment.switching.turning import turn_steps
from prunus.runtime import clock

__all__ = ["Hurry"]

_SWEEPS = 4
_WIDE = 1e-3
_PHASES = 4
_PASSES = 2.2


class Hurry:
    """A start, switching, and a bound, each stopped when the monitor says so.

    Parameters
    ----------
    ledger
        What is known of the problem.
    seed
        Of the starts and of the order of switching.
    statistics
        Where to note how long things took.
    """

    def __init__(self, ledger: CoreLedger, seed: int, statistics: dict[str, Any]) -> None:
        self._ledger = ledger
        self._seed = seed
        self._statistics = statistics
        self._state = new_state(ledger.prepared.values)
        self._pass = 0.0

    def start(self, kind: str) -> bool:
        """Have an assignment at once and a greedy one soon; return whether to stop."""
        ledger, values, state = self._ledger, self._ledger.prepared.values, self._state
        given = ledger.monitor.incumbent.best
        began = clock.seconds()
        if given is not None:
            from_columns(values, state, ledger.prepared.column(np.asarray(given.solution)))
        else:
            random_start(values, state, self._seed)
            ledger.offer(state.column, "random start")
            if kind == "greedy":
                state = new_state(values)
                if ledger.look("random start"):
                    return True
                for _ in greedy_start(values, state, self._seed, ledger.portion):
                    if ledger.look("greedy start"):
                        return True
                self._state = state
                ledger.offer(state.column, "greedy start")
        self._pass = clock.seconds() - began
        self._statistics["start_time"] = clock.seconds() - began
        return ledger.look("greedy start", force=True)

    def improve(self, order: str, *, alone: bool) -> Iterator[bool]:
        """Run deep greedy switching, then bound what it found; yield often, whether to stop.

        Switching ends early where no time would be left for the bound.

        Parameters
        ----------
        order
            In which order exchanges are made.
        alone
            Nothing better follows: where cheap prices stall, take some from the auction.
        """
        ledger, state, monitor = self._ledger, self._state, self._ledger.monitor
        began = clock.seconds()
        # A bound takes two passes over the matrix. Where they are most of the time, do without.
        reserve = _PASSES * self._pass
        reserve = reserve if monitor.left > 1.5 * reserve else 0.0
        for switching in self._switching(order):
            if ledger.due:
                ledger.offer(state.column, "deep greedy switching")
            if switching is not None:
                self._statistics.update(
                    evaluations=switching.evaluations, switches=switching.switches
                )
            stop = ledger.look("deep greedy switching")
            if stop or monitor.left < reserve:
                break
            yield False
        self._statistics["switching_time"] = clock.seconds() - began
        ledger.offer(state.column, "deep greedy switching")
        yield ledger.look("deep greedy switching", force=True) or self._bound(alone)

    def _switching(self, order: str) -> Iterator[Switching | None]:
        ledger = self._ledger
        prepared = ledger.prepared
        values = prepared.values
        steps = turn_steps(values, ledger.threads)
        while True:
            try:
                next(steps)
            except StopIteration as end:
                turned = end.value
                break
            yield None
        tiny = 0.0 if prepared.integral else prepared.largest * 1e-12
        switching = Switching(
            values, turned, self._state, order, ledger.threads, seed=self._seed, tiny=tiny,
            budget=ledger.portion,
        )  # fmt: skip
        yield switching
        for _ in switching.steps():
            yield switching
        yield switching

    def _bound(self, alone: bool) -> bool:
        """Improve the bound cheaply while that pays; return whether to stop."""
        ledger, state = self._ledger, self._state
        values = ledger.prepared.values
        n, m = values.shape
        prices = np.zeros(m, values.price)
        for k in range(_SWEEPS if n == m else 1):
            before = ledger.bound
            if n == m:
                for _ in sweep(values, state, prices, ledger.portion):
                    if ledger.look("sweeping prices"):
                        return True
            if not ledger.bound_by(prices):
                return True
            if (k and ledger.bound == before) or ledger.look("sweeping prices"):
                break
        if alone and ledger.prepared.auction and ledger.gap > _WIDE:
            self._bound_by_auction()
        return ledger.look("sweeping prices", force=True)

    def _bound_by_auction(self) -> None:
        """Take prices from the first phases of the auction."""
        ledger = self._ledger
        exact = Exact(ledger.prepared, ledger.threads)
        for _ in exact.steps(ledger.portion):
            if ledger.look("coarse auction") or exact.phases > _PHASES:
                return
            if exact.complete and not ledger.bound_by(exact.market.prices):
                return
