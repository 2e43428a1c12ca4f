"""The two sorted lists in the memory of a GPU: every item doubles a list.

The first items in shared memory, the next ones several at once by bisection, all others by merging.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.device import Device
from prunus.subsetsum.gpu.layout import GROWTH
from prunus.subsetsum.gpu.tuning import TwoListTuning

_GROWTH = GROWTH.words
"""Words that tell the kernels how one list grows."""
_LINE = 32
"""Words after which a line of memory begins."""
_AT_ONCE = 3
"""Items that are added at once to a short list."""


@dataclass(frozen=True, slots=True)
class SortedLists:
    """The sums of all subsets of each half in ascending order, in a device's memory."""

    memory: Any
    """A device array with everything in it: also what kernels that may still run are told."""
    begin: tuple[int, ...]
    length: tuple[int, ...]
    """Where each list is in it."""

    @classmethod
    def build(
        cls, device: Device, sides: Sequence[Sequence[int]], shape: TwoListTuning
    ) -> SortedLists:
        """Start to make both lists, an item of each at a time.

        ``sides`` are the weights of each half.
        """
        steps = _steps([len(side) for side in sides], shape)
        told = 2 * _GROWTH * len(steps)
        # Each list takes turns between a place for all of it and one for half of it.
        output = shape.threads * shape.items
        wanted = [told + 2 * (2 + shape.base)]
        wanted += [sum(1 << len(side) for side in sides) // output + 4]
        wanted += [1 << len(side) >> half for half in (0, 1) for side in sides]
        begin = [0]
        for many in wanted:
            begin.append(begin[-1] + -(-many // _LINE) * _LINE)
        memory = device.empty(begin[-1], np.uint64)
        address = int(device.address(memory))
        cuts, *lists = (address + 8 * at for at in begin[1:-1])
        words, launches = _plan(sides, lists, cuts, steps, shape)
        device.write(memory, words)
        shared = {
            "sort_first_sums": 8 * ((1 << shape.base) + shape.base),
            "add_item": 8 * (output + 4),
        }
        calls = []
        for name, blocks, at in launches:
            file, threads = (
                ("first_lists", shape.first_threads)
                if name == "sort_first_sums"
                else ("list_merge", shape.threads)
            )
            module = device.compile(f"subsetsum/gpu/{file}.cu", shape.constants(file))
            kernel, _ = device.prepare(module, name, threads, shared.get(name, 0))
            calls.append((kernel, blocks, threads, address + 8 * at, shared.get(name, 0)))
        device.launch_in_turn(calls, 1)
        return cls(memory, (begin[2], begin[3]), (1 << len(sides[0]), 1 << len(sides[1])))

    def told(self, device: Device) -> dict[str, int]:
        """Return where each list is for kernels, and how long."""
        address = int(device.address(self.memory))
        a, b = (address + 8 * begin for begin in self.begin)
        return {"a": a, "b": b, "n": self.length[0], "m": self.length[1]}

    @property
    def lists(self) -> tuple[Any, ...]:
        """Both lists."""
        ends = zip(self.begin, self.length, strict=True)
        return tuple(self.memory[begin : begin + length] for begin, length in ends)


def _steps(items: Sequence[int], shape: TwoListTuning) -> list[tuple[int, int]]:
    """Return how many items the longer list has before each launch, and how many after it."""
    steps, done, most = [], shape.base, max(items)
    while done < most:
        added = min(_AT_ONCE, shape.joined - done, most - done) if done < shape.joined else 1
        steps.append((done, done + added))
        done += added
    return steps


def _plan(
    sides: Sequence[Sequence[int]],
    lists: Sequence[int],
    cuts: int,
    steps: Sequence[tuple[int, int]],
    shape: TwoListTuning,
) -> tuple[NDArray[np.uint64], list[tuple[str, int, int]]]:
    """Return what to tell the kernels, and their launches: name, blocks, where it is told.

    ``lists`` are the addresses of all of each list, then those of the places for half of it. For
    ``steps`` see ``_steps``; the last one of a shorter list may add less, or nothing.
    """
    output = shape.threads * shape.items
    # So that the last list lies in the place that is long enough for it.
    at = [sum(before < len(side) for before, _ in steps) % 2 for side in sides]
    growths = np.zeros(len(sides) * len(steps), GROWTH.dtype)
    weights = growths["weights"]
    columns: dict[str, list[int]] = {name: [] for name in ("from", "to", "length", "tiles", "cuts")}
    launches = [("sort_first_sums", 2, 2 * _GROWTH * len(steps))]
    starts: list[int] = []
    for k, side in enumerate(sides):
        first = side[: shape.base]
        starts += [lists[2 * at[k] + k], len(first), *first]
        starts += [0] * (shape.base - len(first))
    for step, (before, after) in enumerate(steps):
        tiles = edges = sums = 0
        joined, long = before < shape.joined, False
        for k, side in enumerate(sides):
            added = side[before:after]
            if not added:
                for column in columns.values():
                    column.append(0)
                continue
            # The kernels cut both lists as soon as the second is long, which is as long or longer.
            many = 1 << len(added) if joined else -(-(2 << before) // output)
            apart = not joined and many > shape.cut_from
            columns["from"].append(lists[2 * at[k] + k])
            columns["to"].append(lists[2 * (1 - at[k]) + k])
            columns["length"].append(1 << before)
            columns["tiles"].append(many)
            columns["cuts"].append(cuts + 8 * edges if apart else 0)
            weights[len(sides) * step + k, : len(added)] = added
            at[k] = 1 - at[k]
            tiles += many
            edges += many + 1
            sums += 1 << before + len(added)
            long = long or apart
        told = len(sides) * _GROWTH * step
        if long:
            launches.append(("cut_merge_path", -(-edges // shape.threads), told))
        if joined:
            launches.append(("add_items", -(-sums // shape.threads), told))
        else:
            launches.append(("add_item", tiles, told))
    # Field by field, not record by record: there are dozens of these.
    for name, column in columns.items():
        growths[name] = column
    return np.concatenate([growths.view(np.uint64), np.array(starts, np.uint64)]), launches
