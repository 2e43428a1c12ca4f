"""Which GPUs solve an assignment problem, if any do."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

from prunus.assignment.points.applies import sooner_by_tree
from prunus.assignment.problem import Assignment
from prunus.errors import InputError
from prunus.hardware.devices import Devices, first_gpu, open_gpu

_MATRIX, _STACK = 2**25, 2**26
"""Entries of a matrix, and of all of a stack, from which on a GPU is used that nobody has named.
To start one takes about half a second in a process, several without kernels on disk: as long as
cores take for so many entries, ten times less if these are easy, ten times more if they are not.
Set with an H200 and 2 to 16 cores, see NOTES-assignment.md, "What a device is chosen by"."""


def chosen_devices(problem: Assignment, devices: Devices) -> tuple[Any, ...]:
    """Return the GPUs to solve on, none for the CPU.

    An automatic choice takes the GPU that a matrix or a stack lies on; for those on the host, and
    points of which all pairs have to be looked at, the first one if they are so large that it pays
    to start it, or all of them if the problem is too large for that; and the CPU with a warning if
    that GPU cannot be used.

    Raises ``DeviceError`` if a GPU was asked for that cannot be used; ``InputError`` if the problem
    is one that GPUs, or several of them, do not solve.
    """
    if devices.gpus:
        if problem.arcs is not None:
            warnings.warn(
                "solving on the CPU, since no GPU solves sparse problems, nor those with few pairs "
                "within a limit of costs",
                stacklevel=3,
            )
            return ()
        if len(devices.gpus) > 1 and (problem.batch is not None or problem.resident is not None):
            what = "a stack" if problem.batch is not None else "a matrix that lies on a GPU"
            raise InputError(f"{what} is solved on one GPU; name one")
        return tuple(_gpu(index) for index in devices.gpus)
    if not devices.automatic:
        return ()
    if problem.resident is not None:
        return (_gpu(problem.resident.device.id),)
    if problem.arcs is not None or sooner_by_tree(problem):
        return ()
    entries = (problem.batch or 1) * problem.agents * problem.jobs
    if entries < (_MATRIX if problem.batch is None else _STACK):
        return ()
    first = first_gpu(lambda: _gpu(0), "solving")
    if first is None:
        return ()
    from prunus.assignment.gpu.placement import needed  # only where there is a GPU

    if problem.batch is not None or needed(problem) <= first.free_memory():
        return (first,)
    return first_gpu(_all, "solving") or ()


def _all() -> tuple[Any, ...]:
    from prunus.hardware.cuda import devices

    return tuple(map(_gpu, range(devices())))


@cache
def _gpu(index: int) -> Any:
    """Return a GPU; asking it what it is takes longer than some solves."""
    return open_gpu(index)
