"""Sweep a range of tasks on one GPU: launches of the kernel until all tasks are used up."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.errors import InputError
from prunus.queens.shape import shape
from prunus.queens.tasks import Tasks

__all__ = ["LARGEST", "GpuSweeper"]

LARGEST = 27
"""A row's word holds the free cells above five bits of shift."""

LAUNCH_SECONDS = 0.06
"""How long a launch may take, so that a stop is heeded soon."""

CHAIN, AHEAD = 16, 0.06
"""Launches that are started at once, and how many seconds they may be expected to take; at most."""

CHUNK_SECONDS = 0.2
"""How long a chunk of tasks should take; a stop loses what was done of one."""

MOST_TASKS = 1 << 21
"""Tasks of a chunk, at most."""

SPEED = 5e11
"""Nodes a second, roughly; only the first chunk depends on it."""

FIRST_ROUNDS = 2048
"""Rounds of the first launches, some 20 ms: whoever stops at a last round waits for all others."""

PATIENCE = 4
"""Rounds that a launch does even if some lanes have nothing to do."""

FIELDS = (
    *("tasks", "groups", "count", "fresh", "table", "weights", "given", "given_groups"),
    *("kept", "kept_groups", "kept_nodes", "totals", "other", "other_groups"),
    *("first", "limit", "patience", "done", "unbroken"),
)
"""The 64-bit words of the kernel's ``Search``; four 32-bit words of control follow."""

LIMIT, DONE, UNBROKEN = (FIELDS.index(name) for name in ("limit", "done", "unbroken"))


