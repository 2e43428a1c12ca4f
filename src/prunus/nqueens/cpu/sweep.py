"""Sweep a range of tasks on one CPU core."""

from __future__ import annotations

from prunus import _native
from prunus.model.arrays import Int64Array
from prunus.nqueens.tasks.task_list import Tasks


def sweep(tasks: Tasks, first: int, last: int, stop: Int64Array) -> tuple[int, int, int]:
    """Count the placements below tasks ``first`` to ``last - 1``.

    When another thread makes the one number in ``stop`` non-zero, the sweep ends within a
    millisecond. It runs without the interpreter's lock.

    Returns the solutions and nodes of the tasks ``first`` to ``next - 1``, weighted and exact (add
    ``tasks.solutions`` and ``tasks.nodes`` once for the whole count), and ``next``, the first task
    that was not finished, ``last`` if none.
    """
    return _native.nqueens.sweep(tasks.arrays, tasks.groups, first, last, stop)
