"""Stacks on a GPU: many problems of one size, solved in one launch."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from prunus.assignment.gpu.portfolio import DevicePortfolio, Verdict
from prunus.assignment.gpu.stack_kernel import Status, price_type, stack_kernel
from prunus.assignment.problem import Assignment
from prunus.assignment.stack import INFEASIBLE, SolvedPart, by_itself, exactly, solve_in_chunks
from prunus.hardware.cuda.conversion import NAMES
from prunus.hardware.cuda.upload import upload
from prunus.hardware.device import Device
from prunus.hardware.threads import Threads
from prunus.model.arrays import Number
from prunus.runtime.duals import Duals
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome

_CHUNK, _LIMITED_CHUNK = 2**28, 2**24
"""Entries of a chunk, at most, without a time limit and with one: between chunks the clock is
looked at."""

_FEW_BYTES = 2**22
"""So much is copied by one thread."""


_ALONE, _EACH = 2**21, 2**19
"""Entries from which on a matrix alone is solved sooner by the whole card than by one block of
threads, and so many times the matrices of a stack, as blocks solve some at the same time."""


TOO_LARGE = "sums of its values are too large for the arithmetic of a GPU"
"""Why some stacks are left to cores."""


def sooner_alone(entries: int, count: int) -> bool:
    """Whether so many matrices are solved sooner one after the other, each by the whole card."""
    return entries > max(_ALONE, count * _EACH)


class _TooLargeError(Exception):
    """Sums of a problem leave the numbers of the kernel."""


def solve_stacked_on(
    device: Device, problem: Assignment, monitor: Monitor, threads: Threads
) -> Outcome | None:
    """Solve all problems of a stack, or as many as there is time for; None if it is for the CPU."""
    held: Any = problem.matrix if problem.resident is None else problem.resident
    assert problem.batch is not None
    name = f"cuda:{device.index}"
    if sooner_alone(problem.agents * problem.jobs, problem.batch):

        def solve_one(alone: Assignment, watch: Monitor) -> Outcome:
            portfolio = DevicePortfolio(alone, "exact", watch, (device,), threads, 0)
            if portfolio.run("greedy", "sequential") is Verdict.FINISHED:
                return portfolio.outcome()
            return exactly(alone.on_host(), watch, threads)

        def one(begin: int, end: int) -> SolvedPart | None:
            return by_itself(problem, begin, monitor, solve_one)

        return solve_in_chunks(problem, monitor, one, (1, 1), name)

    def solve(begin: int, end: int) -> SolvedPart:
        part = held[begin:end]
        if problem.resident is not None:
            values = device.contiguous(part)
        elif part.nbytes < _FEW_BYTES:
            values = device.put(part)
        else:
            values = upload(device, part.reshape(-1, problem.jobs), threads).reshape(*part.shape)
        return _solve(device, problem, values)

    most = _LIMITED_CHUNK if monitor.limited else _CHUNK
    chunk = max(1, most // (problem.agents * problem.jobs))
    try:
        return solve_in_chunks(problem, monitor, solve, (chunk, chunk), name)
    except _TooLargeError:
        return None


def _solve(device: Device, problem: Assignment, values: Any) -> SolvedPart:
    """Solve some problems that lie on the device, shape (count, agents, jobs), C-contiguous."""
    count, agents, jobs = values.shape
    kind = NAMES[np.dtype(values.dtype).str[1:]]
    price = np.int64 if price_type(kind) == "i64" else np.float64
    partner = device.empty(count * agents, np.int64)
    bound, *prices = (device.empty(count * k, price) for k in (1, agents, jobs))
    status = device.empty(count, np.int32)
    kernel = stack_kernel(
        device, count, (agents, jobs), (kind, "i64"), maximise=problem.maximise, limited=False
    )
    kernel.launch(
        device, count, values=device.address(values), agents=agents, jobs=jobs,
        whole=agents * jobs, down=jobs, across=1, partner=device.address(partner),
        agent_price=device.address(prices[0]), job_price=device.address(prices[1]),
        bound=device.address(bound), status=device.address(status),
    )  # fmt: skip
    found = device.read(status)[:count]
    if (found == Status.TOO_LARGE).any():
        raise _TooLargeError
    if found.any():
        return SolvedPart(np.full((count, 1), INFEASIBLE), 0)
    bounds = device.read(bound)[:count]
    slack = count * min(agents, jobs) * 2.0**-46 * float(np.abs(bounds).max(initial=0.0))
    sides = (device.read(side).reshape(count, -1) for side in prices)
    # Whole numbers are exact in floats as well.
    duals = Duals(*(side.astype(np.int64) if problem.integral else side for side in sides))
    total: Number = sum(map(int, bounds)) if problem.integral else math.fsum(bounds)
    return SolvedPart(device.read(partner).reshape(count, agents), total, slack, duals)
