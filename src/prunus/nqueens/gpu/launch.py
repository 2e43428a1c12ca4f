"""How many lanes of a GPU work on a list of tasks, from the shared memory that each needs."""

from __future__ import annotations

from dataclasses import dataclass

from prunus.hardware.jit.compiled import outer
from prunus.nqueens.tasks.task_list import Tasks
from prunus.treesearch.interval.cpu.item_sets import popcount

__all__ = ["STEPS", "Shape", "shape"]

STEPS = 96
"""Steps a round: an idle lane waits at most so long for its next task."""

RESERVED = 1024
"""Bytes of shared memory that the driver keeps of each block."""

ROOM = 64
"""Registers of a lane; a multiprocessor has 65,536."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The constants of a kernel and the launch that goes with them."""

    grouped: bool
    n: int
    depth: int
    threads: int
    blocks: int

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
            "STEPS": STEPS,
            "GROUPED": int(self.grouped),
        }


def _bytes(grouped: bool, slots: int) -> int:
    return 16 * slots + (4 * (slots + 1) if grouped else 0)


@outer
def _least(columns):  # type: ignore[no-untyped-def]
    least = 32
    for i in range(columns.size):
        least = min(least, popcount(columns[i]))
    return least


def shape(tasks: Tasks, shared_limit: int, threads: int | None = None, *, warp: int = 32) -> Shape:
    """Choose the block that lets a multiprocessor hold most lanes.

    Parameters
    ----------
    tasks
        The list; its task with the fewest columns in use sets the height of the stacks.
    shared_limit
        Bytes of shared memory that a block may have.
    threads
        Lanes of a block, if that is not to be chosen.
    warp
        Lanes of a warp; a block is whole warps.
    """
    grouped = tasks.symmetry == "all"
    depth = int(_least(tasks.columns)) if len(tasks) else 0
    a_lane = _bytes(grouped, tasks.n - depth)
    if threads:
        return Shape(grouped, tasks.n, depth, threads, 1)
    best = (0, 0, 0)
    for size in range(warp, 513, warp):
        fitting = (shared_limit + RESERVED) // (size * a_lane + RESERVED)
        blocks = min(fitting, 65536 // ROOM // size)
        best = max(best, (blocks * size, size, blocks))
    return Shape(grouped, tasks.n, depth, best[1], best[2])
