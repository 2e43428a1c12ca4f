"""Kernels of the dense recursion cut to a device: threads, registers, shared memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.device import Device
from prunus.knapsack.gpu.dense.passes import CHAIN, MANY, TILE, WINDOW, PassLimits
from prunus.knapsack.gpu.dense.structures import PASS

__all__ = ["PAIR", "KernelConfig", "KernelSet", "shape"]

Array = NDArray[np.int64]

PAIR = "pair"
"""Name of the kernel that packs the values of two stretches."""

_COPIES = 127
"""Identical items that a pass holds; the binding of copies relies on no fewer than it leaves."""

_LONGEST = 512
"""Places that a thread works on one after the other, at most, if their values are relative."""

_AHEAD = 3 * PASS.itemsize
"""Bytes of shared memory for the passes at hand."""

_WINDOW = 384
"""Threads of a multiprocessor that work on windows, if shared memory has room for so many."""


@dataclass(frozen=True, slots=True)
class KernelConfig:
    """A kernel, its constants, the threads of a block, and its bytes of shared memory.

    If threads walk up stretches of chains: how many places these have at most, with those below
    them that they depend on, of how many places they are made, and how many a block walks up at
    once, if not one a thread.
    """

    kernel: str
    constants: Mapping[str, int]
    threads: int
    shared: int = 0
    longest: int = 0
    piece: int = 1
    columns: int = 0

    @property
    def file(self) -> str:
        """Return the kernel's file."""
        return f"knapsack/gpu/dense/{self.kernel}.cu"

    @property
    def entry(self) -> str:
        """Return the kernel's name in that file."""
        return f"dense_{self.kernel}"


@dataclass(frozen=True, slots=True)
class KernelSet:
    """All kernels for one type of values.

    Attributes
    ----------
    bytes
        Of a value.
    forms
        By kind, or by name.
    limits
        What a pass may hold.
    """

    bytes: int
    forms: Mapping[Any, KernelConfig] = field(default_factory=dict)
    limits: PassLimits = field(
        default_factory=lambda: PassLimits(32, 64, _COPIES, 2**30, 0, 0, 0, 0)
    )

    @property
    def places(self) -> NDArray[Any]:
        """Return the places of a chain that a thread works on, at most, for each kind of pass."""
        places = np.ones(TILE + 1)
        for kind in (CHAIN, MANY, WINDOW):
            places[kind] = self.forms[kind].longest
        return places

    @property
    def paired(self) -> KernelSet:
        """These kernels, but that passes of many items go through the one that packs values."""
        return replace(self, forms={**self.forms, MANY: self.forms[PAIR]})


