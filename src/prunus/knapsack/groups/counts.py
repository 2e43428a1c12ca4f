"""The bound over all vectors of counts, and the vectors whose bound reaches a threshold.

The bound is taken at a few prices. Then only the sums are kept through which it comes near its
greatest value, and prices are added where the greatest bound is least.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from prunus.knapsack.groups.classes import SCALE, Classes, Priced
from prunus.knapsack.groups.dual import Dual
from prunus.knapsack.groups.sums import NOTHING, Sums
from prunus.knapsack.groups.walk import POSITION, Path, SumTable, walk
from prunus.model.arrays import Int64Array
from prunus.runtime.stop_token import StoppedError

_FIRST = tuple(SCALE * quarters // 4 for quarters in (0, 1, 2, 3, 4, 6, 8, 12, 20))
"""The prices at which the bound is taken first."""

_PRICES = 60
"""Prices, at most."""

_POINTS = 3
"""New prices on either side of the best one."""

_DIVISOR = 4
"""By how much a grid becomes finer."""

_LANES = 8
"""Prices at which the walk looks."""

_TOP = 4096
"""Sums with the greatest bounds, for which the best prices are kept."""

_WALK_STEPS = 5_000_000
"""Steps of a walk between two looks at the clock."""


class Counts:
    """The bound over all counts, and those that come near it.

    ``sums`` are those that counts reach; at ``prices`` the bound is taken first; ``look`` is called
    now and then and says whether to stop looking closer. No counts are worth more than ``bound``;
    those worth less than ``least`` were not looked at. Prices and both are times `SCALE`.
    """

    def __init__(
        self,
        classes: Classes,
        sums: Sums,
        prices: Sequence[int] = _FIRST,
        look: Callable[[], bool] = bool,
    ) -> None:
        self._classes, self._sums, self._look = classes, sums, look
        self.dual = Dual(classes)
        # Weight and profit trade at some price; but what is too heavy is so at any.
        self._weight = classes.lightest()
        room = sums.tables([self._weight])[-1] + sums.ends([self._weight])
        self._fits = np.flatnonzero(room[:, 0] >= 0)
        self._prices: list[Priced] = []
        self._last = np.empty((len(self._fits), 0), dtype=np.int64)
        self._try(prices)
        self.bound, self.least = self._top(), NOTHING

    def narrowed(self, least: int) -> Counts:
        """Look closer at the counts that are worth at least so much, times `SCALE`."""
        chosen = [self._weight, *self._winners(len(_FIRST))]
        wanted = np.full(len(chosen), least)
        wanted[0] = 0
        prices = [q.price for q in chosen[1:]]
        narrow = Counts(self._classes, self._sums.narrowed(chosen, wanted), prices, self._look)
        while not self._look() and (new := narrow._between()):
            narrow._try(new)
        narrow.bound, narrow.least = max(least, narrow._top()), least
        return narrow

    def finer(self) -> Counts | None:
        """Look closer still, on a finer grid; None if there is none."""
        if self._sums.grid < _DIVISOR:
            return None
        prices = [q.price for q in self._winners(len(_FIRST))]
        finer = Counts(self._classes, self._sums.finer(_DIVISOR), prices, self._look)
        return finer.narrowed(self.least)

    def near(self, least: int, most: int) -> tuple[Int64Array, Int64Array]:
        """Return all vectors of counts whose bound is at least so much, times `SCALE`.

        At most ``most`` + 1 of them, shape (m, g), with upper bounds on what they are worth, times
        `SCALE`, falling.
        """
        sums, g = self._sums, len(self._classes)
        reached = self._bounds()
        alive = self._fits[reached >= least]
        if len(alive) == 0:
            return np.empty((0, g), dtype=np.int64), np.empty(0, dtype=np.int64)
        chosen = [self._weight, *self._winners(_LANES)]
        tables = sums.tables(chosen)
        ends = sums.ends(chosen)[alive]
        out = np.empty((most + 1, g), dtype=np.int64)
        bounds = np.empty(most + 1, dtype=np.int64)
        table = SumTable(
            np.concatenate(sums.levels), _starts(sums.levels), np.concatenate(tables),
            np.concatenate(sums.shift), _starts(sums.shift), np.concatenate(sums.gains(chosen)),
        )  # fmt: skip
        columns = np.zeros(g, dtype=np.int64), np.zeros(g, dtype=np.int64)
        path = Path(np.zeros(1, POSITION), *columns, np.zeros((g, len(chosen)), dtype=np.int64))
        path.position["depth"] = g
        lasts = sums.levels[-1][alive]
        while not walk(table, path, lasts, ends, least, out, bounds, _WALK_STEPS):
            if self._look():
                raise StoppedError
        found = int(path.position["found"][0])
        order = np.argsort(-bounds[:found], kind="stable")
        return out[order], bounds[order]

    def _winners(self, most: int) -> list[Priced]:
        """Return the prices that matter where the bound is great."""
        top = np.argsort(-self._bounds())[:_TOP]
        wins = np.bincount(np.argmin(self._last[top], axis=1), minlength=len(self._prices))
        lanes = np.sort(np.argsort(-wins, kind="stable")[:most])
        return [self._prices[lane] for lane in lanes]

    def _try(self, prices: Sequence[int]) -> None:
        new = [self._classes.priced(price) for price in prices]
        column = self._sums.tables(new)[-1] + self._sums.ends(new)
        self._prices += new
        order = np.argsort([q.price for q in self._prices])
        self._prices = [self._prices[k] for k in order]
        self._last = np.concatenate([self._last, column[self._fits]], axis=1)[:, order]

    def _top(self) -> int:
        return int(self._bounds().max(initial=NOTHING))

    def _bounds(self) -> Int64Array:
        least: Int64Array = self._last.min(axis=1)
        return least

    def _between(self) -> list[int]:
        """Return prices around the one at which the greatest bound is least; none if it is found.

        The bound of a sum is convex in the price.
        """
        if len(self._last) == 0 or len(self._prices) > _PRICES:
            return []
        top = int(np.argmax(self._bounds()))
        best = int(np.argmin(self._last[top]))
        prices = [q.price for q in self._prices]
        low = prices[max(0, best - 1)]
        high = (
            prices[best + 1]
            if best + 1 < len(prices)
            else min(self._classes.highest, 4 * prices[best] + 4)
        )
        new = {low + (high - low) * k // (_POINTS + 1) for k in range(1, _POINTS + 1)}
        return sorted(new - set(prices))


def _starts(parts: list[Int64Array]) -> Int64Array:
    return np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
