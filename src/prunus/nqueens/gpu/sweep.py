"""Sweep a range of tasks on one GPU: launches of the kernel until all tasks are used up."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from prunus.errors import InputError
from prunus.hardware.cuda.structs import Field, Structure
from prunus.hardware.device import Device
from prunus.model.arrays import Int64Array, UInt32Array
from prunus.nqueens.gpu.launch import launch_shape
from prunus.nqueens.tasks.task_list import Tasks

LARGEST_N = 27
"""A row's word holds the free cells above five bits of shift."""


@dataclass(frozen=True, slots=True)
class QueensGpuTuning:
    """How the work is cut into launches; measured on an H200 by ``benchmarks.queens``."""

    launch_s: float = 0.3
    """Seconds that a launch takes at most, so that a stop is obeyed soon."""
    chunk_s: float = 0.2
    """Seconds that a chunk of tasks should take, half as long again at most; a stop loses what was
    done of one."""
    max_chunk_tasks: int = 1 << 21
    """Tasks of a chunk."""
    nodes_per_s: float = 9e11
    """The speed of a card, roughly; only the first chunk depends on it."""
    steps: int = 96
    """Of a round, after which idle lanes take their next tasks."""


SEARCH = Structure(
    "Search",
    Field("tasks", "const uint4*", "columns, left, right, free"),
    Field("groups", "const u32*", "of the tasks"),
    Field("count", "u64", "of the tasks"),
    Field("fresh", "u64", "1 if the candidates of the tasks are still to be counted as nodes"),
    # A group's rows by columns in use, from DEPTH + 1.
    Field("table", "const uint4*", "free cells and shift"),
    Field("weights", "const i64*", "a group's two: of a solution, of a node"),
    Field("donated", "uint4*", "new tasks"),
    Field("donated_groups", "u32*"),
    Field("kept", "uint4*", "a lane's node, then its stack from the bottom; interleaved by lane"),
    Field("kept_groups", "u32*"),
    Field("kept_nodes", "u32*", "how many"),
    Field("spare", "uint4*", "where the new tasks of the next generation go"),
    Field("spare_groups", "u32*"),
    Field("first", "u64", "1 if lanes keep nothing from an earlier launch"),
    Field("budget", "u64", "nanoseconds of a launch"),
    Field("solutions", "u64", "found so far"),
    Field("nodes", "u64", "visited so far"),
    Field("done", "u64", "1 if nothing is left"),
    Field("control", "u32", "see the enumeration in sweep.cu", 8),
)

STRUCTURES = (SEARCH,)


