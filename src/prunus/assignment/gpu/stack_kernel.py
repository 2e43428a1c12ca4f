"""The kernels that solve many problems of one size in one launch, a lane or more of them each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from prunus.hardware.cuda.structs import Field, Structure
from prunus.hardware.device import Device

STACK = Structure(
    "Stack",
    Field("values", "const value_t*", "(i, j) of problem b at b * whole + i * down + j * across"),
    Field("whole", "i64"),
    Field("down", "i64"),
    Field("across", "i64"),
    Field("count", "u64", "of problems"),
    Field("agents", "i64"),
    Field("jobs", "i64"),
    Field("sizes", "const i64*", "how many of them count in each problem, or null for all"),
    Field("parts", "i64", "1: sizes are of jobs; 2: of agents and jobs"),
    Field("limit", "price_t", "with LIMITED: no cost is above it"),
    Field("far", "u64", "whether a nearer limit takes its place, as sums with it lose digits"),
    Field("row", "index_t*", "pairs by agent, and -1 for those that are missing; or null"),
    Field("column", "index_t*"),
    Field("partner", "index_t*", "of each agent, or -1; or null"),
    Field("agent_price", "price_t*", "dual prices of agents and jobs, or null"),
    Field("job_price", "price_t*"),
    Field("bound", "price_t*", "of each problem: no assignment costs less; or null"),
    Field("status", "int*", "of each problem, or null"),
    Field("flag", "i64*", "8 * problem + status of one that has no solution, or null"),
    Field("memory", "char*", "for each problem that is being solved, or null: in shared memory"),
    Field("outside", "u64", "bytes of it, a problem"),
    Field("inside", "u64", "bytes of shared memory for a problem's arrays"),
    Field("turned", "char*", "for each problem that is being solved, or null: its values by rows"),
    Field("area", "u64", "bytes of it, a problem"),
)

STRUCTURES = (STACK,)

_NAMES = tuple(field.name for field in STACK.fields)

_SIZES = {
    "signed char": 1, "u8": 1, "half_t": 2, "bfloat_t": 2, "short": 2, "u16": 2, "int": 4, "u32": 4,
    "float": 4, "i64": 8, "u64": 8, "double": 8,
}  # fmt: skip
"""Bytes of what kernels call the types of values."""

_WARPS = 4
"""Problems of a block where each has a warp."""
_THREADS = {128: 8, 320: 2, 512: 1, 1024: 1}
"""Of a problem, at most, and how many blocks of so many a multiprocessor shall hold: that leaves
each thread registers in which to keep what it has read."""
_GROUPS = 32
"""Of lanes that propose a column in a round of the search, at most."""
_WIDE = 2048
"""More columns are worth the most threads."""
_HEAD, _ENTRIES = 32, 96
"""Bytes of shared memory beside a problem's arrays, and more for each group; see ``stack.cu``."""
_ROW, _COLUMN = 28, 20
"""Bytes of working memory for each row and column."""
_LANE_COLUMNS, _LANE_PROBLEMS = 12, 64
"""Up to so many columns a lane has a problem, if there are so many for each multiprocessor."""
_TURNS = 8
"""Blocks for each that runs at a time: who is done early takes another."""
_PACK = 16
"""Bytes that a thread stores at once."""
_TURNED, _MOST_TURNED = 2**18, 2**31
"""Bytes of a problem's values from which on it is worth laying them by rows, a cache holds fewer;
and bytes for those of all problems, at most."""


class Status:
    """What a problem comes to."""

    SOLVED, INFEASIBLE, INVALID, TOO_LARGE, WRONG_SIZES = range(5)


def price_type(value: str) -> str:
    """Return in what prices and sums of a type of values are: none is rounded, or hardly."""
    return "i64" if value in ("i64", "u64") else "double"


