"""The optimum on a GPU: ε-scaling auction with many bidders, then prices raised to a proof.

The auction's phases leave an assignment within ε of optimal in every row. Its last phases, in
which a few rows outbid one another in long chains, are spared: from there prices are raised until
every row has its best column, and cycles that show in what made them dearer are made exchanges
(``raise.cuh``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from prunus.assignment.gpu.market import LONG, Market

__all__ = ["FEW", "Exact"]

_SCALE, _GUIDED_SCALE = 10.0, 5.0
_FIRST, _GUIDED, _COARSE = 5.0, 2e-4, 0.05
_EASY = 4
_LAST, _GUIDED_LAST = 0.02, 0.2
_SHORT, _LONG = 50_000, 500_000
_AUCTION = 2_000_000

FEW = False
"""Whether one block ends the phases with all prices in its own memory (``few.cuh``)."""


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
    hurried
        There is a deadline: kernels that are not ready yet are done without.

    Attributes
    ----------
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
        hurried: bool,
    ) -> None:
        self.market = market
        self.finished = False
        self.phases = 0
        n = market.source.rows
        whole = market.source.price == np.int64
        self._guided = guided
        self._hurried = hurried
        self._first = spread * (_GUIDED if guided else _FIRST / n)
        self._coarse = spread * _COARSE
        self._scale = _GUIDED_SCALE if guided else _SCALE
        last = _GUIDED_LAST if guided else _LAST
        self._last = max(last * spread / n, 0.5 if integral else 0.0)
        if whole:
            self._first, self._last = max(1.0, self._first), max(1.0, self._last)
        # Rises that are rounding errors would go round for ever.
        self._tiny = 0.0 if integral else largest * 2.0**-49
        self._whole = whole
        self._integral = integral

    def steps(self) -> Iterator[str]:
        """Solve; yield the name of the phase after about every few milliseconds.

        After ``"auction"`` with ``complete`` true, every row has a column.
        """
        market = self.market
        if self._guided:
            market.lengthen(LONG, hurried=self._hurried)
        market.run("fill_lists")
        step = self._first
        few = market.few if FEW else 0
        begun = market.figures()["bids"]
        while True:
            step = max(step, self._last)
            self.phases += 1
            market.set(step=self._number(step), enough=few, slice=_AUCTION)
            market.run("open_phase")
            self.complete = False
            while not self.complete:
                for kernel in ("open_slice", "auction", "collect", "collect_rows"):
                    market.run(kernel)
                if few:
                    market.run("auction_few", 1)
                    market.run("collect")
                    market.run("collect_rows")
                self.complete = market.control()["unassigned"] == 0
                yield "auction"
                if not self.complete and self.phases == 1 and self._contested(begun):
                    break
            if not self.complete:
                # They all want the same after all: begin coarsely, with lists that last.
                step = self._coarse
                self._scale = _GUIDED_SCALE
                market.lengthen(LONG, hurried=self._hurried)
                market.run("fill_lists")
                continue
            if step <= self._last:
                break
            step /= self._scale
        yield from self._prove()

    def _contested(self, begun: int) -> bool:
        """Tell whether the first phase takes more bids than it should."""
        rows = self.market.source.rows
        return not self._guided and self.market.figures()["bids"] - begun > _EASY * rows

    def _prove(self) -> Iterator[str]:
        market = self.market
        market.set(step=self._number(self._tiny), enough=int(self._integral))
        market.run("settle_prices")
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
