"""The method of groups: bound all vectors of counts, then fill those that come near the bound.

The threshold starts just below the bound, which is mostly off by a few units, and falls until a
choice reaches it: that choice is optimal, since all counts that could hold a better one were tried.
"""

from __future__ import annotations

from collections.abc import Callable

from prunus.knapsack.groups.classes import SCALE, Classes
from prunus.knapsack.groups.counts import Counts
from prunus.knapsack.groups.fill import fill
from prunus.knapsack.groups.sums import Sums, TooManyError
from prunus.knapsack.tuning import DEFAULT, GroupsTuning
from prunus.model.arrays import Int64Array
from prunus.runtime.stop_token import StoppedError


class Groups:
    """A search over counts.

    Only choices worth more than ``value``, which is known to be reached, are sought; none is worth
    more than ``limit``. ``look`` is called between steps and says whether to stop.
    """

    def __init__(
        self,
        classes: Classes,
        value: int,
        limit: int,
        look: Callable[[], bool],
        tuning: GroupsTuning = DEFAULT.groups,
    ) -> None:
        self.classes, self.value, self._look, self._tuning = classes, value, look, tuning
        self.limit = limit
        self.chosen: Int64Array | None = None
        self.done = False
        self._price = SCALE
        self.sums = 0
        self.vectors = 0

    def run(self) -> bool:
        """Search; return whether the best value known is proven optimal."""
        try:
            return self._search()
        except StoppedError:
            return False

    def _search(self) -> bool:
        sums = self._sums()
        if sums is None:
            return False
        whole = Counts(self.classes, sums, look=self._look)
        self._bound(whole.bound)
        for margin in self._tuning.margins:
            least = max(whole.bound - SCALE * margin, SCALE * (self.value + 1))
            counts: Counts | None = whole.narrowed(least)
            while counts is not None:
                self._bound(counts.bound)
                if self._look():
                    return False
                if self._climb_down(counts):
                    break
                try:
                    counts = counts.finer()
                except TooManyError:
                    return False
            if counts is None:
                return False
            if self.limit <= self.value:
                break
        self.done = self.limit <= self.value
        return self.done

    def _bound(self, bound: int) -> None:
        self.limit = max(self.value, min(self.limit, bound // SCALE))

    def _climb_down(self, counts: Counts) -> bool:
        """Lower the limit until it is reached or all counts are tried; False if those are many."""
        lowest = max(self.value + 1, -(-counts.least // SCALE))
        drop = 1
        while self.limit >= lowest:
            least = max(lowest, self.limit - drop)
            vectors, bounds = counts.near(SCALE * least, self._tuning.vectors)
            if len(vectors) > self._tuning.vectors:
                return False
            for vector, bound in zip(vectors, bounds.tolist(), strict=True):
                least = max(least, self.value + 1)
                if bound < SCALE * least:
                    break
                if self._look():
                    return False
                self._fill(counts, vector, least)
            self.limit = max(self.value, least - 1)
            if self.limit <= self.value:
                break
            drop *= 4
        return True

    def _sums(self) -> Sums | None:
        grid = 1 << max(0, self.classes.spread.bit_length() - 1)
        for _ in range(3):
            try:
                sums = Sums(self.classes, self.value, grid, self._tuning, self._look)
            except TooManyError:
                grid *= self._tuning.coarser
                continue
            self.sums = len(sums)
            return None if self._look() else sums
        return None

    def _fill(self, counts: Counts, vector: Int64Array, least: int) -> None:
        self.vectors += 1
        price, bound = counts.dual.least(vector, self._price, SCALE * least)
        self._price = price
        found = fill(self.classes, vector, price, bound, least, self._look)
        if found is not None:
            self.value, self.chosen = found
