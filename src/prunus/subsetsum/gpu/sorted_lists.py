"""The two sorted lists in the memory of a GPU: every item doubles a list, by merging."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.subsetsum.gpu.shapes import TwoListShape

__all__ = ["SortedLists"]

_GROWTH = 6
"""Words that tell the kernels how one list grows."""
_LINE = 32
"""Words after which a line of memory begins."""


@dataclass(frozen=True, slots=True)
class SortedLists:
    """The sums of all subsets of each half in ascending order, in a device's memory.

    Attributes
    ----------
    memory
        A device array with everything in it: also what kernels that may still run are told.
    begin, length
        Where each list is in it.
    """

    memory: Any
    begin: tuple[int, ...]
    length: tuple[int, ...]

    @classmethod
    def build(cls, device: Any, sides: Sequence[Sequence[int]], shape: TwoListShape) -> SortedLists:
        """Start to make both lists, an item of each at a time.

        Parameters
        ----------
        sides
            The weights of each half.
        """
        levels = max(0, *(len(side) - shape.base for side in sides))
        told = 2 * _GROWTH * levels + 2 * (2 + shape.base)
        # Each list takes turns between a place for all of it and one for half of it.
        output = shape.threads * shape.items
        wanted = [told, sum(1 << len(side) for side in sides) // output + 4]
        wanted += [1 << len(side) >> half for half in (0, 1) for side in sides]
        begin = [0]
        for many in wanted:
            begin.append(begin[-1] + -(-many // _LINE) * _LINE)
        memory = device.empty(begin[-1], np.uint64)
        address = int(device.address(memory))
        cuts, *lists = (address + 8 * at for at in begin[1:-1])
        words, launches = _plan(sides, lists, cuts, shape)
        device.write(memory, words)
        starter = shape.constants("begin")
        shared = 8 * ((1 << shape.base) + shape.base)
        start, _ = device.prepare(
            device.compile("subsetsum/gpu/begin.cu", starter), "begin", shape.starters, shared
        )
        calls = [(start, 2, shape.starters, address + 16 * _GROWTH * levels, shared)]
        if levels:
            module = device.compile("subsetsum/gpu/grow.cu", shape.constants("grow"))
            shared = 8 * (output + 4)
            grow, _ = device.prepare(module, "grow", shape.threads, shared)
            cut, _ = device.prepare(module, "cut", shape.threads, 0)
            for tiles, edges in launches:
                if edges:
                    calls.append((cut, -(-edges // shape.threads), shape.threads, address, 0))
                calls.append((grow, tiles, shape.threads, address, shared))
                address += 16 * _GROWTH
        device.launch_in_turn(calls, 1)
        return cls(memory, (begin[2], begin[3]), (1 << len(sides[0]), 1 << len(sides[1])))

    @property
    def lists(self) -> tuple[Any, ...]:
        """Both lists."""
        ends = zip(self.begin, self.length, strict=True)
        return tuple(self.memory[begin : begin + length] for begin, length in ends)


def _plan(
    sides: Sequence[Sequence[int]], lists: Sequence[int], cuts: int, shape: TwoListShape
) -> tuple[NDArray[np.uint64], list[tuple[int, int]]]:
    """Return what to tell the kernels, item by item; tiles, and ends of them to be cut before.

    Parameters
    ----------
    lists
        The addresses of all of each list, then those of the places for half of it.
    """
    output = shape.threads * shape.items
    starts, words, launches = [], [], []
    # So that the last list lies in the place that is long enough for it.
    odd = [max(0, len(side) - shape.base) % 2 for side in sides]
    for k, side in enumerate(sides):
        first = side[: shape.base]
        starts += [lists[2 * odd[k] + k], len(first), *first]
        starts += [0] * (shape.base - len(first))
    for items in range(shape.base, max(len(side) for side in sides)):
        tiles = edges = 0
        long = False
        for k, side in enumerate(sides):
            if items >= len(side):
                words += [0] * _GROWTH
                continue
            many = -(-(2 << items) // output)
            # The kernels cut both lists as soon as the second is long, which is as long or longer.
            apart = many > shape.cut_from
            at = (len(side) - items) % 2
            words += [lists[2 * at + k], lists[2 * (1 - at) + k], 1 << items, side[items], many]
            words.append(cuts + 8 * edges if apart else 0)
            tiles += many
            edges += many + 1
            long = long or apart
        launches.append((tiles, edges if long else 0))
    return np.array(words + starts, np.uint64), launches
