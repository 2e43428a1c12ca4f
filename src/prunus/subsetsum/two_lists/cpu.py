"""The two-list method: two sorted lists of sums, searched in chunks that need no communication.

The algorithm of Horowitz and Sahni (Journal of the ACM 21:277-292, 1974), distributed as by Wan, Li
and Li (Journal of Parallel and Distributed Computing 97:112-123, 2016): some items are fixed, the
others make lists A and B, which every worker generates for itself; a chunk is one choice of the
fixed items, which moves the target, and one stretch of the staircase of A and B. Two fixed items
cost nothing, for the lists are generated in half the time and searched in twice.

``split=False`` is the first version of the paper (OHCI): no fixed items, lists of all items.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from prunus.subsetsum.pieces.accounting import PieceResult
from prunus.subsetsum.sum_items import items_of_pair
from prunus.subsetsum.sums import chosen
from prunus.subsetsum.two_lists.generation import Apply, generate, one_by_one
from prunus.subsetsum.two_lists.search import (
    ListPair,
    best_below,
    count_pairs,
    find_pair,
    has_pair,
    length,
)

_STRETCH = 2**21
_FREE = 2
_STEP = 2e-9
"""Seconds in which a core goes a step of the staircase, roughly."""


def bytes_needed(items: int, *, wide: bool = False) -> int:
    """Return the memory for the lists of so many items that are not fixed."""
    places = 1 << (items - items // 2)
    return places * (3 * 4 * 8 if wide else 20) + 64


def fixed_items(items: int, memory: int, *, split: bool = True, wide: bool = False) -> int:
    """Return how many items to fix, so that the lists of the others fit the memory.

    ``split``: fix two in any case. ``wide``: sums need three words.
    """
    fixed = _FREE if split and items > 2 * _FREE else 0
    while fixed < items and bytes_needed(items - fixed, wide=wide) > memory:
        fixed += 1
    return fixed


def pieces(items: int, fixed: int) -> int:
    """Return how many chunks there are: stretches of the staircase, times ways to fix."""
    free = items - fixed
    return max(1, ((1 << free // 2) + (1 << free - free // 2)) // _STRETCH) << fixed


class TwoLists:
    """The lists A and B of an instance, and the search of a range of chunks.

    The weights' sum is below 2**63; the ``fixed`` heaviest items are fixed; for ``cores``,
    ``apply`` and ``should_stop`` see ``generation.generate``, and ``stopped``: that was stopped, so
    that there is nothing to search. There are so many ``pieces``, or chunks, of which a core is
    expected to do ``rate`` a second.
    """

    piece_s = 0.0

    def __init__(
        self,
        weights: Sequence[int],
        target: int,
        *,
        objective: str = "sum",
        fixed: int = 0,
        cores: int = 1,
        apply: Apply = one_by_one,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        order = sorted(range(len(weights)), key=lambda item: -weights[item])
        self._weights, self._target, self._objective = tuple(weights), target, objective
        self._fixed, free = order[:fixed], order[fixed:]
        # Every other item, so that both lists spread over like ranges.
        self._low, self._high = free[1::2], free[::2]
        half = np.empty(2 ** len(self._high) // 2 + 2, np.uint64)
        lists = []
        for items in (self._high, self._low):
            whole = np.empty(2 ** len(items) + 1, np.uint64)
            chosen = [weights[item] for item in items]
            made = generate(chosen, whole, half, cores, apply, should_stop)
            if made is None:
                break
            lists.append(made)
        self.stopped = len(lists) < 2
        if not self.stopped:
            b, a = lists
            self._lists = ListPair(a, len(a) - 1, b, len(b) - 1)
        self.pieces = 0 if self.stopped else pieces(len(weights), fixed)
        self._stretches = self.pieces >> fixed
        self.rate = 0.0
        if not self.stopped:
            self.rate = self._stretches / (_STEP * (self._lists.n + self._lists.m))

    def run(self, first: int, last: int, stop: NDArray[np.int64]) -> PieceResult:
        """Search chunks [first, last), or fewer if told to stop or a subset was found."""
        best: tuple[int, tuple[int, ...]] | None = None
        count = 0
        for piece in range(first, last):
            mask, stretch = divmod(piece, self._stretches)
            taken = chosen(self._fixed, mask)
            offset = sum(self._weights[item] for item in taken)
            value, many = self._search(self._target - offset, stretch, stop)
            if value == -2 or many == -2:
                return PieceResult(first, piece, best and best[1], count)
            count += many
            if value >= 0 and (best is None or value + offset > best[0]):
                best = value + offset, (*taken, *self._subset(value))
                if best[0] == self._target:
                    return PieceResult(first, piece + 1, best[1], count)
        return PieceResult(first, last, best and best[1], count)

    def _search(self, target: int, stretch: int, stop: NDArray[np.int64]) -> tuple[int, int]:
        """Return the sum found in a stretch (-1 for none, -2 when stopped) and a count."""
        lists = self._lists
        most = int(lists.a[lists.n - 1]) + int(lists.b[lists.m - 1])
        if target < 0 or (target > most and self._objective != "closest"):
            return -1, 0
        goal = np.uint64(min(target, most))
        if self._objective == "count":
            first, last = (lists.n * k // self._stretches for k in (stretch, stretch + 1))
            return -1, int(count_pairs(lists, goal, first, last, stop)) if first < last else 0
        steps = int(length(lists, goal))
        first, last = (steps * k // self._stretches for k in (stretch, stretch + 1))
        if self._objective == "closest":
            return int(best_below(lists, goal, first, last, stop)), 0
        hit = int(has_pair(lists, goal, first, last, stop))
        return (int(goal) if hit >= 0 else hit), 0

    def _subset(self, value: int) -> tuple[int, ...]:
        """Return the free items behind a sum that a search has found."""
        i, j = find_pair(self._lists, np.uint64(value), 0)
        ends = int(self._lists.a[i]), int(self._lists.b[j])
        return items_of_pair(self._weights, (self._low, self._high), ends)
