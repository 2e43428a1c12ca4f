"""The optimum on a GPU: ε-scaling auction with many bidders, shortest augmenting paths on the host.

The auction's phases run on the GPU, each until few rows are left without a column: those would
outbid one another in long chains, phase after phase. From the prices that this leaves the host
finds the optimum along shortest paths (``handover.py``). Where that does not pay or cannot be,
because a deadline is near or the host's code not compiled yet, or because too many values are
equal, the GPU ends the phases itself. At last prices are raised until every row has its best
column, and cycles that show in what made them dearer are made exchanges (``raise.cuh``); after the
host there is nothing left to raise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from prunus.assignment.gpu.handover import Handover
from prunus.assignment.gpu.market import LONG, Market

__all__ = ["Exact"]

_SCALE, _GUIDED_SCALE = 10.0, 5.0
_FIRST, _GUIDED, _COARSE = 5.0, 2e-4, 0.05
_EASY = 4
_LAST, _GUIDED_LAST = 0.02, 0.2
_SHORT, _LONG = 50_000, 500_000
_AUCTION = 2_000_000
_NEAR = 1.0

CROWDED = False
"""Whether the host ends solves in which rows all want the same few columns, too.

Measured with ``_FEW_COARSE`` of .001 it took twice as long; with .00025 it was not measured."""

_FEW_COARSE, _FEW = 0.001, 0.001
"""The parts of the rows that a phase may leave without a column if the host finds the optimum: with
coarse steps, where those that are left are far from their place, and with others."""

_COARSER, _FINE = 0.5, 0.1
"""What a coarse step is, and what the last is at most, in n-th parts of the spread."""


class Exact:
    """One exact solve of a square instance, in steps.

    Parameters
    ----------
    market
        The instance; its prices are a start.
    spread, integral, largest
        Of the benefits.
    guided
        Rows all want the same few columns, and the prices of now are good ones.
    left
        Seconds. If there is a deadline, what is not ready yet is done without; if it is near, the
        host, whose steps are longer than those of the GPU, too.

    Attributes
    ----------
    complete : bool
        Every row has a column.
    finished : bool
        The assignment is optimal, as far as the arithmetic tells.
    """

    def __init__(
        self,
        market: Market,
        spread: float,
        *,
        integral: bool,
        largest: float,
        guided: bool,
        left: float,
    ) -> None:
        self.market = market
        self.complete = self.finished = False
        self.phases = 0
        rows = market.source.rows
        self._hurried = left < math.inf
        self._handing = (CROWDED or not guided) and (
            not self._hurried or (left > _NEAR and Handover.ready(market))
        )
        self._guided = guided
        self._unit = unit = spread / rows
        self._first = spread * _GUIDED if guided else unit * _FIRST
        self._coarse = spread * _COARSE
        self._scale = _GUIDED_SCALE if guided else _SCALE
        self._whole = market.source.price == np.int64
        least = 1.0 if self._whole else 0.5 if integral else 0.0
        self._first = max(self._first, least)
        self._last = max((_GUIDED_LAST if guided else _LAST) * unit, least)
        self._fine = max(_FINE * unit, least) if self._handing else self._last
        # Rises that are rounding errors would go round for ever.
        self._tiny = 0.0 if integral else largest * 2.0**-49
        self._integral = integral

    def steps(self) -> Iterator[str]:
        """Solve; yield the name of the phase after about every few milliseconds.

        After ``"auction"`` with ``complete`` true, every row has a column.
        """
        if self._guided:
            self.market.lengthen(LONG, hurried=self._hurried)
        self.market.run("fill_lists")
        yield from self._bid_by_phases()
        self._settle()
        if self._handing:
            yield from self._hand_over()
            if not self.complete:
                yield from self._bid(self._last, 0)
                self._settle()
        yield from self._prove()

    def _bid_by_phases(self) -> Iterator[str]:
        """Let ε fall from phase to phase."""
        market, step = self.market, self._first
        begun = market.figures()["bids"]
        while True:
            contested = False
            for phase in self._bid(step, self._left(step)):
                yield phase
                contested = self.phases == 1 and self._contested(begun)
                if contested:
                    break
            if contested:
                # They all want the same after all: begin coarsely, with lists that last.
                step = self._coarse
                self._scale = _GUIDED_SCALE
                market.lengthen(LONG, hurried=self._hurried)
                market.run("fill_lists")
            elif step <= self._fine:
                break
            else:
                step = max(step / self._scale, self._last)

    def _bid(self, step: float, few: int) -> Iterator[str]:
        """Let all rows bid until at most ``few`` are without a column."""
        market = self.market
        self.phases += 1
        market.set(step=self._number(step), enough=few, slice=_AUCTION)
        market.run("open_phase")
        self.complete, left = False, market.source.rows
        while left > few:
            for kernel in ("open_slice", "auction", "collect", "collect_rows"):
                market.run(kernel)
            left = market.control()["unassigned"]
            self.complete = left == 0
            yield "auction"

    def _left(self, step: float) -> int:
        """Return how many rows a phase may leave without a column."""
        part = _FEW_COARSE if step > _COARSER * self._unit else _FEW
        return int(part * self.market.source.rows) if self._handing else 0

    def _contested(self, begun: int) -> bool:
        """Tell whether the first phase takes more bids than it should."""
        rows = self.market.source.rows
        return not self._guided and self.market.figures()["bids"] - begun > _EASY * rows

    def _settle(self) -> None:
        """Take the owners out of the prices, and make those of whole benefits whole."""
        self.market.set(enough=int(self._integral))
        self.market.run("settle_prices")

    def _hand_over(self) -> Iterator[str]:
        """Let the host find the optimum."""
        market = self.market
        market.set(count=market.source.rows)
        for kernel in ("all_rows", "certify", "forget_prices"):
            market.run(kernel)
        # No price is higher than any row would pay for the column rather than have its best one.
        size = market.source.rows * market.source.price.itemsize
        market.device.copy(market.address("claim"), market.address("best"), size, market.device)
        market.run("extend")
        host = Handover(market)
        self.complete = False
        yield from host.match()
        self.complete = host.complete

    def _prove(self) -> Iterator[str]:
        market = self.market
        market.set(step=self._number(self._tiny))
        market.run("adopt")
        market.run("mark_all")
        market.run("forget_links")
        wait = _SHORT
        while not self.finished:
            market.set(slice=wait)
            market.run("open_slice")
            market.run("renew")
            market.run("raise")
            market.run("find_cycles")
            market.run("turn_cycles")
            control = market.control()
            self.finished = control["pending"] == 0
            # Where there is a cycle all the work until it shows is in vain.
            wait = _SHORT if control["changed"] else min(2 * wait, _LONG)
            yield "raising prices"

    def _number(self, step: float) -> Any:
        return int(step) if self._whole else step
