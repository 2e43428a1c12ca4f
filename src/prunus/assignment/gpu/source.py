"""From a problem to values on a GPU: rows at most columns, and numbers that are exact.

Prices are float64 as long as no sum can leave the whole numbers that these hold, else int64. A
matrix that is on the device is read where it lies, whatever of the four types it has.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.gpu.market import Source
from prunus.assignment.prepare import LIMIT, prepare
from prunus.assignment.survey import EXACT
from prunus.assignment.threads import Threads
from prunus.errors import DeviceError
from prunus.problems.assignment import Assignment

__all__ = ["Facts", "needed", "place"]


class Facts(NamedTuple):
    """What the host knows of an instance on a device.

    Attributes
    ----------
    rows, columns
        The smaller side, and the larger.
    turned
        Rows are the jobs, columns the agents.
    sign, shift
        A pair's value is ``sign * benefit + shift``.
    high
        No benefit is larger.
    spread
        The largest less the smallest benefit.
    integral
        All values are whole numbers.
    forbidden
        Not all pairs are allowed.
    huge
        Sums may leave int64.
    """

    rows: int
    columns: int
    turned: bool
    sign: int
    shift: int
    high: float
    spread: float
    integral: bool
    forbidden: bool
    huge: bool

    @property
    def largest(self) -> float:
        """No benefit is larger in size."""
        return max(abs(self.high), abs(self.high - self.spread))

    def solution(self, column: NDArray[Any]) -> NDArray[np.int64]:
        """Turn the column of each row into the job of each agent."""
        if not self.turned:
            return column.astype(np.int64)
        jobs = np.full(self.columns, -1, np.int64)
        jobs[column] = np.arange(self.rows)
        return jobs

    def column(self, solution: NDArray[np.int64]) -> NDArray[np.int32]:
        """Turn the job of each agent into the column of each row."""
        if not self.turned:
            return solution.astype(np.int32)
        column = np.full(self.rows, -1, np.int32)
        at = np.flatnonzero(solution >= 0)
        column[solution[at]] = at
        return column

    def objective(self, benefit: int | float) -> int | float:
        """Turn a sum of benefits into a sum of values."""
        value = self.sign * benefit
        if self.integral and float(benefit).is_integer():
            value = int(value)
        return value + self.shift * self.rows


def needed(problem: Assignment) -> int:
    """Return about how many bytes of a GPU's memory a problem takes."""
    rows, columns = sorted((problem.agents, problem.jobs))
    values = 0
    if problem.matrix is not None:
        values = problem.matrix.size * problem.matrix.dtype.itemsize
    elif problem.resident is not None and problem.agents > problem.jobs:
        values = problem.resident.nbytes
    return values + rows * (64 * 12 + 64) + columns * 40


def place(problem: Assignment, device: Any, threads: Threads) -> tuple[Source, Facts]:
    """Put a problem that is neither sparse nor a stack onto a device.

    Raises
    ------
    DeviceError
        If there is too little memory, or the matrix lies on another device.
    """
    wanted, free = needed(problem), device.free_memory()
    if wanted > free:
        raise DeviceError(
            f"cuda:{device.index} ({device.model}) has {free / 2**30:.1f} GiB free and this "
            f"problem takes {wanted / 2**30:.1f}; give points instead of a matrix, float32 instead "
            "of float64, or devices='cpu'"
        )
    if problem.resident is not None:
        return _resident(problem, device)
    prepared = prepare(problem, threads)
    values = prepared.values
    rows, columns = values.shape
    left = right = matrix = None
    if problem.points is not None:
        left = device.put(np.ascontiguousarray(values.left))
        right = device.put(np.ascontiguousarray(values.right.T))
    else:
        matrix = device.put(values.matrix)
    kind = np.dtype(values.matrix.dtype)
    source = Source(
        rows, columns, matrix, columns, left, right, values.metric, kind, values.price,
        prepared.sign,
    )  # fmt: skip
    facts = Facts(
        rows, columns, prepared.turned, prepared.sign, prepared.shift, prepared.high,
        prepared.spread, prepared.integral, prepared.forbidden, prepared.huge,
    )  # fmt: skip
    return source, facts


def _resident(problem: Assignment, device: Any) -> tuple[Source, Facts]:
    array, found = problem.resident, problem.extremes
    if array.device.id != device.index:
        raise DeviceError(
            f"the matrix lies on cuda:{array.device.id}; write devices='cuda:{array.device.id}', "
            f"or copy it to cuda:{device.index}"
        )
    turned = problem.agents > problem.jobs
    if turned:
        array = device.contiguous(array.T)
    rows, columns = array.shape
    kind = np.dtype(array.dtype)
    spread = found.high - found.low
    most = max(abs(found.high), abs(found.low))
    whole = problem.integral and most * (rows + 2) >= EXACT
    huge = whole and max(most, spread) >= LIMIT // (rows + 2)
    sign = 1 if problem.maximise else -1
    source = Source(
        rows, columns, array, array.strides[0] // kind.itemsize, None, None, -1, kind,
        np.dtype(np.int64 if whole else np.float64), sign,
    )  # fmt: skip
    facts = Facts(
        rows, columns, turned, sign, 0, float(found.high if sign > 0 else -found.low),
        float(spread), problem.integral or found.integral, found.plus or found.minus, huge,
    )  # fmt: skip
    return source, facts
