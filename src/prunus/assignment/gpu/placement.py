"""From a problem to values on a GPU: rows at most columns, and numbers that are exact.

Prices are float64 as long as no sum can leave the whole numbers that these hold, else int64. A
matrix is read as it is on the device, whatever of the four types it has; one on the host is copied
there first, and looked through there as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from prunus.assignment.arithmetic import sums_are_exact
from prunus.assignment.gpu.instance import LIST
from prunus.assignment.gpu.instance_kernels import LONG
from prunus.assignment.gpu.multi_gpu import connect, scatter, shares
from prunus.assignment.gpu.value_source import ValueSource
from prunus.assignment.instance.facts import InstanceFacts
from prunus.assignment.instance.matrix_scan import EXACT
from prunus.assignment.instance.prepared import LIMIT, prepare
from prunus.assignment.problem import Assignment
from prunus.assignment.stepwise import CheckTime
from prunus.errors import DeviceError
from prunus.hardware.cuda.survey import Survey
from prunus.hardware.cuda.upload import upload
from prunus.hardware.device import Device, DeviceArray
from prunus.hardware.resident import Extremes
from prunus.hardware.threads import Threads
from prunus.model.arrays import Number

_Placed: TypeAlias = tuple[list[ValueSource], list[int], Callable[[], InstanceFacts]]

Ahead: TypeAlias = Callable[[ValueSource], Callable[[int, int], None]]
"""Is told of a matrix whose rows will arrive; what it returns is called as they do, with the first
of those that are new and the end of them."""


def needed(problem: Assignment) -> int:
    """Return about how many bytes of a GPU's memory a problem takes."""
    rows, columns = sorted((problem.agents, problem.jobs))
    values = 0
    if problem.matrix is not None:
        values = problem.matrix.size * problem.matrix.dtype.itemsize
    elif problem.resident is not None and problem.agents > problem.jobs:
        values = problem.resident.nbytes
    return values + _beside(rows, columns, LIST)


def _beside(rows: int, columns: int, listed: int) -> int:
    """Return about how many bytes there are beside the values."""
    return rows * (listed * 12 + 64) + columns * 40


def place(
    problem: Assignment,
    devices: Sequence[Any],
    threads: Threads,
    pause: CheckTime | None = None,
    ahead: Ahead | None = None,
) -> _Placed:
    """Put a problem that is neither sparse nor a stack onto one device, or its rows onto several.

    Raises ``DeviceError`` if there is too little memory, or the matrix lies on another device;
    ``StoppedError`` if ``pause``, which is called while a matrix on the host is looked at, does.
    ``ahead`` is called, perhaps again for a matrix that replaces the one before, where the type
    of prices does not depend on the values.

    Returns the problem as each device has it, the first row of each, and what says what is known of
    its values, for which a device may have to go through them first.
    """
    several = len(devices) > 1
    if not several and not devices[0].fits(needed(problem)):
        raise _too_small(devices, needed(problem))
    if problem.resident is not None:
        return _resident(problem, devices[0])
    if problem.matrix is not None and not several:
        arrival = _Arrival(problem, devices[0], ahead)
        array = upload(devices[0], problem.matrix, threads, pause, arrival.begin, _PARTS)
        placed = arrival.placed or _on_device(problem, devices[0], array, arrival.found)
        if array.dtype != np.int64 or not placed[2]().huge:
            return placed
        del array, arrival, placed  # less their least value, integers may be small enough
    if several and problem.points is None:
        connect(devices)
    prepared = prepare(problem, threads, pause=pause)
    values = prepared.values
    rows, columns = values.shape
    kind = np.dtype(values.matrix.dtype)
    sources, firsts = [], [0]
    if several:
        firsts = _divide(devices, rows, columns, columns * kind.itemsize * (problem.points is None))
    common = values.metric, kind, values.price, prepared.sign
    if problem.points is not None:
        for device in devices:
            left = device.put(np.ascontiguousarray(values.left))
            right = device.put(np.ascontiguousarray(values.right.T))
            sources.append(ValueSource(rows, columns, None, columns, left, right, *common))
    elif several:
        arrays, parts = scatter(values.matrix, devices, firsts)
        sources = [
            ValueSource(rows, columns, a, columns, None, None, *common, parts) for a in arrays
        ]
    else:
        matrix = devices[0].put(values.matrix)
        sources.append(ValueSource(rows, columns, matrix, columns, None, None, *common))
    facts = replace(prepared.facts, high=_above(prepared.high))
    return sources, firsts, lambda: facts


