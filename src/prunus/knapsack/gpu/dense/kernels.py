"""Kernels of the dense recursion cut to a device: threads, registers, shared memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from prunus.hardware.device import DeviceLimits
from prunus.knapsack.gpu.dense.passes import CHAIN, IDENTICAL, LONG_CHAIN, TILE, PassLimits
from prunus.knapsack.gpu.dense.structures import PASS
from prunus.model.arrays import FloatArray

PACKED = "packed"
"""Name of the kernel that packs the values of two segments."""

_COPIES = 127
"""Identical items that a pass holds; the binding of copies relies on no fewer than it leaves."""

_LONGEST_PLACES = 512
"""Places that a thread works on one after the other, at most, if their values are relative."""

_AHEAD_BYTES = 3 * PASS.bytes
"""Bytes of shared memory for the passes at hand."""

_IDENTICAL_THREADS = 384
"""Threads of a multiprocessor that work on windows, if shared memory has room for so many."""


@dataclass(frozen=True, slots=True)
class KernelConfig:
    """A kernel, its constants, the threads of a block, and its bytes of shared memory.

    If threads walk up segments of chains: how many places these have at most, with those below
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

    A value has ``bytes``; ``configs`` are by kind, or by name; ``limits`` say what a pass may hold.
    """

    bytes: int
    configs: Mapping[int | str, KernelConfig] = field(default_factory=dict)
    limits: PassLimits = field(
        default_factory=lambda: PassLimits(32, 64, _COPIES, 2**30, 0, 0, 0, 0)
    )

    @property
    def places(self) -> FloatArray:
        """Return the places of a chain that a thread works on, at most, for each kind of pass."""
        places = np.ones(TILE + 1)
        for kind in (CHAIN, LONG_CHAIN, IDENTICAL):
            places[kind] = self.configs[kind].longest
        return places

    @property
    def packed(self) -> KernelSet:
        """These kernels, but that passes of many items go through the one that packs values."""
        return replace(self, configs={**self.configs, LONG_CHAIN: self.configs[PACKED]})


class ChainCut(NamedTuple):
    """Items of a pass, places at a time, threads, blocks of a multiprocessor, and stages.

    Each stage has some of the items.
    """

    items: int
    places: int
    threads: int
    blocks: int
    stages: int


class PackedCut(NamedTuple):
    """The kernel for two segments a thread; it takes as many items as that for long chains."""

    places: int
    threads: int
    blocks: int
    stages: int
    """As of a `ChainCut`."""
    group: int
    """Items whose profits are loaded together."""
    edge: int
    """How many items the outer stages have less."""


class IdenticalCut(NamedTuple):
    """Items of a pass, places at a time, threads, and blocks of a multiprocessor."""

    items: int
    places: int
    threads: int
    blocks: int


class TileCut(NamedTuple):
    """Cells a thread, threads of a block and blocks of a multiprocessor."""

    rows: int
    threads: int
    blocks: int


@dataclass(frozen=True, slots=True)
class KernelCuts:
    """How kernels are cut, where it is not chosen for the device."""

    tie: bool = True
    """Whether identical items are tied."""
    few: ChainCut | None = None
    many: ChainCut | None = None
    packed: PackedCut | None = None
    identical: IdenticalCut | None = None
    tile: TileCut | None = None
    """By kind of pass: chains of few items, of many, of many whose values are packed, of identical
    items; and tiles."""
    steps: int = 32
    """Items in a pass of tiles, at most."""


CHOSEN = KernelCuts()
"""All is chosen for the device."""


def choose_kernels(
    device: DeviceLimits, value_bits: int, work_bits: int, cuts: KernelCuts = CHOSEN
) -> KernelSet:
    """Choose for a device.

    A value in memory has ``value_bits``, and what registers hold ``work_bits``: 32 or 64. ``cuts``
    are not to be chosen.
    """
    wide = work_bits == 64
    few = cuts.few or ChainCut(32, 8 if wide else 16, 256, 1, 1)
    many = cuts.many or (ChainCut(64, 8, 256, 1, 1) if wide else ChainCut(120, 24, 384, 1, 3))
    packed = cuts.packed or PackedCut(24, 384, 1, 3, 4, 4)
    identical = cuts.identical or _identical(device, work_bits // 8)
    tile, steps = cuts.tile, cuts.steps
    if tile is None:
        room = (device.shared_limit - 1024) // (work_bits // 8)
        tile = TileCut(min((room // 1024 - 1) // 4 * 4, 20 if wide else 40), 1024, 1)
    rows, threads, resident = tile
    cells = rows * threads
    common = {"VALUE_BITS": value_bits, "WORK_BITS": work_bits}
    exact = {"VALUE_BITS": value_bits, "WORK_BITS": value_bits}
    longest = _LONGEST_PLACES if value_bits > work_bits else 1 << 30
    configs: dict[int | str, KernelConfig] = {}
    for kind, cut in ((CHAIN, few), (LONG_CHAIN, many)):
        configs[kind] = _chain(cut, common, work_bits // 8, longest)
    packed_kernel = _packed(many.items, packed, common, longest)
    if not wide and device.packs and packed_kernel.shared <= device.shared_limit:
        configs[PACKED] = packed_kernel
    items, places, size, blocks = identical
    configs[IDENTICAL] = KernelConfig(
        "chain_identical",
        {**common, "ITEMS": items, "PLACES": places, "THREADS": size, "RESIDENT": blocks},
        size, _AHEAD_BYTES + 2 * 8 + (items + 2) * size * work_bits // 8, longest,
    )  # fmt: skip
    configs[TILE] = KernelConfig(
        "tile",
        {**common, "ROWS": rows, "THREADS": threads, "RESIDENT": resident},
        threads,
        (cells + threads) * work_bits // 8,
    )
    size = value_bits // 8
    most = max(few.items, many.items, identical.items)  # steps of a pass, and units that they reach
    places = -(-(most + 1) // device.warp) * device.warp
    configs["trace chain"] = KernelConfig(
        "trace_chain", {**exact, "THREADS": places}, places,
        2 * places // device.warp * size + 8,
    )  # fmt: skip
    traced = 16
    while _trace_bytes(device, traced * threads, size, steps) > device.shared_limit:
        traced //= 2
    configs["trace tile"] = KernelConfig(
        "trace_tile",
        {**exact, "ROWS": traced, "THREADS": threads, "STEPS": steps},
        threads,
        _trace_bytes(device, traced * threads, size, steps),
    )
    configs["best sum"] = KernelConfig("best_sum", {**exact, "THREADS": 256, "RESIDENT": 4}, 256)
    limits = PassLimits(
        few.items, many.items, identical.items, 2 ** (work_bits - 2), threads, rows,
        traced * threads, steps, cuts.tie,
    )  # fmt: skip
    return KernelSet(size, configs, limits)


def _chain(cut: ChainCut, common: Mapping[str, int], size: int, longest: int) -> KernelConfig:
    """Return a kernel that walks up segments of chains."""
    items, places, threads, blocks, stages = cut
    handed = (stages - 1) * 2 * places * (threads // stages)  # values, from stage to stage
    constants = {
        "ITEMS": items, "PLACES": places, "THREADS": threads, "RESIDENT": blocks, "STAGES": stages,
        "GROUP": 4, "EDGE": 0,
    }  # fmt: skip
    return KernelConfig(
        "chain", {**common, **constants}, threads,
        _AHEAD_BYTES + 2 * 8 * items + handed * size, longest * stages, places, threads // stages,
    )  # fmt: skip


def _packed(items: int, cut: PackedCut, common: Mapping[str, int], longest: int) -> KernelConfig:
    """Return a kernel that walks up two segments of chains a thread, two values to a word."""
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
        _AHEAD_BYTES + 2 * 8 * items + handed, longest * stages, places, 2 * columns,
    )  # fmt: skip


def _trace_bytes(device: DeviceLimits, cells: int, size: int, steps: int) -> int:
    """Return what values, a decision for each cell and step, and the cell found take."""
    words = -(-cells // int(device.warp)) * (int(device.warp) // 8)
    return cells * size + steps * words + 16


def _identical(device: DeviceLimits, size: int) -> IdenticalCut:
    """Choose items, places, threads and blocks for windows; threads keep a value for each item."""
    items = _COPIES
    while (room := (device.shared_limit - 1024) // ((items + 2) * size)) < 2 * device.warp:
        items //= 2
    threads = min(_IDENTICAL_THREADS, room // device.warp * device.warp)
    return IdenticalCut(items, 16 if size == 4 else 8, threads, 1)
