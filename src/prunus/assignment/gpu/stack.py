"""Stacks on a GPU: many problems of one size, solved in one launch."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.assignment.gpu.stack_kernel import Status, price_type, stack_kernel
from prunus.assignment.problem import Assignment
from prunus.assignment.stack import outcome_of, total
from prunus.hardware.cuda.arrays import NAMES
from prunus.hardware.device import Device
from prunus.model.arrays import AnyArray, Int64Array
from prunus.runtime.duals import Duals
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome

_CHUNK = 2**28
"""Entries of a chunk, at most: between chunks the clock is looked at."""

Prices = tuple[AnyArray, AnyArray]


class DeviceStack:
    """Solves stacks of one shape and type, and reads what was found.

    The shape is that of one problem: agents and jobs.
    """

    def __init__(self, device: Device, shape: tuple[int, int], kind: Any, maximise: bool) -> None:
        self._device = device
        self._shape = shape
        value = NAMES[np.dtype(kind).str[1:]]
        self._price = np.int64 if price_type(value) == "i64" else np.float64
        self._kinds = value, "i64"
        self._maximise = maximise

    def solve(self, values: Any) -> tuple[Int64Array, AnyArray, AnyArray, Prices]:
        """Solve a stack that lies on the device, shape (count, agents, jobs), C-contiguous.

        Returns the `Status` of each problem; jobs of shape (count, agents), -1 for none; bounds of
        shape (count,), which the prices prove, in values; and the prices of the agents and jobs.
        """
        device = self._device
        agents, jobs = self._shape
        count = len(values)
        partner = device.empty(count * agents, np.int64)
        bound, *prices = (device.empty(count * k, self._price) for k in (1, agents, jobs))
        status = device.empty(count, np.int32)
        kernel = stack_kernel(
            device, count, self._shape, self._kinds, maximise=self._maximise, limited=False
        )
        kernel.launch(
            device, count, values=device.address(values), agents=agents, jobs=jobs,
            whole=agents * jobs, down=jobs, across=1, partner=device.address(partner),
            agent_price=device.address(prices[0]), job_price=device.address(prices[1]),
            bound=device.address(bound), status=device.address(status),
        )  # fmt: skip
        read = device.read
        return (
            read(status)[:count],
            read(partner).reshape(count, agents),
            read(bound)[:count],
            (read(prices[0]).reshape(count, agents), read(prices[1]).reshape(count, jobs)),
        )


def solve_stacked_on(device: Device, problem: Assignment, monitor: Monitor) -> Outcome | None:
    """Solve all problems of a stack, or as many as there is time for; None if it is for the CPU."""
    held: Any = problem.matrix if problem.resident is None else problem.resident
    count, agents, jobs = held.shape
    rows = min(agents, jobs)
    solver = DeviceStack(device, (agents, jobs), held.dtype, problem.maximise)
    solution = np.full((count, agents), -1, np.int64)
    solution[:, :rows] = np.arange(rows)
    chunk = max(1, _CHUNK // (agents * jobs))
    bounds: list[int | float] = []
    duals: list[Prices] = []
    slack = 0.0
    done = 0
    failed = stopped = False
    while done < count and not failed and not stopped:
        end = min(count, done + chunk)
        part = held[done:end]
        values = device.contiguous(part) if problem.resident is not None else device.put(part)
        status, partner, bound, prices = solver.solve(values)
        if (status == Status.TOO_LARGE).any():
            return None
        failed = bool(status.any())
        solution[done:end] = partner
        if not failed:
            bounds += map(int, bound) if problem.integral else bound.tolist()
            duals.append(prices)
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
        duals=_joined(problem, duals) if done == count and not failed else None,
    )


def _joined(problem: Assignment, parts: list[Prices]) -> Duals:
    sides = (np.concatenate(side) for side in zip(*parts, strict=True))
    # Whole numbers are exact in floats as well.
    return Duals(*(side.astype(np.int64) if problem.integral else side for side in sides))


def _forbidden(problem: Assignment) -> bool:
    if problem.resident is not None:
        return bool(problem.extremes.plus or problem.extremes.minus)
    assert problem.matrix is not None
    return not np.isfinite(problem.matrix).all()