class GpuSweeper:
    """Counts on one GPU.

    Raises ``InputError`` if the board is too large; ``DeviceError`` if the card fails or has too
    little memory.

    From some hundred thousand tasks on the card is full from the start. The ``threads``, lanes of a
    block, are chosen from the card if not given.
    """

    def __init__(
        self,
        device: Device,
        tasks: Tasks,
        threads: int | None = None,
        tuning: QueensGpuTuning = QueensGpuTuning(),
    ) -> None:
        if tasks.n > LARGEST_N:
            raise InputError(
                f"N-Queens on a GPU takes boards up to {LARGEST_N} × {LARGEST_N}, "
                f"got n = {tasks.n}; search on the CPU"
            )
        self.tasks = tasks
        self.launches = 0
        self._tuning = tuning
        self._device = device
        limit = 0 if threads else device.shared_limit
        self._shape = form = launch_shape(
            tasks, limit, threads, warp=device.warp, steps=tuning.steps
        )
        module = device.compile("nqueens/gpu/sweep.cu", form.constants)
        self._kernel, resident = device.prepare(module, "sweep", form.threads, form.shared)
        self._blocks = max(1, resident) * device.multiprocessors
        self.lanes = self._blocks * form.threads
        self._origin = 5 if form.grouped else 0
        nodes = 1.2e8 * 7.7 ** (tasks.n - 16) * {"all": 1, "mirror": 5, "none": 10}[tasks.symmetry]
        self._most = max(1, min(tuning.max_chunk_tasks, len(tasks)))
        self._chunk = self._at_most(len(tasks) * tuning.chunk_s * tuning.nodes_per_s / nodes)
        self._allocate()

    def _at_most(self, wanted: float) -> int:
        return int(max(1, min(wanted, self._most)))

    def _allocate(self) -> None:
        device, tasks, lanes = self._device, self.tasks, self.lanes
        nodes = lanes * self._shape.slots
        rows = slice(self._shape.depth + 1, tasks.n + 2)
        table = tasks.masks[:, rows] << np.uint32(self._origin) | tasks.shifts[:, rows]
        table = np.pad(table.astype(np.uint32), ((0, 0), (0, -table.shape[1] % 4)))
        weights = np.stack([tasks.solutions_weight, tasks.nodes_weight], axis=1).astype(np.int64)
        self._arrays = {
            "tasks": device.put(self._packed()),
            "groups": device.put(tasks.group.view(np.uint32)),
            "table": device.put(table.reshape(-1)),
            "weights": device.put(weights.reshape(-1)),
            "kept": device.empty(4 * nodes, np.uint32),
            "kept_groups": device.empty(lanes, np.uint32),
            "kept_nodes": device.empty(lanes, np.uint32),
        }
        # Open nodes that are shared out anew, of one generation and of the next.
        self._shared = [
            (device.empty(4 * nodes, np.uint32), device.empty(nodes, np.uint32)) for _ in range(2)
        ]
        self._search = device.empty(SEARCH.words, np.uint64)

    def _packed(self) -> UInt32Array:
        """Return all tasks as the kernel reads them."""
        tasks = self.tasks
        outside = 0xFFFFFFFF ^ (((1 << tasks.n) - 1) << self._origin)
        packed = np.empty((len(tasks), 4), np.uint32)
        for i, part in enumerate((tasks.columns, tasks.left, tasks.right, tasks.free)):
            np.left_shift(part, np.uint32(self._origin), out=packed[:, i])
        packed[:, 0] |= np.uint32(outside)
        return packed.reshape(-1)

    def sweep(
        self, first: int, last: int, stop: Int64Array, seconds: float = math.inf
    ) -> tuple[int, int, int]:
        """Count the placements below tasks ``first`` to ``last - 1``.

        Returns the same numbers as :func:`prunus.nqueens.cpu.sweep.sweep`. The larger the range the
        better: a small one leaves most of the card idle. When another thread makes the one number
        in ``stop`` non-zero, the sweep ends within about 0.3 s; after some ``seconds`` no chunk of
        tasks is begun.
        """
        solutions = nodes = 0
        begin = now = time.perf_counter()
        while first < last and not stop[0] and now - begin < seconds:
            # Equal chunks: a small one behind the others would leave most of the card idle.
            size = math.ceil((last - first) / max(1, round((last - first) / self._chunk)))
            totals = self._sweep_chunk(first, first + size, stop)
            if totals is None:
                break
            solutions += totals[0]
            nodes += totals[1]
            first += size
            end = time.perf_counter()
            if 2 * size >= self._chunk:
                growth = min(8.0, self._tuning.chunk_s / (end - now))
                self._chunk = self._at_most(size * growth)
            now = end
        return solutions, nodes, first

    def _sweep_chunk(self, first: int, last: int, stop: Int64Array) -> tuple[int, int] | None:
        """Count some tasks to the end; None if that was stopped."""
        device = self._device
        at = {name: device.address(array) for name, array in self._arrays.items()}
        at["tasks"] += 16 * first
        at["groups"] += 4 * first
        for prefix, (queue, groups) in zip(("donated", "spare"), self._shared, strict=True):
            at |= {prefix: device.address(queue), f"{prefix}_groups": device.address(groups)}
        at |= {"count": last - first, "fresh": 1, "first": 1}
        at["budget"] = int(self._tuning.launch_s * 1e9)
        device.write(self._search, SEARCH.record(**at).view(np.uint64))
        address = device.address(self._search)
        while True:
            device.launch_together(
                self._kernel, self._blocks, self._shape.threads, address, self._shape.shared
            )
            self.launches += 1
            left = device.read(self._search).view(SEARCH.dtype)[0]
            if left["done"]:
                return int(left["solutions"]), int(left["nodes"])
            if stop[0]:
                return None
