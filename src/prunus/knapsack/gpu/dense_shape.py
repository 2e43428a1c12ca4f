"""How the kernels of the dense recursion are cut to a device: threads, registers, shared memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from prunus.knapsack.gpu.dense_plan import CHAIN, TIED, TILE, Limits

__all__ = ["Form", "Shape", "shape"]

_UNITS = 128
"""Units that a pass of tied items may reach; the tying relies on 127."""


@dataclass(frozen=True, slots=True)
class Form:
    """A kernel, its constants, the threads of a block, and its bytes of shared memory."""

    kernel: str
    constants: Mapping[str, int]
    threads: int
    shared: int = 0

    @property
    def file(self) -> str:
        """Return the kernel's file."""
        return f"knapsack/gpu/{self.kernel}.cu"


@dataclass(frozen=True, slots=True)
class Shape:
    """All kernels for one type of values.

    Attributes
    ----------
    bytes
        Of a value.
    forms
        By kind.
    limits
        What a pass may hold.
    """

    bytes: int
    forms: Mapping[Any, Form] = field(default_factory=dict)
    limits: Limits = field(default_factory=lambda: Limits(32, _UNITS, 0, 0, 0))


def shape(
    device: Any,
    value_bits: int,
    work_bits: int,
    *,
    tie: bool = True,
    chain: tuple[int, int, int, int] | None = None,
    tied: tuple[int, int, int, int] | None = None,
    tile: tuple[int, int, int] | None = None,
    reach: int | None = None,
    steps: int = 32,
    pairs: bool = True,
) -> Shape:
    """Choose for a device.

    Parameters
    ----------
    device
        A :class:`prunus.cuda.Device`.
    value_bits, work_bits
        Of a value in memory, and of what registers hold: 32 or 64.
    tie
        Whether identical items are tied.
    chain, tied
        Places, halo, threads of a block and blocks of a multiprocessor.
    tile
        Cells a thread, threads of a block and blocks of a multiprocessor.
    reach, steps
        Cells that a pass of tiles may reach, and its items, at most.
    pairs
        Whether two tiles share words of shared memory where their values allow it.
    """
    wide = work_bits == 64
    chain = chain or ((32, 32, 128, 3) if wide else (64, 32, 128, 4))
    tied = tied or ((32, _UNITS, 64, 2) if wide else (64, _UNITS, 128, 2))
    if tile is None:
        room = (device.shared_limit - 1024) // (work_bits // 8)
        threads = 1024
        tile = (min((room // threads - 1) // 4 * 4, 24 if wide else 44), threads, 1)
    rows, threads, resident = tile
    cells = rows * threads
    common = {"VALUE_BITS": value_bits, "WORK_BITS": work_bits}
    exact = {"VALUE_BITS": value_bits, "WORK_BITS": value_bits}
    forms: dict[Any, Form] = {
        kind: Form(
            "dense_chain",
            {**common, "PLACES": places, "HALO": halo, "THREADS": size, "RESIDENT": blocks,
             "TIED": int(kind == TIED)}, size,
        )
        for kind, (places, halo, size, blocks) in ((CHAIN, chain), (TIED, tied))
    }  # fmt: skip
    forms[TILE] = Form(
        "dense_pairs" if pairs and not wide else "dense_tile",
        {**common, "ROWS": rows, "THREADS": threads, "RESIDENT": resident},
        threads,
        (cells + threads) * work_bits // 8,
    )
    reach = min(reach or cells // 4, 16 * threads - 1, cells // 2)
    size, words = value_bits // 8, -(-16 * threads // device.warp)
    places = -(-(max(chain[1], tied[1]) + 1) // device.warp) * device.warp
    marks = places // device.warp
    forms["trace chain"] = Form(
        "dense_trace_chain",
        {**exact, "THREADS": places, "STEPS": _UNITS},
        places,
        4 * places * size + (device.warp // 8) * _UNITS * marks + 16,
    )
    forms["trace tile"] = Form(
        "dense_trace_tile",
        {**exact, "ROWS": 16, "THREADS": threads, "STEPS": steps},
        threads,
        16 * threads * size + (device.warp // 8) * steps * words + 16,
    )
    limits = Limits(chain[1], _UNITS, cells, reach, steps, tie)
    return Shape(size, forms, limits)
