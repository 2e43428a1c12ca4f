"""All vectors of counts whose bound reaches a threshold.

The bound is taken at a few prices; then only sums remain through which it comes near its greatest
value, and prices are added where the greatest bound is least. In the end the sums are walked back
from the last class to the first, and left wherever one of the prices shows that no counts on the
way reach the threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.groups.classes import SCALE, Classes, Priced
from prunus.knapsack.groups.sums import NOTHING, Sums
from prunus.model.arrays import AnyArray, Int64Array
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


class Dual:
    """The bound of a vector of counts, as a function of the price."""

    def __init__(self, classes: Classes) -> None:
        self._classes = classes
        width = max(len(p) for p in classes.profits)
        shape = (len(classes), width)
        self._p, self._a = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        self._out = np.ones(shape, dtype=bool)
        for c, (p, a) in enumerate(zip(classes.profits, classes.excess, strict=True)):
            self._p[c, : len(p)], self._a[c, : len(a)], self._out[c, : len(p)] = p, a, False
        self._rows = np.arange(len(classes))

    def room(self, counts: Int64Array) -> int:
        """Return what the bases leave."""
        return self._classes.capacity - int((counts * self._classes.base).sum())

    def value(self, counts: Int64Array, price: int) -> tuple[int, int]:
        """Return the bound at a price, times `SCALE`, and by how much it grows with the price."""
        c = self._classes
        worth = SCALE * self._p - price * self._a
        worth[self._out] = NOTHING
        order = np.argsort(-worth, axis=1, kind="stable")
        inside = np.arange(worth.shape[1]) < counts[:, None]
        best = int(np.take_along_axis(worth, order, 1)[inside].sum())
        weight = int(np.take_along_axis(self._a, order, 1)[inside].sum())
        free = SCALE * c.free_profits - price * c.free_weights
        good = free > 0
        room = self.room(counts)
        slope = room - weight - int(c.free_weights[good].sum())
        return best + int(free[good].sum()) + price * room, slope

    def least(
        self, counts: Int64Array, hint: int = SCALE, enough: int = NOTHING
    ) -> tuple[int, int]:
        """Return the price with the least bound, and that bound, times `SCALE`.

        ``hint`` is a price to start from; it stops at a bound below ``enough``.
        """
        low = high = (hint, *self.value(counts, hint))
        best = low[:2]
        step = SCALE // 8
        # Of a convex function of the price two tangents that meet tell where to look next.
        while best[1] >= enough and (low[2] > 0 or high[2] < 0):
            price = (
                max(0, low[0] - step) if low[2] > 0 else min(self._classes.highest, high[0] + step)
            )
            if price in (low[0], high[0]):
                return best
            found = (price, *self.value(counts, price))
            low, high = (found, low) if low[2] > 0 else (high, found)
            best, step = min(best, found[:2], key=lambda x: x[1]), 4 * step
        while best[1] >= enough and high[0] - low[0] > 1 and low[2] < 0 < high[2]:
            rise = high[1] - low[1] + low[2] * low[0] - high[2] * high[0]
            price = min(max(rise // (low[2] - high[2]), low[0] + 1), high[0] - 1)
            found = (price, *self.value(counts, price))
            low, high = (found, high) if found[2] < 0 else (low, found)
            best = min(best, found[:2], key=lambda x: x[1])
        return best


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
        table = _SumTable(
            np.concatenate(sums.levels), _starts(sums.levels), np.concatenate(tables),
            np.concatenate(sums.shift), _starts(sums.shift), np.concatenate(sums.gains(chosen)),
        )  # fmt: skip
        columns = np.zeros(g, dtype=np.int64), np.zeros(g, dtype=np.int64)
        path = _Path(np.zeros(1, _POSITION), *columns, np.zeros((g, len(chosen)), dtype=np.int64))
        path.position["depth"] = g
        lasts = sums.levels[-1][alive]
        while not _walk(table, path, lasts, ends, least, out, bounds, _WALK_STEPS):
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


class _SumTable(NamedTuple):
    """The sums after each class, what counts add, and the worth behind each sum."""

    levels: Int64Array
    starts: Int64Array
    worth: Int64Array
    shift: Int64Array
    first: Int64Array
    gain: Int64Array


_POSITION = np.dtype(
    [
        ("end", np.int64),  # the last sum from which the walk goes back
        ("depth", np.int64),  # the class that is decided; as many as there are: none yet
        ("found", np.int64),  # vectors
    ]
)


class _Path(NamedTuple):
    """Where a walk back from the last class is."""

    position: AnyArray
    """Shape (1,)."""
    sums: Int64Array
    counts: Int64Array
    worth: Int64Array
    """Of each class on the way: the sum, how many items are taken, what later classes are worth."""


@outer
def _walk(
    table: _SumTable,
    path: _Path,
    lasts: Int64Array,
    ends: Int64Array,
    least: int,
    out: Int64Array,
    bounds: Int64Array,
    steps: int,
) -> bool:
    """Note all counts whose bound is at least so much; return whether all were noted, or enough.

    Walks back from each last sum, one class after another; after so many steps it returns, and goes
    on where it was when it is called again.
    """
    levels, starts, worth, shift, first, gain = table
    at, (m, k, v) = path.position[0], path[1:]
    g, lanes = m.shape[0], ends.shape[1]
    while at.end < lasts.shape[0]:
        c = at.depth
        if c == g:
            c = g - 1
            m[c], k[c] = lasts[at.end], -1
            for t in range(lanes):
                v[c, t] = ends[at.end, t]
        while c < g:
            if steps == 0:
                at.depth = c
                return False
            steps -= 1
            k[c] += 1
            s = first[c] + k[c]
            if s == first[c + 1] or m[c] < shift[s]:
                c += 1
                continue
            target = m[c] - shift[s]
            low, high = starts[c], starts[c + 1]
            while low < high:
                middle = (low + high) >> 1
                if levels[middle] < target:
                    low = middle + 1
                else:
                    high = middle
            if low == starts[c + 1] or levels[low] != target:
                continue
            if v[c, 0] + gain[s, 0] + worth[low, 0] < 0:  # too heavy
                continue
            bound = v[c, 1] + gain[s, 1] + worth[low, 1]
            for t in range(2, lanes):
                bound = min(bound, v[c, t] + gain[s, t] + worth[low, t])
            if bound < least:
                continue
            if c == 0:
                for x in range(g):
                    out[at.found, x] = k[x]
                bounds[at.found] = bound
                at.found += 1
                if at.found == out.shape[0]:
                    return True
                continue
            for t in range(lanes):
                v[c - 1, t] = v[c, t] + gain[s, t]
            c -= 1
            m[c], k[c] = target, -1
        at.depth = g
        at.end += 1
    return True
