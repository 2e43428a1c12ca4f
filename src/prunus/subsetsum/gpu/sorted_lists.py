"""The two sorted lists in the memory of a GPU: every item doubles a list, by merging."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from prunus.subsetsum.gpu.shapes import TwoListShape
from prunus.subsetsum.sums import plain

__all__ = ["SortedLists"]

_BASE = 11
"""Items of the first list, which the host makes."""
_GROWTH = 6
"""Words that tell the kernels how one list grows."""


@dataclass(frozen=True, slots=True)
class SortedLists:
    """The sums of all subsets of each half in ascending order, in device arrays.

    Attributes
    ----------
    lists
        Two of them.
    kept
        What kernels that may still run use.
    """

    lists: tuple[Any, Any]
    kept: tuple[Any, ...]

    @classmethod
    def build(
        cls,
        device: Any,
        sides: Sequence[Sequence[int]],
        shape: TwoListShape,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> SortedLists | None:
        """Start to make both lists, an item of each at a time; None if stopped.

        Parameters
        ----------
        sides
            The weights of each half.
        """
        arrays = [
            [device.empty(1 << len(side), np.uint64), device.empty(1 << len(side) >> 1, np.uint64)]
            for side in sides
        ]
        output = shape.threads * shape.items
        cuts = device.empty(sum(1 << len(side) for side in sides) // output + 4, np.uint64)
        words, launches = _plan(device, sides, arrays, cuts, shape)
        for side, pair in zip(sides, arrays, strict=True):
            base = min(_BASE, len(side))
            # So that the last list lies in the array that is long enough for it.
            device.write(pair[(len(side) - base) % 2], np.sort(plain(side[:base])))
        plans = device.put(words.reshape(-1))
        constants = shape.constants(seeking=False)
        module = device.compile("subsetsum/gpu/grow.cu", constants)
        shared = 8 * (output + 4)
        grow, _ = device.prepare(module, "grow", shape.threads, shared)
        cut, _ = device.prepare(module, "cut", shape.threads, 0)
        address = device.address(plans)
        for tiles, edges in launches:
            if edges:
                device.launch(cut, -(-edges // shape.threads), shape.threads, address, 0)
            device.launch(grow, tiles, shape.threads, address, shared)
            address += words.itemsize * words.shape[1]
            if should_stop():
                return None
        return cls((arrays[0][0], arrays[1][0]), (*arrays, cuts, plans))


def _plan(
    device: Any,
    sides: Sequence[Sequence[int]],
    arrays: Sequence[Sequence[Any]],
    cuts: Any,
    shape: TwoListShape,
) -> tuple[Any, list[tuple[int, int]]]:
    """Return what to tell the kernels, a row an item; tiles, and ends of them to be cut before."""
    output = shape.threads * shape.items
    places = [[device.address(array) for array in pair] for pair in arrays]
    levels = max(0, *(len(side) - _BASE for side in sides))
    words = np.zeros((max(1, levels), 2 * _GROWTH), np.uint64)
    launches = []
    for level in range(levels):
        tiles = edges = 0
        long = False
        for k, (side, pair) in enumerate(zip(sides, places, strict=True)):
            items = _BASE + level
            if items >= len(side):
                continue
            many = -(-(2 << items) // output)
            # The kernels cut both lists as soon as the second is long, which is as long or longer.
            apart = many > shape.cut_from
            at = (len(side) - items) % 2
            words[level, _GROWTH * k : _GROWTH * (k + 1)] = (
                pair[at],
                pair[1 - at],
                1 << items,
                side[items],
                many,
                device.address(cuts) + 8 * edges if apart else 0,
            )
            tiles += many
            edges += many + 1
            long = long or apart
        launches.append((tiles, edges if long else 0))
    return words, launches
