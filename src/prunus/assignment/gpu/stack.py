"""Stacks on a GPU: many problems of one size, a block of threads each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.instance.matrix_scan import EXACT
from prunus.assignment.instance.prepared import LIMIT
from prunus.assignment.problem import Assignment
from prunus.assignment.stack import outcome_of, total
from prunus.hardware.cuda.arrays import NAMES
from prunus.hardware.cuda.structs import Field, Structure
from prunus.hardware.device import Device
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome

__all__ = ["STRUCTURES", "DeviceStack", "solve_stacked_on"]

STACK = Structure(
    "Stack",
    Field("values", "const value_t*", "(i, j) of problem b at b * whole + i * down + j * across"),
    Field("whole", "u64"),
    Field("down", "u64"),
    Field("across", "u64"),
    Field("count", "u64", "of problems"),
    Field("rows", "u64"),
    Field("columns", "u64"),
    Field("column", "int*", "of each row of each problem; -2 in all if they cannot all be matched"),
    Field("bound", "price_t*", "of each problem: no assignment costs less"),
    Field("memory", "char*", "for each block, where shared memory is too small"),
    Field("bytes", "u64", "of it, a block"),
    Field("next", "u32*", "the next problem to be taken"),
)

STRUCTURES = (STACK,)

_HEAD = 1024
_COLUMN = 28
_CHUNK = 2**28
"""Entries of a chunk, at most: between chunks the clock is looked at."""

_FORBIDDEN = -2


class DeviceStack:
    """Solves stacks of one shape and type.

    Parameters
    ----------
    device
        The GPU.
    shape
        Agents and jobs.
    kind
        The type of the values.
    price
        float64 or int64, in which no sum is rounded.
    maximise
        The sense.
    """

    def __init__(
        self, device: Device, shape: tuple[int, int], kind: Any, price: Any, maximise: bool
    ) -> None:
        self._device = device
        self._shape = shape
        self._price = np.dtype(price)
        self._sign = -1 if maximise else 1
        columns = max(shape)
        self._threads = device.warp if columns <= 64 else 128 if columns <= 512 else 256
        constants: dict[str, int | str] = {
            "VALUE": NAMES[np.dtype(kind).str[1:]],
            "PRICE": "i64" if self._price == np.int64 else "double",
            "SIGN": -1 if maximise else 1,
            "THREADS": self._threads,
        }
        module = device.compile("assignment/gpu/kernels/stack.cu", constants)
        room = columns * _COLUMN
        inside = _HEAD + room <= device.shared_limit
        self._shared = _HEAD + (room if inside else 0)
        self._kernel, resident = device.prepare(module, "solve_stack", self._threads, self._shared)
        self._blocks = max(1, resident) * device.multiprocessors
        self._room = 0 if inside else (room + 15) // 16 * 16

    def solve(self, values: Any) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """Solve a stack that lies on the device, shape (count, agents, jobs), C-contiguous.

        Returns
        -------
        columns
            Shape (count, smaller side): the place on the other side of each; -2 in all of a problem
            that has no assignment.
        bounds
            Shape (count,): what the prices prove, in values.
        """
        device = self._device
        count, agents, jobs = values.shape
        rows, columns = sorted(self._shape)
        down, across = (jobs, 1) if agents <= jobs else (1, jobs)
        column = device.empty(count * rows, np.int32)
        bound = device.full(count, 0, self._price)
        following = device.full(1, 0, np.uint32)
        blocks = min(count, self._blocks)
        memory = device.empty(max(1, blocks * self._room), np.uint8)
        record = STACK.record(
            values=device.address(values), whole=agents * jobs, down=down,
            across=across, count=count, rows=rows, columns=columns,
            column=device.address(column), bound=device.address(bound),
            memory=device.address(memory) if self._room else 0, bytes=self._room,
            next=device.address(following),
        )  # fmt: skip
        stack = device.put(record)
        device.launch(self._kernel, blocks, self._threads, device.address(stack), self._shared)
        found = device.read(column).reshape(count, rows).astype(np.int64)
        return found, self._sign * device.read(bound)[:count]


def solve_stacked_on(device: Device, problem: Assignment, monitor: Monitor) -> Outcome | None:
    """Solve all problems of a stack, or as many as there is time for; None if it is for the CPU."""
    held: Any = problem.matrix if problem.resident is None else problem.resident
    count, agents, jobs = held.shape
    rows = min(agents, jobs)
    price: Any = np.float64
    if problem.integral:
        low, high = (
            (problem.extremes.low, problem.extremes.high)
            if problem.resident is not None
            else (int(held.min()), int(held.max()))
        )
        largest = max(high, -low) * 2 * (rows + 2)
        if largest >= LIMIT:
            return None
        price = np.float64 if largest < EXACT else np.int64
    solver = DeviceStack(device, (agents, jobs), held.dtype, price, problem.maximise)
    solution = np.full((count, agents), -1, np.int64)
    solution[:, :rows] = np.arange(rows)
    chunk = max(1, _CHUNK // (agents * jobs))
    bounds: list[int | float] = []
    slack = 0.0
    done = 0
    failed = stopped = False
    while done < count and not failed and not stopped:
        end = min(count, done + chunk)
        part = held[done:end]
        values = device.contiguous(part) if problem.resident is not None else device.put(part)
        columns, bound = solver.solve(values)
        failed = bool((columns[:, 0] == _FORBIDDEN).any())
        if agents <= jobs:
            solution[done:end] = columns
        elif not failed:
            jobs_of = np.full((end - done, agents), -1, np.int64)
            np.put_along_axis(jobs_of, columns, np.arange(jobs)[None, :], axis=1)
            solution[done:end] = jobs_of
        if not failed:
            bounds += map(int, bound) if problem.integral else bound.tolist()
        slack += (end - done) * rows * 2.0**-46 * float(np.abs(bound).max(initial=0.0))
        done = end
        stopped = monitor.poll("stack", explored=done / count)
    whole = done == count or not _forbidden(problem)
    return outcome_of(
        problem,
        monitor,
        solution=None if failed or not whole else solution,
        bound=None if failed else total(problem, bounds, done),
        slack=slack,
        done=done,
        failed=failed,
        device=f"cuda:{device.index}",
    )


def _forbidden(problem: Assignment) -> bool:
    if problem.resident is not None:
        return bool(problem.extremes.plus or problem.extremes.minus)
    assert problem.matrix is not None
    return not np.isfinite(problem.matrix).all()
