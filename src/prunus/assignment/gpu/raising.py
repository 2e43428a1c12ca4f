"""From a nearly optimal assignment to the optimum: exchanges along cycles, under a falling ε.

Prices rise until every row has its best column but for ε; where that cannot be, rows make one
another's columns dearer in a cycle, and an exchange along it gains more than ε a row. With ε from
coarse to none prices need few steps for each, and the cycles that gain most are found first: that
is cost scaling (Goldberg and Tarjan 1990) with cycle cancelling instead of pushing. What it takes
depends on how good assignment and prices are at the beginning; what deep greedy switching leaves
where all rows want the same columns is very good. The kernels are in ``raise.cuh``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from prunus.assignment.gpu.market import Market

__all__ = ["SCALES", "Raising"]

SCALES = (30.0, 3.0, 0.3, 0.1, 0.03, 0.01)
"""What ε is at first, then, ..., in n-th parts of the spread; none at last."""

_SLICE = 60_000
"""Nanoseconds that prices rise between two searches for cycles."""

_SLICES, _HURRIED = 8, 2
"""Of them between two looks at how things stand; under a deadline."""

_KERNELS = (
    *("raise", "renew_lists"),
    *("follow_links", "follow_further", "follow_to_the_end", "turn_cycles"),
)
"""One slice."""


class Raising:
    """The last steps of an exact solve of a square instance.

    Parameters
    ----------
    market
        The instance; every row has a column, and prices are nearly those of an optimum.
    spread, integral, largest
        Of the benefits.
    hurried
        There is a deadline.
    scales
        ε of each scale but the last, which has none, in n-th parts of the spread; falling. What
        suits an assignment from switching by default.

    Attributes
    ----------
    complete : bool
        Every row has a column: always.
    finished : bool
        The assignment is optimal, as far as the arithmetic tells.
    phases : int
        How many scales are done.
    """

    complete = True

    def __init__(
        self,
        market: Market,
        spread: float,
        *,
        integral: bool,
        largest: float,
        hurried: bool,
        scales: Sequence[float] | None = None,
    ) -> None:
        self.finished = False
        self.phases = 0
        self._market = market
        self._kernels = _KERNELS * (_HURRIED if hurried else _SLICES)
        whole = market.source.price == np.int64
        # Rises that are rounding errors would go round for ever.
        self._tiny: Any = 0 if integral else largest * 2.0**-49
        unit, least = spread / market.source.rows, 1.0 if integral else self._tiny
        steps = [
            scale * unit
            for scale in (SCALES if scales is None else scales)
            if scale * unit >= least
        ]
        self._steps: list[Any] = [*map(int, steps), 0] if whole else [*steps, self._tiny]

    def steps(self) -> Iterator[str]:
        """Solve; yield ``"raising prices"`` about every millisecond, ``"scale"`` after each ε."""
        market = self._market
        market.run("adopt")
        for step in self._steps:
            market.set(step=step, limit=self._tiny, slice=_SLICE)
            market.run("mark_anew")
            while True:
                for kernel in self._kernels:
                    market.run(kernel)
                market.run("count_marked")
                if market.control()["pending"] == 0:
                    break
                yield "raising prices"
            self.phases += 1
            self.finished = self.phases == len(self._steps)
            yield "scale"
