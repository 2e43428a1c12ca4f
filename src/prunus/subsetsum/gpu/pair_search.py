"""Pairs of the two lists that meet a target, in windows of both, see ``pair_search.cu``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prunus.hardware.device import Device
from prunus.subsetsum.gpu.layout import PAIR_SEARCH
from prunus.subsetsum.gpu.sorted_lists import SortedLists
from prunus.subsetsum.gpu.tuning import TwoListTuning

TILES = 1 << 18
"""Tiles of a launch at most."""
_TOLD, _FOUND = PAIR_SEARCH.words, 5
"""Words of what the kernels are told, and of what they have found."""


def room_for_spare(partners: int, limit: int) -> int:
    """Return how many stretches can be left to other blocks: all, unless sums are equal."""
    return partners // limit + 1024


class PairSearch:
    """Looks for pairs.

    There are at most so many ``shifts`` and ``targets``. In the last launch ``handed_over``
    stretches were left to others by some blocks.
    """

    def __init__(
        self, device: Device, lists: SortedLists, shape: TwoListTuning, shifts: int, targets: int
    ) -> None:
        self._device, self._lists, self._shape = device, lists, shape
        self._step = max(1, shape.tile // shifts)
        self.tiles = -(-lists.length[0] // self._step)
        module = device.compile("subsetsum/gpu/pair_search.cu", shape.constants("pair_search"))
        shared = shape.search_shared_bytes
        self._sample, self._prune, self._seek, self._assist = (
            device.prepare(module, name, shape.search_threads, each)[0]
            for name, each in zip(
                ("sample", "prune", "search_tiles", "search_spare"),
                (0, 0, shared, shared),
                strict=True,
            )
        )
        # What is told and found, where the tiles' windows are, spare stretches, samples.
        self._told = _TOLD + _FOUND + shifts + targets
        self._edges = (shifts + targets) * (min(self.tiles, TILES) + 1) // 2 + 1
        self._room = room_for_spare(lists.length[1] * targets, shape.limit)
        self._sampled = sum(-(-length // shape.stride) for length in lists.length)
        self._has_sample, self.handed_over = False, 0
        words = self._told + self._edges + 2 * self._room + self._sampled
        self._memory = device.empty(words, np.uint64)
        self._address = int(device.address(self._memory))

    def find(
        self, shifts: Sequence[int], targets: Sequence[int], begin: int, end: int
    ) -> tuple[int, int, int, int] | None:
        """Look on tiles [begin, end).

        Returns the numbers of a target and of a shift, and the sums in both lists that meet it.
        """
        device, shape = self._device, self._shape
        threads, shared, address = shape.search_threads, shape.search_shared_bytes, self._address
        for first in range(begin, end, TILES):
            tiles = min(TILES, end - first)
            self._tell(shifts, targets, first, tiles)
            edges = (len(shifts) + len(targets)) * (tiles + 1)
            helpers = shape.search_blocks * device.multiprocessors
            launches = [
                (self._prune, self._blocks(edges), threads, address, 0),
                (self._seek, tiles, threads, address, shared),
                (self._assist, helpers, threads, address, shared),
            ]
            if not self._has_sample:
                blocks = self._blocks(self._sampled)
                launches.insert(0, (self._sample, blocks, threads, address, 0))
                self._has_sample = True
            device.launch_in_turn(launches, 1)
            found = [int(word) for word in device.read(self._memory[_TOLD : _TOLD + _FOUND])]
            self.handed_over = found[4]
            if found[0]:
                return found[3] >> 32, found[3] & 0xFFFFFFFF, found[1], found[2]
        return None

    def _blocks(self, wanted: int) -> int:
        """Return how many blocks share so many small tasks."""
        most = 16 * int(self._device.multiprocessors)
        return max(1, min(wanted // self._shape.search_threads, most))

    def _tell(self, shifts: Sequence[int], targets: Sequence[int], first: int, tiles: int) -> None:
        found = self._address + 8 * _TOLD
        moves = found + 8 * _FOUND
        edges = self._address + 8 * self._told
        spare = edges + 8 * self._edges
        told = PAIR_SEARCH.record(
            **self._lists.told(self._device),
            first=first,
            tiles=tiles,
            shifts=moves,
            shift_count=len(shifts),
            targets=moves + 8 * len(shifts),
            count=len(targets),
            middle=max(shifts) // 2,
            step=self._step,
            every_tile=self.tiles,
            found=found,
            samples=spare + 16 * self._room,
            edges=edges,
            spare=spare,
            room=self._room,
        )
        rest = np.array([*([0] * _FOUND), *shifts, *targets], np.uint64)
        self._device.write(self._memory, np.concatenate((told.view(np.uint64), rest)))
