"""What a device has found, as the ledger takes it: an assignment, and the bound of prices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from prunus.assignment.gpu.market import Market
from prunus.assignment.instance.facts import Facts
from prunus.assignment.ledger import Ledger
from prunus.runtime.monitor import Monitor

__all__ = ["Answers"]


class Answers:
    """From the market of an instance to its ledger.

    Parameters
    ----------
    market
        The instance on the device.
    facts
        The instance.
    ledger, monitor
        Of the solve.
    seed
        Of the columns for rows that have none.
    statistics
        ``"unplaced"`` is how many these were, if there were any.
    """

    def __init__(
        self,
        market: Market,
        facts: Facts,
        ledger: Ledger,
        monitor: Monitor,
        seed: int,
        statistics: dict[str, Any],
    ) -> None:
        self._market = market
        self._facts = facts
        self._ledger = ledger
        self._monitor = monitor
        self._seed = seed
        self._statistics = statistics

    def offer(self, source: str) -> None:
        """Take what the rows have; those that have nothing get what is left."""
        column = self._market.read("column")
        free = np.flatnonzero(column < 0)
        if len(free):
            # Time ran out before they had one.
            self._statistics["unplaced"] = len(free)
            column = column.copy()
            taken = np.zeros(self._facts.columns, np.bool_)
            taken[column[column >= 0]] = True
            left = np.random.default_rng([self._seed, 2]).permutation(np.flatnonzero(~taken))
            column[free] = left[: len(free)]
            self._market.write("column", column)
        self._ledger.offer(column, source)

    def bound(self, *, looked: bool = False) -> None:
        """Take the bound that the prices prove; ``looked``: lists were made at these prices."""
        market = self._market
        if not looked:
            market.run("certify")
        market.hold()
        prices, best = market.read("price"), market.read("best")
        least = prices.min()
        if market.source.columns > market.source.rows and least < 0:
            return
        # Rows that there was no time for are only known to have no more than this.
        kind: type[int] | type[float] = int if prices.dtype == np.int64 else float
        best = np.minimum(best, kind(self._facts.high) - kind(least))
        if prices.dtype == np.int64:
            self._ledger.improve_bound(
                sum(map(int, prices.tolist())) + sum(map(int, best.tolist())), 0.0
            )
            return
        ends = (least, prices.max(), best.min(), best.max())
        largest = max(abs(float(end)) for end in ends)
        slack = len(best) * 2.0**-47 * largest
        if self._facts.integral or self._monitor.hurried:
            # Pairwise sums are off by less than the slack.
            self._ledger.improve_bound(float(prices.sum()) + float(best.sum()), slack)
        else:
            self._ledger.improve_bound(math.fsum(prices.tolist()) + math.fsum(best.tolist()), slack)
