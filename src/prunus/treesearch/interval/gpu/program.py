"""A problem as the search on a GPU sees it: a kernel file, its constants, its tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.device import DeviceLimits

BLOCK = 128
"""Threads of a block."""

RESERVED = 1024
"""Bytes of shared memory that the system takes for each block."""


@dataclass(frozen=True, slots=True)
class LaunchShape:
    """How a program is launched on a card."""

    constants: Mapping[str, int | str]
    """What the kernels must know of it: ``NEAR`` entries of each pool lie in shared memory."""
    shared_bytes: int
    """Shared memory of a block of explorers."""


@dataclass(frozen=True, slots=True)
class EntryLayout:
    """How many words the parts of a pool entry take; the twin of ``entry.cuh``."""

    levels: int
    state: int

    @property
    def words(self) -> int:
        """Words of a set of items."""
        return -(-self.levels // 32)

    @property
    def head(self) -> int:
        """Words before the path."""
        return (4 + 3 * self.words) // 4 * 4

    @property
    def item(self) -> np.dtype[Any]:
        """The type of one item of a path."""
        return np.dtype(np.uint16 if self.levels > 256 else np.uint8)

    @property
    def path(self) -> int:
        """Words of a path."""
        return -(-self.levels * self.item.itemsize // 16) * 4

    @property
    def entry(self) -> int:
        """Words of an entry."""
        return ((self.head + self.path + self.state) // 4 | 1) * 4


@dataclass(frozen=True, slots=True)
class GpuProgram:
    """What a problem supplies."""

    levels: int
    """Items to fix, one a level. The tree is that of the permutations of the items: a node at level
    d has ``levels - d`` children."""
    file: str
    """The kernel file in the package."""
    bits: int
    """Of a number in the kernel's arithmetic: 64, 32, or 16, of which a word holds two."""
    choices: Mapping[str, int | str]
    """What specialises it beside these."""
    tables: NDArray[np.uint32]
    """What ``load_tables`` reads. Shape (words,)."""
    state_words: int
    shared_bytes: int
    """Words of a node's state; bytes of shared memory a block needs for tables."""
    blocks: int
    """Blocks of 128 threads that a multiprocessor shall hold (this limits the registers)."""
    solution: Callable[[NDArray[np.int64]], NDArray[np.int64]]
    """Turns a full path, prefix from the left and suffix from the right, into a solution."""
    evaluate: Callable[[NDArray[np.int64]], int]
    """The problem's own plain evaluation of a solution."""

    @property
    def largest(self) -> int:
        """Objectives from here on cannot be told apart in the kernel's arithmetic."""
        return int(2 ** (self.bits - 1) - 1)

    @property
    def constants(self) -> dict[str, int | str]:
        """What specialises the kernel file, without the shape of the launch."""
        wide = self.bits == 64
        return {
            "LEVELS": self.levels,
            "NUMBER": "long long" if wide else "int",
            "NUMBER_BYTES": 8 if wide else 4,
            "LARGEST": f"{self.largest}LL",
            **self.choices,
        }

    @property
    def layout(self) -> EntryLayout:
        """The layout of a pool entry."""
        return EntryLayout(self.levels, self.state_words)

    def launch_shape(self, device: DeviceLimits) -> LaunchShape:
        """Choose how much of the pools lies in shared memory, and how many blocks that allows.

        ``device`` has ``warp`` and, in bytes, ``shared_limit`` (a block) and ``shared_total`` (a
        multiprocessor).
        """
        near, blocks = 2 * device.warp, self.blocks
        shared = self.shared_bytes + near * self.layout.entry * 4 * (BLOCK // device.warp)
        fits = device.shared_total // (shared + RESERVED)
        if fits < 2 or shared > device.shared_limit:
            near, shared = 0, self.shared_bytes
        else:
            blocks = min(blocks, fits)
        return LaunchShape({"NEAR": near, "BLOCK": BLOCK, "BLOCKS": blocks}, shared)