@dataclass(frozen=True, slots=True)
class StackKernel:
    """A kernel that is ready for stacks of one shape and type."""

    kernel: Any
    threads: int
    each: int
    shared: int
    """What is launched: threads of a problem, problems of a block, bytes of shared memory."""
    blocks: int
    """That are worth launching."""
    inside: int
    outside: int
    """Bytes for the arrays of each problem that is being solved: one is 0."""
    area: int = 0
    """Bytes for the values of a problem by rows, if these may not lie side by side; or 0."""

    def launch(self, device: Device, count: int, **fields: int) -> None:
        """Solve a stack; ``fields`` are those of ``STACK`` but for the memory.

        Nothing is waited for.
        """
        blocks = min(-(-count // self.each), self.blocks)
        memory = device.empty(blocks * self.each * self.outside, np.uint8) if self.outside else None
        turned = self._turned(device, blocks * self.each, fields)
        fields["turned"] = 0 if turned is None else device.address(turned)
        fields["area"] = self.area
        fields["count"] = count
        fields["memory"] = 0 if memory is None else device.address(memory)
        fields["inside"], fields["outside"] = self.inside, self.outside
        # All fields have 64 bits; one by one they would take as long as the launch.
        words = np.array([fields.get(name, 0) for name in _NAMES], np.int64)
        device.launch_with(self.kernel, blocks, self.threads * self.each, words, self.shared)

    def _turned(self, device: Device, problems: int, fields: Mapping[str, int]) -> Any:
        """Return memory for values by rows; None if these lie side by side or there is too much.

        A graph has none, as others use the memory when it runs.
        """
        tall = fields["agents"] > fields["jobs"]
        together = fields["down" if tall else "across"] == 1 and not fields.get("sizes")
        if together or not 0 < problems * self.area <= _MOST_TURNED or device.is_recorded():
            return None
        return device.empty(problems * self.area, np.uint8)


def stack_kernel(
    device: Device,
    count: int,
    shape: tuple[int, int],
    kinds: tuple[str, str],
    *,
    maximise: bool,
    limited: bool,
) -> StackKernel:
    """Compile and prepare the kernel for so many problems of a shape, or find it.

    ``kinds`` is what the kernel calls the types of values and of indices; ``limited`` says whether
    there is a limit of costs.
    """
    known = _kernels.setdefault(device, {})
    lanes = max(shape) <= _LANE_COLUMNS and count >= _LANE_PROBLEMS * device.multiprocessors
    key = *shape, *kinds, maximise, limited, lanes
    if key not in known:
        value, index = kinds
        constants: dict[str, int | str] = {
            "VALUE": value, "PRICE": price_type(value), "INDEX": index,
            "SIGN": -1 if maximise else 1, "LIMITED": int(limited),
        }  # fmt: skip
        prepared = _lane_each(device, shape, constants) if lanes else None
        known[key] = prepared or _warps_each(device, shape, constants)
    return known[key]


_kernels: WeakKeyDictionary[Device, dict[tuple[object, ...], StackKernel]] = WeakKeyDictionary()


def _lane_each(
    device: Device, shape: tuple[int, int], constants: Mapping[str, int | str]
) -> StackKernel | None:
    """Return the kernel in which each lane has a problem; None if a warp's are too large."""
    warp = device.warp
    rows, columns = sorted(shape)
    entry = _SIZES[str(constants["VALUE"])]
    room = columns * warp * 16 + rows * columns * (warp + 1) * entry
    room = (room + (2 * columns + rows) * warp + 15) // 16 * 16
    if room > device.shared_limit:
        return None
    module = device.compile("assignment/gpu/kernels/stack_lanes.cu", constants)
    kernel, resident = device.prepare(module, "solve_small_stack", warp, room)
    blocks = max(1, resident) * device.multiprocessors * _TURNS
    return StackKernel(kernel, 1, warp, room, blocks, room, 0)


def _warps_each(
    device: Device, shape: tuple[int, int], constants: Mapping[str, int | str]
) -> StackKernel:
    """Return the kernel in which each problem has a warp or a block."""
    rows, columns = sorted(shape)
    warp = device.warp
    limit = 1024 if columns > _WIDE else 512 if columns > 2 * warp else warp
    slots = 1
    while columns > slots * limit:
        slots *= 2
    threads = max(warp, -(-columns // (slots * warp)) * warp)
    each = _WARPS if threads == warp else 1
    most = next(most for most in _THREADS if most >= threads * each)
    group = min(warp, max(8, 1 << (most // _GROUPS - 1).bit_length()))
    head = _HEAD + _ENTRIES * (threads // group)
    arrays = (rows * _ROW + columns * _COLUMN + 15) // 16 * 16
    inside = each * (head + arrays) <= device.shared_limit
    more = {
        "MOST": most, "BLOCKS": _THREADS[most], "EACH": each, "SLOTS": slots, "GROUP": group,
    }  # fmt: skip
    module = device.compile("assignment/gpu/kernels/stack.cu", {**constants, **more})
    shared = each * (head + (arrays if inside else 0))
    kernel, resident = device.prepare(module, "solve_stack", threads * each, shared)
    blocks = max(1, resident) * device.multiprocessors * (_TURNS if inside else 1)
    room = (arrays, 0) if inside else (0, arrays)
    area = 0
    if each == 1:
        entry = _SIZES[str(constants["VALUE"])]
        pack = _PACK // entry
        area = entry * max(k * -(-n // pack) * pack for n, k in (shape, shape[::-1]))
        area = area if area >= _TURNED else 0
    return StackKernel(kernel, threads, each, shared, blocks, *room, area)
