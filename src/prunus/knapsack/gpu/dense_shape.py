"""How the kernels of the dense recursion are cut to a device: threads, registers, shared memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from prunus.knapsack.gpu.dense_passes import CHAIN, LONG, MANY, TIED, TILE, Limits

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
        By kind; by kind and 2 if a launch has two jobs.
    limits
        What a pass may hold.
    """

    bytes: int
    forms: Mapping[Any, Form] = field(default_factory=dict)
    limits: Limits = field(default_factory=lambda: Limits(32, 64, _UNITS, 0, 0, 0, 0))

    @property
    def chain(self) -> int:
        """Return the places of a chain that a thread holds, at most."""
        chains = (self.forms[kind].constants for kind in (CHAIN, MANY, TIED, LONG))
        return max(form["PLACES"] + form["HALO"] for form in chains)


def shape(
    device: Any,
    value_bits: int,
    work_bits: int,
    *,
    tie: bool = True,
    chain: tuple[int, int, int, int] | None = None,
    many: tuple[int, int, int, int] | None = None,
    long: tuple[int, int, int, int] | None = None,
    tile: tuple[int, int, int] | None = None,
    steps: int = 32,
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
    chain, many, long
        Places, halo, threads of a block and blocks of a multiprocessor.
    tile
        Cells a thread, threads of a block and blocks of a multiprocessor.
    steps
        Items in a pass of tiles, at most.
    """
    wide = work_bits == 64
    chain = chain or ((32, 32, 128, 3) if wide else (64, 32, 128, 4))
    many = many or ((32, 32, 128, 3) if wide else (64, 64, 128, 3))
    long = long or ((32, _UNITS, 64, 2) if wide else (64, _UNITS, 128, 2))
    if tile is None:
        room = (device.shared_limit - 1024) // (work_bits // 8)
        tile = (min((room // 1024 - 1) // 4 * 4, 20 if wide else 40), 1024, 1)
    rows, threads, resident = tile
    cells = rows * threads
    common = {"VALUE_BITS": value_bits, "WORK_BITS": work_bits}
    exact = {"VALUE_BITS": value_bits, "WORK_BITS": value_bits}
    kinds = ((CHAIN, chain), (MANY, many), (TIED, chain), (LONG, long))
    forms: dict[Any, Form] = {
        kind: Form(
            "dense_chain",
            {**common, "PLACES": places, "HALO": halo, "THREADS": size, "RESIDENT": blocks,
             "TIED": int(kind in (TIED, LONG))}, size,
        )
        for kind, (places, halo, size, blocks) in kinds
    }  # fmt: skip
    forms[TILE] = Form(
        "dense_tile",
        {**common, "ROWS": rows, "THREADS": threads, "RESIDENT": resident},
        threads,
        (cells + threads) * work_bits // 8,
    )
    size = value_bits // 8
    places = -(-(long[1] + 1) // device.warp) * device.warp
    marks = places // device.warp
    forms["trace chain"] = Form(
        "dense_trace_chain",
        {**exact, "THREADS": places, "STEPS": _UNITS},
        places,
        4 * places * size + (device.warp // 8) * _UNITS * marks + 16,
    )
    traced = 16
    while _trace_bytes(device, traced * threads, size, steps) > device.shared_limit:
        traced //= 2
    forms["trace tile"] = Form(
        "dense_trace_tile",
        {**exact, "ROWS": traced, "THREADS": threads, "STEPS": steps},
        threads,
        _trace_bytes(device, traced * threads, size, steps),
    )
    for kind in (CHAIN, MANY, TIED, LONG, TILE):  # two jobs in a launch
        alone = forms[kind]
        forms[kind, 2] = replace(alone, constants={**alone.constants, "STREAMS": 2})
    forms["join"] = Form("dense_join", {**exact, "THREADS": 256, "RESIDENT": 4}, 256)
    limits = Limits(chain[1], many[1], _UNITS, threads, rows, traced * threads, steps, tie)
    return Shape(size, forms, limits)


def _trace_bytes(device: Any, cells: int, size: int, steps: int) -> int:
    """Return what values, a decision for each cell and step, and the cell found take."""
    words = -(-cells // int(device.warp)) * (int(device.warp) // 8)
    return cells * size + steps * words + 16