def shape(
    device: Device,
    value_bits: int,
    work_bits: int,
    *,
    tie: bool = True,
    few: tuple[int, int, int, int, int] | None = None,
    many: tuple[int, int, int, int, int] | None = None,
    pair: tuple[int, int, int, int, int, int] | None = None,
    window: tuple[int, int, int, int] | None = None,
    tile: tuple[int, int, int] | None = None,
    steps: int = 32,
) -> KernelSet:
    """Choose for a device.

    Parameters
    ----------
    device
        The GPU.
    value_bits, work_bits
        Of a value in memory, and of what registers hold: 32 or 64.
    tie
        Whether identical items are tied.
    few, many, window
        Items, places at a time, threads of a block, blocks of a multiprocessor and, but for
        windows, the stages of which each has some of the items.
    pair
        Of the kernel for two stretches a thread: places at a time, threads, blocks, stages, items
        whose profits are loaded together, and how many items the outer stages have less. It takes
        as many items as ``many``.
    tile
        Cells a thread, threads of a block and blocks of a multiprocessor.
    steps
        Items in a pass of tiles, at most.
    """
    wide = work_bits == 64
    few = few or ((32, 8, 256, 1, 1) if wide else (32, 16, 256, 1, 1))
    many = many or ((64, 8, 256, 1, 1) if wide else (120, 24, 384, 1, 3))
    window = window or _window(device, work_bits // 8)
    if tile is None:
        room = (device.shared_limit - 1024) // (work_bits // 8)
        tile = (min((room // 1024 - 1) // 4 * 4, 20 if wide else 40), 1024, 1)
    rows, threads, resident = tile
    cells = rows * threads
    common = {"VALUE_BITS": value_bits, "WORK_BITS": work_bits}
    exact = {"VALUE_BITS": value_bits, "WORK_BITS": value_bits}
    longest = _LONGEST if value_bits > work_bits else 1 << 30
    forms: dict[Any, KernelConfig] = {}
    for kind, cut in ((CHAIN, few), (MANY, many)):
        forms[kind] = _stream(cut, common, work_bits // 8, longest)
    paired = _pair(many[0], pair or (24, 384, 1, 3, 4, 4), common, longest)
    if not wide and device.packs and paired.shared <= device.shared_limit:
        forms[PAIR] = paired
    items, places, size, blocks = window
    forms[WINDOW] = KernelConfig(
        "chain_identical",
        {**common, "ITEMS": items, "PLACES": places, "THREADS": size, "RESIDENT": blocks},
        size, _AHEAD + 2 * 8 + (items + 2) * size * work_bits // 8, longest,
    )  # fmt: skip
    forms[TILE] = KernelConfig(
        "tile",
        {**common, "ROWS": rows, "THREADS": threads, "RESIDENT": resident},
        threads,
        (cells + threads) * work_bits // 8,
    )
    size = value_bits // 8
    most = max(few[0], many[0], window[0])  # steps of a pass, and units that they reach
    places = -(-(most + 1) // device.warp) * device.warp
    forms["trace chain"] = KernelConfig(
        "trace_chain", {**exact, "THREADS": places}, places,
        2 * places // device.warp * size + 8,
    )  # fmt: skip
    traced = 16
    while _trace_bytes(device, traced * threads, size, steps) > device.shared_limit:
        traced //= 2
    forms["trace tile"] = KernelConfig(
        "trace_tile",
        {**exact, "ROWS": traced, "THREADS": threads, "STEPS": steps},
        threads,
        _trace_bytes(device, traced * threads, size, steps),
    )
    forms["join"] = KernelConfig("best_sum", {**exact, "THREADS": 256, "RESIDENT": 4}, 256)
    limits = PassLimits(
        few[0], many[0], window[0], 2 ** (work_bits - 2), threads, rows, traced * threads,
        steps, tie,
    )  # fmt: skip
    return KernelSet(size, forms, limits)


def _stream(
    cut: tuple[int, int, int, int, int], common: Mapping[str, int], size: int, longest: int
) -> KernelConfig:
    """Return a kernel that walks up stretches of chains."""
    items, places, threads, blocks, stages = cut
    handed = (stages - 1) * 2 * places * (threads // stages)  # values, from stage to stage
    constants = {
        "ITEMS": items, "PLACES": places, "THREADS": threads, "RESIDENT": blocks, "STAGES": stages,
        "GROUP": 4, "EDGE": 0,
    }  # fmt: skip
    return KernelConfig(
        "chain", {**common, **constants}, threads,
        _AHEAD + 2 * 8 * items + handed * size, longest * stages, places, threads // stages,
    )  # fmt: skip


def _pair(
    items: int, cut: tuple[int, int, int, int, int, int], common: Mapping[str, int], longest: int
) -> KernelConfig:
    """Return a kernel that walks up two stretches of chains a thread, two values to a word."""
    places, threads, blocks, stages, group, edge = cut
    columns = threads // stages
    # What stages hand on; a ring of eight turns' lines, three words each; where values are wrong.
    handed = 4 * columns * ((stages - 1) * 2 * places + 3 * 8 + 1) + 8
    handed += 2 * places * columns * common["VALUE_BITS"] // 8  # what is read next
    constants = {
        "ITEMS": items, "PLACES": places, "THREADS": threads, "RESIDENT": blocks, "STAGES": stages,
        "GROUP": group, "EDGE": edge,
    }  # fmt: skip
    return KernelConfig(
        "chain_packed", {**common, **constants}, threads,
        _AHEAD + 2 * 8 * items + handed, longest * stages, places, 2 * columns,
    )  # fmt: skip


def _trace_bytes(device: Device, cells: int, size: int, steps: int) -> int:
    """Return what values, a decision for each cell and step, and the cell found take."""
    words = -(-cells // int(device.warp)) * (int(device.warp) // 8)
    return cells * size + steps * words + 16


def _window(device: Device, size: int) -> tuple[int, int, int, int]:
    """Choose items, places, threads and blocks for windows; threads keep a value for each item."""
    items = _COPIES
    while (room := (device.shared_limit - 1024) // ((items + 2) * size)) < 2 * device.warp:
        items //= 2
    return items, 16 if size == 4 else 8, min(_WINDOW, room // device.warp * device.warp), 1
