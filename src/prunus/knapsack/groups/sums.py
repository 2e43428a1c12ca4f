"""The coarse sums of weight that counts reach, and what the best counts behind each are worth.

How many of the heavy classes are taken nearly fixes the weight. Each class's share, its base times
the count, is rounded to a grid; what rounding takes away is paid for at the price of weight, so for
a fixed price the worth of a vector of counts is exact, and only which vectors share a sum, and
whether one that is a little too heavy is among them, is relaxed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import outer
from prunus.knapsack.groups.classes import SCALE, Classes, Priced
from prunus.knapsack.tuning import DEFAULT, GroupsTuning
from prunus.model.arrays import Int64Array
from prunus.runtime.stop_token import StoppedError

NOTHING = -(1 << 62)
"""The worth of what no counts reach."""


class TooManyError(Exception):
    """More sums than wanted."""


class CountSteps(NamedTuple):
    """What counts ``first`` to ``last - 1`` of a class add: to the sum, and to the worth."""

    shift: Int64Array
    gain: Int64Array
    first: int
    last: int


@outer
def _take_steps(
    before: Int64Array,
    table: Int64Array,
    steps: CountSteps,
    after: Int64Array,
    out: Int64Array,
) -> None:
    """Take the steps from sums ``before`` to sums ``after``, back where shifts are negative."""
    shift, gain, first, last = steps
    lanes = table.shape[1]
    for k in range(first, last):
        j = 0
        for i in range(before.shape[0]):
            target = before[i] + shift[k]
            while j < after.shape[0] and after[j] < target:
                j += 1
            if j == after.shape[0]:
                break
            if after[j] == target:
                for t in range(lanes):
                    out[j, t] = max(out[j, t], table[i, t] + gain[k, t])


class Sums:
    """The sums that matter, class after class.

    Raises ``TooManyError`` if there are too many; ``StoppedError`` if the look says so; by all
    methods.

    Only choices worth more than ``value`` are of interest. Sums are multiples of ``grid``;
    ``within``, only those near some sums on a coarser grid matter. ``levels[c]`` has the sums after
    c classes, ascending, divided by the grid; ``shift[c]``, shape (most_c + 1,), by how much each
    count of a class raises a sum.
    """

    def __init__(
        self,
        classes: Classes,
        value: int,
        grid: int,
        tuning: GroupsTuning = DEFAULT.groups,
        look: Callable[[], bool] = bool,
        within: Sums | None = None,
    ) -> None:
        self.classes, self.value, self.grid = classes, value, grid
        self._tuning, self._look = tuning, look
        exact = [np.arange(m + 1) * b for m, b in zip(classes.most, classes.base, strict=True)]
        self.shift = [(share + grid // 2) // grid for share in exact]
        self._over = [share - grid * s for share, s in zip(exact, self.shift, strict=True)]
        self.levels = [np.zeros(1, dtype=np.int64)]
        profit = classes.priced(0)
        gains = self.gains([profit])
        slopes = self._slopes()
        rest = self._rest(profit, slopes)
        table = np.zeros((1, 1), dtype=np.int64)
        room = classes.capacity
        for c, (shift, over) in enumerate(zip(self.shift, self._over, strict=True)):
            room += int(max(0, -over.min()))
            before = self.levels[-1]
            if len(before) * len(shift) > tuning.work:
                raise TooManyError
            if within is None:
                after = self._reached(before, shift, room // grid)
            else:
                after = self._near(within, c)
            if len(shift) * (len(before) + len(after)) > tuning.work:
                raise TooManyError
            out = self._over_counts(self.shift[c], gains[c], before, table, after)
            left = (room - grid * after).astype(np.float64)
            bounds = np.min([r + s * left for r, s in zip(rest[c], slopes, strict=True)], axis=0)
            keep = out[:, 0] / SCALE + bounds * (1 + 1e-12) + 1 > value
            self.levels.append(after[keep])
            table = out[keep]

    def __len__(self) -> int:
        return sum(len(level) for level in self.levels)

    def finer(self, divisor: int) -> Sums:
        """Return the same sums on a finer grid."""
        grid = self.grid // divisor
        return Sums(self.classes, self.value, grid, self._tuning, self._look, self)

    def _near(self, within: Sums, c: int) -> Int64Array:
        """Return the sums after class c that are as near to given ones as rounding puts them."""
        slack = sum(int(abs(o).max()) for s in (self, within) for o in s._over[: c + 1])
        coarse, found = within.levels[c + 1] * within.grid, [np.empty(0, dtype=np.int64)]
        for s in self.shift[c]:
            after = self.levels[-1] + s
            at = np.searchsorted(coarse, after * self.grid - slack)
            near = coarse[np.minimum(at, len(coarse) - 1)] if len(coarse) else after
            keep = (at < len(coarse)) & (near <= after * self.grid + slack)
            found.append(after[keep])
            self._check()
        after = _distinct(np.concatenate(found))
        if len(after) > self._tuning.sums:
            raise TooManyError
        return after

    def gains(self, prices: Sequence[Priced]) -> list[Int64Array]:
        """Return what each count of each class adds, a column a price."""
        columns = []
        for c, over in enumerate(self._over):
            columns.append(np.stack([q.best[c] - q.price * over for q in prices], axis=1))
        return columns

    def tables(self, prices: Sequence[Priced]) -> list[Int64Array]:
        """Return the most that counts behind each sum are worth, a column a price."""
        tables = [np.zeros((1, len(prices)), dtype=np.int64)]
        gains = self.gains(prices)
        for c in range(len(self.shift)):
            before, after = self.levels[c : c + 2]
            tables.append(self._over_counts(self.shift[c], gains[c], before, tables[-1], after))
        return tables

    def narrowed(self, prices: Sequence[Priced], least: Int64Array) -> Sums:
        """Return only those sums through which counts may be worth so much at every price.

        ``least`` has the worth for each of the prices.
        """
        forward, gains = self.tables(prices), self.gains(prices)
        behind = self.ends(prices)
        levels = []
        for c in range(len(self.classes), -1, -1):
            keep = np.all(forward[c] + behind >= least, axis=1)
            levels.append(self.levels[c][keep])
            if c:
                after = self.levels[c - 1]
                back = -self.shift[c - 1]
                behind = self._over_counts(back, gains[c - 1], levels[-1], behind[keep], after)
        narrow = copy(self)
        narrow.levels = levels[::-1]
        return narrow

    def ends(self, prices: Sequence[Priced]) -> Int64Array:
        """Return what the free items and the room left add to each last sum, a column a price."""
        left = self.classes.capacity - self.grid * self.levels[-1]
        return np.stack([q.free + q.price * left for q in prices], axis=1)

    def _reached(self, before: Int64Array, shift: Int64Array, highest: int) -> Int64Array:
        """Return all sums of both sets up to a highest one, ascending."""
        before = before[before <= highest]
        if len(before) == 0:
            return before
        low, high = int(before[0]), min(highest, int(before[-1] + shift[-1]))
        if len(before) * len(shift) * 16 < high - low:
            found = _distinct((before[:, None] + shift[None, :]).ravel())
            found = found[found <= high]
        else:
            seen = np.zeros(high - low + 1, dtype=bool)
            for s in shift:
                part = before[: np.searchsorted(before, high - s, side="right")]
                seen[part - low + s] = True
                self._check()
            found = low + np.flatnonzero(seen)
        if len(found) > self._tuning.sums:
            raise TooManyError
        return found

    def _over_counts(
        self,
        shift: Int64Array,
        gains: Int64Array,
        before: Int64Array,
        table: Int64Array,
        after: Int64Array,
    ) -> Int64Array:
        """Return the table of the sums on one side of a class, made from that on the other."""
        out = np.full((len(after), table.shape[1]), NOTHING, dtype=np.int64)
        each = max(1, (len(before) + len(after)) * table.shape[1])
        step = max(1, self._tuning.slice_work // each)
        for first in range(0, len(shift), step):
            last = min(first + step, len(shift))
            _take_steps(before, table, CountSteps(shift, gains, first, last), after, out)
            self._check()
        return out

    def _check(self) -> None:
        if self._look():
            raise StoppedError

    def _slopes(self) -> list[float]:
        """Return some prices of all weight at which to bound what is still to come."""
        c = self.classes
        each = [p.sum() / (b * len(p) + e.sum()) for p, b, e in
                zip(c.profits, c.base, c.excess, strict=True)]  # fmt: skip
        return [0.0, *np.quantile(each, [0.0, 0.5, 1.0])]

    def _rest(self, profit: Priced, slopes: list[float]) -> list[list[float]]:
        """Return, for each class and slope, the most that all later items add beyond the slope."""
        c = self.classes
        rest = [np.maximum(c.free_profits - s * c.free_weights, 0).sum() for s in slopes]
        bounds = [rest]
        for k in range(len(c) - 1, 0, -1):
            weight = np.arange(int(c.most[k]) + 1) * float(c.base[k])
            more = [float((profit.best[k] / SCALE - s * weight).max()) for s in slopes]
            rest = [a + b for a, b in zip(rest, more, strict=True)]
            bounds.append(rest)
        return bounds[::-1]


def _distinct(values: Int64Array) -> Int64Array:
    """Return the values once each, ascending; by sorting, which is faster than hashing here."""
    values.sort()
    return values[np.flatnonzero(np.diff(values, prepend=values[:1] - 1))]
