"""The two-list search on one GPU: both lists in its memory, all choices of the fixed items.

The lists leave out a few of the lightest items of either side; their sums shift the windows of
the list that make up a tile of values, see ``pair_search.cu``. So the search covers all sums of
both sides while only a thirty-second of them is generated.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.device import Device
from prunus.subsetsum.gpu.closest_pair import ClosestPairSearch
from prunus.subsetsum.gpu.list_sizes import WINDOWS, pieces
from prunus.subsetsum.gpu.pair_search import PairSearch
from prunus.subsetsum.gpu.sorted_lists import SortedLists
from prunus.subsetsum.gpu.tuning import TwoListTuning
from prunus.subsetsum.pieces.accounting import PieceResult
from prunus.subsetsum.sum_items import items_of_pair
from prunus.subsetsum.sums import chosen


class GpuTwoLists:
    """The lists A and B of an instance on one GPU, and the search of a range of pieces.

    A piece is a stretch of the search for a group of targets, which the choices of the fixed items
    leave.

    Weights are positive, their sum below 2**63. ``closest`` looks for the largest sum that is not
    above the target; ``fixed`` of the heaviest items are fixed; there are ``slices`` stretches for
    a group of targets.
    """

    piece_s = 0.0

    def __init__(
        self,
        weights: Sequence[int],
        target: int,
        device: Device,
        *,
        closest: bool = False,
        fixed: int = 2,
        slices: int = 1,
        shape: TwoListTuning | None = None,
    ) -> None:
        self._weights, self._target, self._device = tuple(weights), target, device
        self._lock = threading.Lock()
        self._slices = slices
        form = shape or TwoListTuning()
        order = sorted(range(len(weights)), key=lambda item: -weights[item])
        left_out = min(2 * WINDOWS, fixed)
        self._fixed, order = order[: fixed - left_out], order[fixed - left_out :]
        free, light = order[: len(order) - left_out], order[len(order) - left_out :]
        self._items = free[1::2], free[::2]
        self._choices = [_subsets(items, self._weights) for items in (light[1::2], light[::2])]
        self.pieces = pieces(fixed, slices)
        sides = [[self._weights[item] for item in items] for items in self._items]
        self._made = lists = SortedLists.build(device, sides, form)
        shifts, choices = (len(some) for some in self._choices)
        self._seeker = PairSearch(device, lists, form, shifts, choices)
        self._nearest = (
            ClosestPairSearch(device, lists, form, shifts * choices) if closest else None
        )
        self._tiles = self._nearest.tiles if self._nearest else self._seeker.tiles

    def run(self, first: int, last: int, stop: NDArray[np.int64]) -> PieceResult:
        """Search pieces [first, last), or fewer if told to stop or the target was met.

        Callers take turns.
        """
        best: tuple[int, tuple[int, ...]] | None = None
        piece = first
        with self._lock:
            while piece < last and not stop[0]:
                mask, part = divmod(piece, self._slices)
                end = min(self._slices, part + last - piece)
                found = self._search_part(chosen(self._fixed, mask), part, end)
                piece += end - part
                if found is not None and (best is None or found[0] > best[0]):
                    best = found
                    if best[0] == self._target:
                        break
        return PieceResult(first, piece, best and best[1])

    def _sum(self, items: Iterable[int]) -> int:
        return sum(self._weights[item] for item in items)

    def _search_part(
        self, taken: list[int], first: int, last: int
    ) -> tuple[int, tuple[int, ...]] | None:
        """Search stretches for a choice of the fixed items; return a sum and its subset."""
        begin, end = (self._tiles * part // self._slices for part in (first, last))
        wanted = self._target - self._sum(taken)
        if wanted < 0 or begin == end:
            return None
        if self._nearest is not None:
            return self._search_closest(self._nearest, taken, wanted, begin, end)
        shifts, others = self._choices
        most = self._sum(item for items in self._items for item in items)
        open_choices = [
            (wanted - more, items)
            for more, items in others
            if 0 <= wanted - more <= most + shifts[-1][0]
        ]
        if not open_choices:
            return None
        targets = [left for left, _ in open_choices]
        hit = self._seeker.find([shift for shift, _ in shifts], targets, begin, end)
        if hit is None:
            return None
        which, window, *pair = hit
        light = *open_choices[which][1], *shifts[window][1]
        return self._target, (*taken, *light, *self._of_pair(*pair))

    def _search_closest(
        self, nearest: ClosestPairSearch, taken: list[int], wanted: int, begin: int, end: int
    ) -> tuple[int, tuple[int, ...]] | None:
        """Search stretches of the merged lists, for all choices of all fixed items."""
        most = self._sum(item for items in self._items for item in items)
        # A target above all sums is replaced by their total.
        open_choices = [
            (wanted - one - other, (*some, *more))
            for one, some in self._choices[0]
            for other, more in self._choices[1]
            if wanted >= one + other
        ]
        targets = [min(left, most) for left, _ in open_choices]
        ends = [
            (self._target - left + target - gap, target - gap, items)
            for target, gap, (left, items) in zip(
                targets, nearest.gaps(targets, begin, end), open_choices, strict=True
            )
            if gap <= target
        ]
        if not ends:
            return None
        total, value, items = max(ends)
        hit = self._seeker.find([0], [value], 0, self._seeker.tiles)
        assert hit is not None, "the closest sum is a sum of two in the lists"
        return total, (*taken, *items, *self._of_pair(*hit[2:]))

    def _of_pair(self, *ends: int) -> tuple[int, ...]:
        """Return the items behind a sum of each list."""
        return items_of_pair(self._weights, self._items, ends)


def _subsets(items: Sequence[int], weights: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    """Return the sums of all subsets of a few items, with the subsets; the largest is last."""
    found: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    for item in items:
        found += [(total + weights[item], (*subset, item)) for total, subset in found]
    return found