class GpuSweeper:
    """Counts on one GPU.

    Parameters
    ----------
    device
        The GPU, a :class:`prunus.cuda.Device`.
    tasks
        The list; from some hundred thousand tasks on the card is full from the start.
    threads
        Lanes of a block; chosen from the card if not given.

    Raises
    ------
    InputError
        If the board is too large.
    DeviceError
        If the card fails or has too little memory.
    """

    def __init__(self, device: Any, tasks: Tasks, threads: int | None = None) -> None:
        if tasks.n > LARGEST:
            raise InputError(
                f"N-Queens on a GPU takes boards up to {LARGEST} × {LARGEST}, got n = {tasks.n}; "
                f"use devices='cpu'"
            )
        self.tasks = tasks
        self.launches = 0
        self._device = device
        limit = 0 if threads else device.shared_limit
        self._shape = form = shape(tasks, limit, threads, warp=device.warp)
        module = device.compile("queens/sweep.cu", form.constants)
        self._kernel, resident = device.prepare(module, "sweep", form.threads, form.shared)
        self._turn, _ = device.prepare(module, "turn", 32, 0)
        self._blocks = max(1, resident) * device.multiprocessors
        self.lanes = self._blocks * form.threads
        self._origin = 5 if form.grouped else 0
        self._rounds = FIRST_ROUNDS
        nodes = 1e8 * 7.0 ** (tasks.n - 16) * {"all": 1, "mirror": 6, "none": 12}[tasks.symmetry]
        self._most = max(1, min(MOST_TASKS, len(tasks)))
        self._chunk = self._at_most(len(tasks) * CHUNK_SECONDS * SPEED / nodes)
        self._allocate()

    def _at_most(self, wanted: float) -> int:
        return int(max(1, min(wanted, self._most)))

    def _allocate(self) -> None:
        device, tasks, lanes = self._device, self.tasks, self.lanes
        nodes = lanes * self._shape.slots
        table = (tasks.masks << np.uint32(self._origin) | tasks.shifts).astype(np.uint32)
        weights = np.stack([tasks.solutions_weight, tasks.nodes_weight], axis=1).astype(np.int64)
        self._arrays = {
            "tasks": device.put(self._packed()),
            "groups": device.put(tasks.group.view(np.uint32)),
            "table": device.put(table.reshape(-1)),
            "weights": device.put(weights.reshape(-1)),
            "kept": device.empty(4 * nodes, np.uint32),
            "kept_groups": device.empty(lanes, np.uint32),
            "kept_nodes": device.empty(lanes, np.uint32),
            "totals": device.empty(2 * lanes // device.warp, np.uint64),
        }
        # Open nodes that are shared out anew, of one launch and of the next.
        self._shared = [
            (device.empty(4 * nodes, np.uint32), device.empty(nodes, np.uint32)) for _ in range(2)
        ]
        self._search = device.empty(len(FIELDS) + 2, np.uint64)

    def _packed(self) -> NDArray[np.uint32]:
        """Return all tasks as the kernel reads them."""
        tasks = self.tasks
        outside = 0xFFFFFFFF ^ (((1 << tasks.n) - 1) << self._origin)
        packed = np.empty((len(tasks), 4), np.uint32)
        for i, part in enumerate((tasks.columns, tasks.left, tasks.right, tasks.free)):
            np.left_shift(part, np.uint32(self._origin), out=packed[:, i])
        packed[:, 0] |= np.uint32(outside)
        return packed.reshape(-1)

    def sweep(
        self, first: int, last: int, stop: NDArray[np.int64], seconds: float = math.inf
    ) -> tuple[int, int, int]:
        """Count the placements below tasks ``first`` to ``last - 1``.

        Parameters
        ----------
        first, last
            The range; ``0 <= first <= last <= len(tasks)``. The more the better: a small range
            leaves most of the card idle.
        stop
            One number; when another thread makes it non-zero, the sweep ends within about 0.1 s.
        seconds
            No chunk of tasks is begun after this time.

        Returns
        -------
        solutions, nodes, next
            As from :func:`prunus.queens.cpu.sweep`, the same numbers.
        """
        solutions = nodes = 0
        begin = now = time.perf_counter()
        while first < last and not stop[0] and now - begin < seconds:
            size = min(self._chunk, last - first)
            totals = self._sweep_chunk(first, first + size, stop)
            if totals is None:
                break
            solutions += totals[0]
            nodes += totals[1]
            first += size
            end = time.perf_counter()
            if size == self._chunk or end - now > CHUNK_SECONDS:
                growth = min(8.0, CHUNK_SECONDS / (end - now))
                self._chunk = self._at_most(size * growth)
            now = end
        return solutions, nodes, first

    def _sweep_chunk(
        self, first: int, last: int, stop: NDArray[np.int64]
    ) -> tuple[int, int] | None:
        """Count some tasks to the end; None if that was stopped."""
        device = self._device
        at = {name: device.address(array) for name, array in self._arrays.items()}
        at["tasks"] += 16 * first
        at["groups"] += 4 * first
        for prefix, (queue, groups) in zip(("given", "other"), self._shared, strict=True):
            at |= {prefix: device.address(queue), f"{prefix}_groups": device.address(groups)}
        at |= {"count": last - first, "fresh": 1, "first": 1, "patience": PATIENCE}
        chain = 1
        words = np.array([at.get(name, 0) for name in FIELDS] + [0, 0], np.uint64)
        while not words[DONE]:
            if stop[0]:
                return None
            words[[LIMIT, UNBROKEN]] = self._rounds, 0
            start = time.perf_counter()
            words = self._launch(words, chain)
            seconds = (time.perf_counter() - start) / chain
            if words[UNBROKEN] == chain:
                self._rounds = max(1, int(self._rounds * min(4.0, LAUNCH_SECONDS / seconds)))
            # One that went on to its last round says nothing about how long the next ones take, nor
            # does a very short one: a stop shall be heeded soon.
            chain = 1 if words[UNBROKEN] else min(2 * chain, CHAIN, max(1, int(AHEAD / seconds)))
        totals = device.read(self._arrays["totals"]).reshape(2, -1).sum(axis=1)
        return int(totals[0]), int(totals[1])

    def _launch(self, words: NDArray[np.uint64], chain: int) -> NDArray[np.uint64]:
        """Run so many launches; return what they leave of the words they were given."""
        device, form = self._device, self._shape
        device.write(self._search, words)
        address = device.address(self._search)
        sweep = self._kernel, self._blocks, form.threads, address, form.shared
        device.launch_in_turn([sweep, (self._turn, 1, 32, address, 0)], chain)
        self.launches += chain
        left: NDArray[np.uint64] = device.read(self._search)
        return left
