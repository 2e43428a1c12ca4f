"""Kernels of the dense recursion cut to a device: items, threads, registers, shared memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from prunus.hardware.device import DeviceLimits
from prunus.knapsack.gpu.dense.structures import PASS

CHAIN, LONG_CHAIN, IDENTICAL, TILE, TRACE_CHAIN, TRACE_TILE = range(6)
"""Kernels. Those for passes of a kind: chains of a few items of one weight, of many, of many that
are identical; and tiles. And those that find the items of either."""

_KEPT_BYTES = 1024
"""Shared memory that is left to the driver."""


@dataclass(frozen=True, slots=True)
class ChainCut:
    """Items of a pass, places of a chain that are read at a time, and threads of a block."""

    items: int
    places: int
    threads: int


@dataclass(frozen=True, slots=True)
class KernelCuts:
    """How kernels are cut. Found by ``benchmarks.knapsack.gpu`` on an H200."""

    few: ChainCut
    many: ChainCut
    identical: ChainCut
    rows: int
    threads: int
    """Cells of a tile that a thread has, and threads of a block."""
    traced_rows: int
    """Cells a thread where the items of a pass of tiles are found."""
    steps: int = 32
    """Items in a pass of tiles, at most: as many as a word has bits."""

    @property
    def cells(self) -> int:
        """Cells of a tile."""
        return self.rows * self.threads

    @property
    def reach(self) -> int:
        """Cells that a pass of tiles may reach down, at most."""
        return min(self.cells // 3, self.traced_rows * self.threads - 1)


def cuts_for(device: DeviceLimits, bits: int) -> KernelCuts:
    """Return how kernels are cut to a device for values of so many bits."""
    wide, room = bits == 64, (device.shared_limit - _KEPT_BYTES) // (bits // 8)
    # Threads keep a value for each item of a window in shared memory.
    items = 127
    while room // (items + 2) < 2 * device.warp:
        items //= 2
    threads = min(384, room // (items + 2) // device.warp * device.warp)
    traced = 16
    while _trace_bytes(device, traced * 1024, bits // 8, 32) > device.shared_limit:
        traced //= 2
    return KernelCuts(
        few=ChainCut(32, 8 if wide else 16, 256),
        many=ChainCut(64, 8, 256) if wide else ChainCut(112, 24, 256),
        identical=ChainCut(items, 8 if wide else 16, threads),
        rows=min((room // 1024 - 1) // 4 * 4, 20 if wide else 40),
        threads=1024,
        traced_rows=traced,
    )


@dataclass(frozen=True, slots=True)
class KernelConfig:
    """A kernel, its constants, the threads of a block, and its bytes of shared memory."""

    name: str
    constants: Mapping[str, int]
    threads: int
    shared: int

    @property
    def file(self) -> str:
        """The kernel's file."""
        return f"knapsack/gpu/dense/{self.name}.cu"

    @property
    def entry(self) -> str:
        """The kernel's name in that file."""
        return f"dense_{self.name}"


def configured(device: DeviceLimits, bits: int, cuts: KernelCuts) -> dict[int, KernelConfig]:
    """Return all kernels for values of so many bits."""
    size = bits // 8

    def config(name: str, threads: int, shared: int, **constants: int) -> KernelConfig:
        constants |= {"VALUE_BITS": bits, "THREADS": threads}
        return KernelConfig(name, constants, threads, shared)

    def chain(name: str, cut: ChainCut, values: int) -> KernelConfig:
        shared = 3 * PASS.bytes + values * size  # for the passes at hand, and values
        return config(name, cut.threads, shared, ITEMS=cut.items, PLACES=cut.places)

    few, many, identical = cuts.few, cuts.many, cuts.identical
    most = max(few.items, many.items, identical.items) + 1
    places = -(-most // device.warp) * device.warp
    return {
        CHAIN: chain("chain", few, 2 * few.items),
        LONG_CHAIN: chain("chain", many, 2 * many.items),
        IDENTICAL: chain(
            "chain_identical", identical, 2 + (identical.items + 2) * identical.threads
        ),
        TILE: config("tile", cuts.threads, (cuts.cells + cuts.threads) * size, ROWS=cuts.rows),
        TRACE_CHAIN: config("trace_chain", places, 2 * places // device.warp * size + 8),
        TRACE_TILE: config(
            "trace_tile",
            cuts.threads,
            _trace_bytes(device, cuts.traced_rows * cuts.threads, size, cuts.steps),
            ROWS=cuts.traced_rows,
            STEPS=cuts.steps,
        ),
    }


def _trace_bytes(device: DeviceLimits, cells: int, size: int, steps: int) -> int:
    """Return what values, a decision for each cell and step, and the cell found take."""
    words = -(-cells // int(device.warp)) * (int(device.warp) // 8)
    return cells * size + steps * words + 16
