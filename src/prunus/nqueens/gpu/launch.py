"""How many lanes of a GPU work on a list of tasks, from the shared memory that each needs."""

from __future__ import annotations

from dataclasses import dataclass

from prunus import _native
from prunus.nqueens.tasks.task_list import Tasks

RESERVED_SHARED_BYTES = 1024
"""The driver keeps so much shared memory of each block."""

REGISTERS_PER_LANE = 64

REGISTERS = 65_536
"""Of a multiprocessor."""

MAX_THREADS = 512
"""Lanes of a block, at most."""


@dataclass(frozen=True, slots=True)
class LaunchShape:
    """The constants of a kernel and the launch that goes with them."""

    grouped: bool
    """Whether queens were placed beforehand, so that rows have tables."""
    n: int
    """The size of the board."""
    depth: int
    """The least number of columns in use in any task."""
    threads: int
    """Lanes of a block."""
    blocks: int
    """Of a multiprocessor."""
    steps: int
    """Of a round."""

    @property
    def slots(self) -> int:
        """Nodes on a lane's stack."""
        return self.n - self.depth

    @property
    def shared(self) -> int:
        """Bytes of shared memory a block."""
        return self.threads * _bytes(self.grouped, self.slots)

    @property
    def constants(self) -> dict[str, int]:
        """What the kernel is compiled with."""
        return {
            "SIZE": self.n,
            "DEPTH": self.depth,
            "THREADS": self.threads,
            "BLOCKS": self.blocks,
            "STEPS": self.steps,
            "GROUPED": int(self.grouped),
        }


def _bytes(grouped: bool, slots: int) -> int:
    return 16 * slots + (4 * (slots + 1) if grouped else 0)


def launch_shape(
    tasks: Tasks, shared_limit: int, threads: int | None = None, *, warp: int = 32, steps: int = 96
) -> LaunchShape:
    """Choose the block that lets a multiprocessor hold most lanes.

    The task with the fewest columns in use sets the height of the stacks. A block may have
    ``shared_limit`` bytes of shared memory, and has whole warps of ``warp`` lanes, ``threads`` if
    given. An idle lane waits at most ``steps`` for its next task.
    """
    grouped = tasks.symmetry == "all"
    depth = _native.nqueens.least_queens(tasks.columns) if len(tasks) else 0
    a_lane = _bytes(grouped, tasks.n - depth)
    if threads:
        return LaunchShape(grouped, tasks.n, depth, threads, 1, steps)
    best = (0, 0, 0)
    for size in range(warp, MAX_THREADS + 1, warp):
        fitting = (shared_limit + RESERVED_SHARED_BYTES) // (size * a_lane + RESERVED_SHARED_BYTES)
        blocks = min(fitting, REGISTERS // REGISTERS_PER_LANE // size)
        best = max(best, (blocks * size, size, blocks))
    return LaunchShape(grouped, tasks.n, depth, best[1], best[2], steps)
