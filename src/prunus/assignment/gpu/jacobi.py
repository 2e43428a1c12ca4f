"""The plain Jacobi auction with ε-scaling on a GPU, for comparison."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from prunus.assignment.gpu.market import Market

__all__ = ["Jacobi"]

_SCALE = 5.0
_FIRST = 0.1
_ROUNDS = 16
"""Rounds between two looks at whether all have a column."""


class Jacobi:
    """One solve of a square instance, in steps; it ends where ε proves the optimum of integers.

    Parameters
    ----------
    market
        The instance.
    spread, integral
        Of the benefits.

    Attributes
    ----------
    complete : bool
        Every row has a column.
    finished : bool
        All phases are done.
    """

    def __init__(self, market: Market, spread: float, *, integral: bool) -> None:
        self.market = market
        self.complete = self.finished = False
        self.rounds = self.phases = 0
        n = market.source.rows
        self._whole = market.source.price == np.int64
        self._first = max(spread * _FIRST, 1e-300)
        self._last = 0.999 / (n + 1) if integral else spread * 1e-9 / n
        if self._whole:
            self._first, self._last = max(1.0, self._first), 1.0

    def steps(self) -> Iterator[str]:
        """Solve; yield after some rounds."""
        market = self.market
        step = self._first
        while not self.finished:
            step = max(step, self._last)
            self.phases += 1
            market.set(step=self._number(step))
            market.run("take_all_away")
            market.run("jacobi_begin")
            self.complete = False
            while not self.complete:
                for _ in range(_ROUNDS):
                    market.run("jacobi_bid")
                    market.run("jacobi_compare")
                    market.run("jacobi_award")
                self.rounds += _ROUNDS
                self.complete = market.control()["unassigned"] == 0
                yield "auction"
            self.finished = step <= self._last
            step /= _SCALE

    def _number(self, step: float) -> Any:
        return int(step) if self._whole else step
