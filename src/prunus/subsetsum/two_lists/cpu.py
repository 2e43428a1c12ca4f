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

from prunus._native import subsetsum as native
from prunus.model.arrays import Int64Array
from prunus.subsetsum.pieces.accounting import PieceResult
from prunus.subsetsum.sum_items import items_of_pair
from prunus.subsetsum.sums import chosen
from prunus.subsetsum.two_lists.generation import Apply, generate, one_by_one, places, words

_STRETCH = 2**21
_FREE = 2
_STEP_S, _WIDE_STEP_S = 2e-9, 4e-9
"""Seconds in which a core goes a step of the staircase, roughly, and one with wide sums."""


def bytes_needed(items: int, *, wide: bool = False) -> int:
    """Return the memory for the lists of so many items that are not fixed."""
    longest = 1 << (items - items // 2)
    return longest * (3 * 4 * 8 if wide else 20) + 64


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

    ``wide``: sums may reach 2**63 and have three words; only the closest sum is sought then, and a
    chunk is a whole staircase. ``fixed`` items are fixed, the heaviest, or the first of wide ones;
    for ``cores``, ``apply`` and ``should_stop`` see ``generation.generate``, and ``stopped``: that
    was stopped, so that there is nothing to search. There are so many ``pieces``, or chunks, of
    which a core is expected to do ``rate`` a second, 0 for unknown; a wide one may take
    ``piece_s``.
    """

    def __init__(
        self,
        weights: Sequence[int],
        target: int,
        *,
        objective: str = "sum",
        fixed: int = 0,
        wide: bool = False,
        cores: int = 1,
        apply: Apply = one_by_one,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> None:
        order = sorted(range(len(weights)), key=lambda item: 0 if wide else -weights[item])
        self._weights, self._target, self._wide = tuple(weights), target, wide
        self._objective = "closest" if wide else objective
        self._fixed, free = order[:fixed], order[fixed:]
        # Every other item, so that both lists spread over like ranges.
        self._low, self._high = free[1::2], free[::2]
        half = places(2 ** len(self._high) // 2 + 2, wide=wide)
        lists = []
        for items in (self._high, self._low):
            whole = places(2 ** len(items) + 1, wide=wide)
            made = generate(
                [weights[item] for item in items], whole, half, cores, apply, should_stop
            )
            if made is None:
                break
            lists.append(made[:-1])
        self.stopped = len(lists) < 2
        self.pieces, self.rate, self.piece_s = 0, 0.0, 0.0
        if self.stopped:
            return
        self._b, self._a = lists
        self.pieces = 1 << fixed if wide else pieces(len(weights), fixed)
        self._stretches = self.pieces >> fixed
        steps = len(self._a) + len(self._b)
        if wide:
            self.piece_s = _WIDE_STEP_S * steps
        else:
            self.rate = self._stretches / (_STEP_S * steps)
        self._most = sum(self._weights[item] for item in free)

    def run(self, first: int, last: int, stop: Int64Array) -> PieceResult:
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
                pair = native.pair(self._a, self._b, words(value, wide=self._wide))
                best = value + offset, (*taken, *self._subset(pair))
                if best[0] == self._target:
                    return PieceResult(first, piece + 1, best[1], count)
        return PieceResult(first, last, best and best[1], count)

    def _search(self, target: int, stretch: int, stop: Int64Array) -> tuple[int, int]:
        """Return the sum found in a stretch (-1 for none, -2 when stopped) and a count."""
        if target < 0 or (target > self._most and self._objective != "closest"):
            return -1, 0
        target = min(target, self._most)
        a, b, goal, parts = self._a, self._b, words(target, wide=self._wide), self._stretches
        if self._objective == "count":
            return -1, native.count_pairs(a, b, goal, stretch, parts, stop)
        state, sum_ = native.best_below(a, b, goal, stretch, parts, stop)
        best = _value(sum_) if state == 0 else state
        met = self._objective == "closest" or best in (target, -2)
        return (best if met else -1), 0

    def _subset(self, pair: tuple[int, int]) -> tuple[int, ...]:
        """Return the free items behind a place of each list."""
        ends = [
            _value(sums[place].tolist())
            for sums, place in zip((self._a, self._b), pair, strict=True)
        ]
        return items_of_pair(self._weights, (self._low, self._high), ends)


def _value(sum_: int | Sequence[int]) -> int:
    """Return a sum as a number."""
    return sum_ if isinstance(sum_, int) else sum(word << 64 * k for k, word in enumerate(sum_))
