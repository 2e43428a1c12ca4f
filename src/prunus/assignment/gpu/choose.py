"""Which GPU solves an assignment problem, if any does."""

from __future__ import annotations

from functools import cache
from typing import Any

from prunus.devices import Devices, first_gpu, open_gpu
from prunus.errors import InputError
from prunus.problems.assignment import Assignment

__all__ = ["LARGE", "chosen_device"]

LARGE = 3000 * 3000
"""So many pairs are worth a GPU: with fewer a core is done before the GPU has started."""


def chosen_device(problem: Assignment, devices: Devices) -> Any:
    """Return the GPU to solve on, None for the CPU.

    An automatic choice takes the GPU that a matrix lies on, or the first one for large matrices and
    points, and the CPU with a warning if that GPU cannot be used.

    Raises
    ------
    DeviceError
        If a GPU was asked for that cannot be used.
    InputError
        If the problem is one that GPUs do not solve, or several GPUs were asked for.
    """
    if devices.gpus:
        if problem.arcs is not None:
            raise InputError(
                "sparse assignment problems are solved on the CPU; write devices='cpu'"
            )
        if len(devices.gpus) > 1:
            raise InputError("an assignment problem is solved on one GPU; name one")
        return _device(devices.gpus[0])
    if not devices.automatic:
        return None
    if problem.resident is not None:
        return _device(problem.resident.device.id)
    large = problem.agents * problem.jobs >= LARGE and problem.batch is None
    if problem.arcs is not None or not large:
        return None
    return first_gpu(lambda: _device(0), "solving")


@cache
def _device(index: int) -> Any:
    """Return a GPU; asking it what it is takes longer than some solves."""
    return open_gpu(index)
