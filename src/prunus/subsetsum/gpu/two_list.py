"""The two-list search on one GPU: both lists in its memory, all choices of the fixed items."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.subsetsum.finding import Finding
from prunus.subsetsum.gpu.shapes import TwoListShape
from prunus.subsetsum.gpu.sorted_lists import SortedLists
from prunus.subsetsum.sums import find_subset

__all__ = ["SLICES", "TwoListsOnGpu", "bytes_needed", "fixed_items", "pieces"]

SLICES = 8
"""Stretches of a search, so that several GPUs can share it and a stop is heeded."""
_GROUP = 2
"""Fixed items whose choices are searched for in one pass over A, as a logarithm of their number."""
_WORDS, _FOUND = 13, 5
"""Words of what the kernels are told, and of what they have found."""


def bytes_needed(items: int) -> int:
    """Return the device memory for the lists of so many items that are not fixed."""
    return 12 * ((1 << items // 2) + (1 << items - items // 2)) + 2**22


def pieces(fixed: int, slices: int = SLICES) -> int:
    """Return how many pieces there are."""
    return slices << fixed - min(_GROUP, fixed)


def room_for_spare(partners: int, limit: int) -> int:
    """Return how many stretches can be left to other blocks: all, unless sums are equal."""
    return partners // limit + 1024


def fixed_items(items: int, memory: int, *, split: bool = True) -> int:
    """Return how many items to fix so that the lists of the others fit a device's memory.

    Split, two in any case: they save more in the generation than the search for four targets costs.
    """
    fixed = min(_GROUP, max(0, items - 2)) if split else 0
    while bytes_needed(items - fixed) > memory:
        fixed += 1
    return fixed


class TwoListsOnGpu:
    """The lists A and B of an instance on one GPU, and the search of a range of pieces.

    A piece is a stretch of the search for a group of targets, which the choices of the fixed items
    leave.

    Parameters
    ----------
    weights
        Positive; their sum is below 2**63.
    target
        From 0.
    device
        A :class:`prunus.cuda.Device`.
    closest
        Look for the largest sum that is not above the target.
    fixed
        How many items to fix, the heaviest.
    slices
        How many stretches there are for a group of targets.
    """

    def __init__(
        self,
        weights: Sequence[int],
        target: int,
        device: Any,
        *,
        closest: bool = False,
        fixed: int = 2,
        slices: int = 1,
        shape: TwoListShape | None = None,
    ) -> None:
        self._weights, self._target, self._device = tuple(weights), target, device
        self._lock = threading.Lock()
        self._closest, self._slices = closest, slices
        self._shape = form = shape or TwoListShape()
        order = sorted(range(len(weights)), key=lambda item: -weights[item])
        self._fixed, free = order[:fixed], order[fixed:]
        self._items = free[1::2], free[::2]
        self._group = min(_GROUP, fixed)
        self.pieces = pieces(fixed, slices)
        self._lengths = [1 << len(items) for items in self._items]
        sides = [[self._weights[item] for item in items] for items in self._items]
        self._made = SortedLists.build(device, sides, form)
        self._tiles = -(-self._lengths[0] // form.tile)
        self._merge_shared = 8 * (form.threads * form.items + 4)
        if closest:
            module = device.compile("subsetsum/gpu/nearest.cu", form.constants("nearest"))
            self._nearest, _ = device.prepare(module, "nearest", form.threads, self._merge_shared)
            self._tiles = -(-sum(self._lengths) // (form.threads * form.items))
        self._seek_shared = (1 << form.map - 3) + 8 * (1024 + form.tile // 16 + 1) + 16
        seeking = device.compile("subsetsum/gpu/seek.cu", form.constants("seek"))
        self._prune, _ = device.prepare(seeking, "prune", form.seekers, 0)
        self._seek, self._assist = (
            device.prepare(seeking, name, form.seekers, self._seek_shared)[0]
            for name in ("seek", "assist")
        )
        self._most_tiles = min(-(-self._lengths[0] // form.tile), 1 << 20)
        # What the kernels are told and find, where every tile's partners are, spare stretches.
        self._told = _WORDS + _FOUND + (2 << self._group)
        self._edges = (2 * self._most_tiles) << self._group
        self._room = room_for_spare(self._lengths[1] << self._group, form.limit)
        words = self._told + self._edges + 2 * self._room
        self._memory = device.empty(words, np.uint64)
        self._address = int(device.address(self._memory))

    def run(self, first: int, last: int, stop: NDArray[np.int64]) -> Finding:
        """Search pieces [first, last), see ``_run``; one caller at a time."""
        with self._lock:
            return self._run(first, last, stop)

    def _run(self, first: int, last: int, stop: NDArray[np.int64]) -> Finding:
        """Search pieces [first, last), or fewer if told to stop or the target was met."""
        best: tuple[int, tuple[int, ...]] | None = None
        piece = first
        while piece < last and not stop[0]:
            group, part = divmod(piece, self._slices)
            end = min(self._slices, part + last - piece)
            masks = [group << self._group | k for k in range(1 << self._group)]
            found = self._search_part(masks, part, end)
            piece += end - part
            if found is not None and (best is None or found[0] > best[0]):
                best = found
                if best[0] == self._target:
                    break
        return Finding(first, piece, best and best[1])

    def _search_part(
        self, masks: Sequence[int], first: int, last: int
    ) -> tuple[int, tuple[int, ...]] | None:
        """Search stretches for some choices of the fixed items; return a sum and its subset."""
        form = self._shape
        begin, end = (self._tiles * part // self._slices for part in (first, last))
        choices = [self._taken(mask) for mask in masks]
        most = sum(self._weights[item] for items in self._items for item in items)
        # A target above all sums is of no use unless the closest is sought, and then all will do.
        open_targets = [
            (min(left, most), taken)
            for taken in choices
            if (left := self._target - sum(self._weights[item] for item in taken)) >= 0
            and (self._closest or left <= most)
        ]
        if not open_targets or begin == end:
            return None
        targets = [left for left, _ in open_targets]
        if not self._closest:
            hit = self._seek_targets(targets, begin, end)
            if hit is None:
                return None
            which, *pair = hit
            return self._target, (*open_targets[which][1], *self._of_pair(*pair))
        ends = [
            (sum(self._weights[item] for item in taken) + left - gap, left - gap, taken)
            for (left, taken), gap in zip(
                open_targets, self._gaps(targets, begin, end), strict=True
            )
            if gap <= left
        ]
        if not ends:
            return None
        total, value, taken = max(ends)
        hit = self._seek_targets([value], 0, -(-self._lengths[0] // form.tile))
        assert hit is not None, "the closest sum is a sum of two in the lists"
        return total, (*taken, *self._of_pair(*hit[1:]))

    def _gaps(self, targets: Sequence[int], begin: int, end: int) -> list[int]:
        """Return how far below each target the closest sum on some tiles is; if none, 2**64 - 1."""
        device = self._device
        address = self._load(targets, begin, end - begin)
        blocks = (end - begin) * len(targets)
        device.launch(self._nearest, blocks, self._shape.threads, address, self._merge_shared)
        begin = _WORDS + _FOUND
        gaps = device.read(self._memory[begin : begin + len(targets)])
        return [int(gap) for gap in gaps]

    def _seek_targets(
        self, targets: Sequence[int], begin: int, end: int
    ) -> tuple[int, int, int] | None:
        """Return the number of a target and its summands, from A on some tiles, and from B."""
        device, threads = self._device, self._shape.seekers
        for first in range(begin, end, self._most_tiles):
            tiles = min(self._most_tiles, end - first)
            address = self._load(targets, first, tiles)
            wanted = 2 * tiles * len(targets) // threads
            blocks = max(1, min(wanted, 16 * device.multiprocessors))
            prune = self._prune, blocks, threads, address, 0
            seek = self._seek, tiles, threads, address, self._seek_shared
            helpers = self._shape.seek_blocks * device.multiprocessors
            assist = self._assist, helpers, threads, address, self._seek_shared
            device.launch_in_turn((prune, seek, assist), 1)
            found = device.read(self._memory[_WORDS : _WORDS + _FOUND])
            if found[0]:
                return int(found[3]), int(found[1]), int(found[2])
        return None

    def _load(self, targets: Sequence[int], first: int, tiles: int) -> int:
        """Tell the kernels what to do; return where it stands."""
        address = self._address
        found, least = address + 8 * _WORDS, address + 8 * (_WORDS + _FOUND)
        edges, lists = address + 8 * self._told, int(self._device.address(self._made.memory))
        words = [
            *(*(lists + 8 * at for at in self._made.begin), *self._lengths, first, tiles),
            *(least + 8 * len(targets), len(targets), edges, found, least),
            *(edges + 8 * self._edges, self._room),
            *([0] * _FOUND + [2**64 - 1] * len(targets)),
            *targets,
        ]
        self._device.write(self._memory, np.array(words, np.uint64))
        return address

    def _taken(self, mask: int) -> list[int]:
        return [item for k, item in enumerate(self._fixed) if mask >> k & 1]

    def _of_pair(self, *ends: int) -> tuple[int, ...]:
        """Return the items behind a sum of each list."""
        found: list[int] = []
        for items, total in zip(self._items, ends, strict=True):
            places = find_subset([self._weights[item] for item in items], total)
            assert places is not None, "the sums of a list are sums of its items"
            found += [items[place] for place in places]
        return tuple(found)