_PARTS = 0.5, 0.85, 1.0
"""Ends of the parts, of all rows, in which they are looked at as they arrive."""


class _Arrival:
    """A matrix that is looked at as it comes from the host."""

    def __init__(self, problem: Assignment, device: Device, ahead: Ahead | None) -> None:
        self._problem, self._device, self._ahead = problem, device, ahead
        self.placed: _Placed | None = None

    def begin(self, array: DeviceArray) -> Callable[[int, int], None]:
        """Prepare what can be while nothing is there; return what looks at the rows that are."""
        survey = Survey(self._device, array, len(_PARTS))
        self.found = cache(survey.found)
        self.placed = None
        looks: list[Callable[[int, int], None]] = [survey.look]
        tall = self._problem.agents > self._problem.jobs
        if self._ahead is not None and not tall and array.dtype != np.int64:
            self.placed = _on_device(self._problem, self._device, array, self.found)
            looks.append(self._ahead(self.placed[0][0]))

        def look(begin: int, end: int) -> None:
            for each in looks:
                each(begin, end)

        return look


def _divide(devices: Sequence[Any], rows: int, columns: int, row: int) -> list[int]:
    """Return the first row of each device, if a row takes so many bytes."""
    beside = _beside(rows, columns, LONG)
    left = [device.free_memory() - beside for device in devices]
    most = [0 if some < 0 else min(rows, some // row if row else rows) for some in left]
    if min(left) < 0 or sum(most) < rows:
        raise _too_small(devices, rows * row + beside * len(devices))
    return shares(rows, most)


def _too_small(devices: Sequence[Any], wanted: int) -> DeviceError:
    free = " + ".join(f"{device.free_memory() / 2**30:.1f}" for device in devices)
    names = ", ".join(f"cuda:{device.index}" for device in devices)
    return DeviceError(
        f"{names} ({devices[0].model}) has {free} GiB free and this problem takes "
        f"{wanted / 2**30:.1f}; name more GPUs, give points instead of a matrix, float32 instead "
        "of float64, or the CPU as the device"
    )


def _resident(problem: Assignment, device: Device) -> _Placed:
    array = problem.resident
    if array.device.id != device.index:
        raise DeviceError(
            f"the matrix is on cuda:{array.device.id}; name that device, "
            f"or copy it to cuda:{device.index}"
        )
    extremes = problem.extremes
    assert extremes is not None
    return _on_device(problem, device, array, lambda: extremes)


def _on_device(
    problem: Assignment, device: Device, array: Any, survey: Callable[[], Extremes]
) -> _Placed:
    """Read a matrix where it lies in a device's memory, or its transpose if it is tall.

    What the device is to find is waited for only where the type of prices depends on it.
    """
    transposed = problem.agents > problem.jobs
    if transposed:
        array = device.contiguous(array.T)
    rows, columns = array.shape
    kind = np.dtype(array.dtype)
    on_host = None if transposed else problem.matrix
    sign = 1 if problem.maximise else -1

    def most() -> Number:
        found = survey()
        return max(abs(found.high), abs(found.low))

    # Floats hold all sums of integers of 32 bits.
    whole = kind == np.int64 and most() * (rows + 2) >= EXACT
    source = ValueSource(
        rows, columns, array, array.strides[0] // kind.itemsize, None, None, -1, kind,
        np.dtype(np.int64 if whole else np.float64), sign, on_host=on_host,
    )  # fmt: skip

    def facts() -> InstanceFacts:
        found = survey()
        spread = found.high - found.low
        huge = whole and max(most(), spread) >= LIMIT // (rows + 2)
        return InstanceFacts(
            rows, columns, transposed, sign, 0,
            _above(found.high if sign > 0 else -found.low), float(spread),
            problem.integral or (found.integral and sums_are_exact(most(), rows)),
            found.plus or found.minus, huge,
        )  # fmt: skip

    return [source], [0], facts


def _above(value: int | float) -> float:
    """Return a float that is not less than a value, itself if there is one."""
    return float(value) if float(value) >= value else math.nextafter(float(value), math.inf)
