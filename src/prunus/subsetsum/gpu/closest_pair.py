"""The largest sum of a pair of the two lists that is not above a target: ``closest_pair.cu``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prunus.hardware.device import Device
from prunus.subsetsum.gpu.layout import CLOSEST_PAIR
from prunus.subsetsum.gpu.sorted_lists import SortedLists
from prunus.subsetsum.gpu.tuning import TwoListTuning

_TOLD = CLOSEST_PAIR.words
"""Words of what the kernel is told."""


class ClosestPairSearch:
    """Looks for the largest sum.

    There are at most so many ``targets``, and so many ``tiles`` of the merge path.
    """

    def __init__(
        self, device: Device, lists: SortedLists, shape: TwoListTuning, targets: int
    ) -> None:
        self._device, self._lists, self._shape = device, lists, shape
        self._shared = 8 * (shape.threads * shape.items + 4)
        self.tiles = -(-sum(lists.length) // (shape.threads * shape.items))
        module = device.compile("subsetsum/gpu/closest_pair.cu", shape.constants("closest_pair"))
        self._kernel, _ = device.prepare(module, "closest_pair", shape.threads, self._shared)
        self._memory = device.empty(_TOLD + 2 * targets, np.uint64)

    def gaps(self, targets: Sequence[int], begin: int, end: int) -> list[int]:
        """Return how far below each target the closest sum on some tiles is; if none, 2**64 - 1."""
        device, many = self._device, len(targets)
        address = int(device.address(self._memory))
        least = address + 8 * _TOLD
        told = CLOSEST_PAIR.record(
            **self._lists.told(device),
            first=begin,
            tiles=end - begin,
            targets=least + 8 * many,
            count=many,
            least=least,
        )
        rest = np.array([*([2**64 - 1] * many), *targets], np.uint64)
        device.write(self._memory, np.concatenate((told.view(np.uint64), rest)))
        blocks = (end - begin) * many
        device.launch(self._kernel, blocks, self._shape.threads, address, self._shared)
        return [int(gap) for gap in device.read(self._memory[_TOLD : _TOLD + many])]
