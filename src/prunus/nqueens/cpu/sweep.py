"""Sweep a range of tasks on one CPU core."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from prunus.nqueens.cpu.depth_first import SCRATCH, run
from prunus.nqueens.tasks.task_list import Tasks

__all__ = ["sweep"]


def sweep(tasks: Tasks, first: int, last: int, stop: NDArray[np.int64]) -> tuple[int, int, int]:
    """Count the placements below tasks ``first`` to ``last - 1``.

    Parameters
    ----------
    tasks
        The list.
    first, last
        The range; ``0 <= first <= last <= len(tasks)``.
    stop
        One number; when another thread makes it non-zero, the sweep ends within a millisecond. The
        sweep runs without the interpreter's lock.

    Returns
    -------
    solutions, nodes : int
        Of the tasks ``first`` to ``next - 1``, weighted; exact. Add ``tasks.solutions`` and
        ``tasks.nodes`` once for the whole count.
    next : int
        The first task that was not finished, ``last`` if none; sweep ``next`` to ``last`` to go on.
    """
    totals = np.zeros(2, np.int64)
    end = run(
        (tasks.columns, tasks.left, tasks.right, tasks.free),
        tasks.group,
        (tasks.masks, tasks.shifts, tasks.solutions_weight, tasks.nodes_weight),
        tasks.n,
        first,
        last,
        stop,
        np.empty(SCRATCH, np.uint64),
        totals,
    )
    return int(totals[0]), int(totals[1]), int(end)
