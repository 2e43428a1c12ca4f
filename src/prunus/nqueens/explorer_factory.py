"""What makes explorers of a list of N-Queens tasks."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from prunus.errors import OptionError
from prunus.hardware.device import Device
from prunus.nqueens.cpu.explorer import QueensCoreExplorer
from prunus.nqueens.problem import NQueens
from prunus.nqueens.tasks.choose import queens_tasks
from prunus.nqueens.tasks.task_list import Tasks
from prunus.treesearch.interval.space import IntervalSpace
from prunus.treesearch.model import Explorer, ExplorerFactory

MAX_N_ON_CORES = 15
"""Boards up to this size are counted before a GPU has started."""


@dataclass(frozen=True)
class QueensExplorerFactory(ExplorerFactory):
    """A board, how its tasks are made, and in another process what they must be.

    The first fields are those of ``queens_tasks``. ``expected`` is the digest of the tasks: their
    numbers mean nothing to who has others.
    """

    problem: NQueens
    symmetry: str
    wanted: int
    expected: str | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Send how the tasks are made, not the tasks, and their digest."""
        made = (self.problem, self.policy, self.symmetry, self.wanted, self.digest)
        return type(self), made

    @cached_property
    def tasks(self) -> Tasks:
        """The tasks."""
        tasks = queens_tasks(self.problem.n, self.symmetry, self.wanted).spread()
        if self.expected is not None and self.expected != _digest(tasks):
            raise OptionError(
                "executor",
                "a worker generates different N-Queens tasks; install the same version of "
                "prunus there",
            )
        return tasks

    @cached_property
    def digest(self) -> str:
        """What tells these tasks from others."""
        return _digest(self.tasks)

    @property
    def radix(self) -> tuple[int, ...]:
        """The number of tasks."""
        return (len(self.tasks),)

    @property
    def space(self) -> IntervalSpace:
        return IntervalSpace(self.radix)

    @property
    def prefers_cores(self) -> bool:
        return self.problem.n <= MAX_N_ON_CORES

    def on_core(self, name: str) -> Explorer:
        return QueensCoreExplorer(self.tasks, name)

    def on_gpu(self, device: Device) -> Explorer:
        from prunus.nqueens.gpu.explorer import QueensGpuExplorer

        return QueensGpuExplorer(self.tasks, device)


def _digest(tasks: Tasks) -> str:
    """Return what tells a list of tasks from another: a range of it means nothing without it."""
    digest = hashlib.sha256()
    for field in fields(tasks):
        value = getattr(tasks, field.name)
        if isinstance(value, np.ndarray):
            digest.update(np.ascontiguousarray(value).data)
    return digest.hexdigest()[:16]
