"""Independent parts of a count of N-Queens placements, as arrays that every device can read.

A task is a partial placement and the rows that are still to fill, from the top down. The queens
that its rows can see are of two kinds. Those placed in earlier *filled* rows differ from task to
task and move with the search: one word for their columns, two for their diagonals, which slide by
one column a row. Those placed beforehand, in whatever lines of the board, are the same for many
tasks, its *group*: for each row still to fill, the group says which cells they leave and how far
below the previous such row it lies. So placing the queens of central lines first costs the search
nothing but a table look-up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from prunus import _native
from prunus.model.arrays import Int32Array, Int64Array, UInt8Array, UInt32Array

SPREAD = 1024
"""Neighbours of a list come so many places apart after ``Tasks.spread``; a power of two."""

_BACKWARDS = ((np.arange(SPREAD)[:, None] >> np.arange(SPREAD.bit_length() - 1)) & 1) @ (
    SPREAD >> np.arange(1, SPREAD.bit_length())
)
"""The numbers below ``SPREAD`` with their bits in reverse order."""


class TaskArrays(NamedTuple):
    """The arrays of a list of tasks, as kernels take them; see ``Tasks``."""

    columns: UInt32Array
    left: UInt32Array
    right: UInt32Array
    free: UInt32Array
    group: Int32Array


class GroupTable(NamedTuple):
    """What kernels read of the tasks' groups; see ``Tasks``."""

    masks: UInt32Array
    shifts: UInt8Array
    solutions_weight: Int64Array
    nodes_weight: Int64Array


@dataclass(frozen=True, slots=True)
class Tasks:
    """A list of tasks, and what was counted on the way to them.

    Every task has at least two rows to fill; smaller ones are settled at once.
    """

    n: int
    """The size of the board."""
    symmetry: str
    """``"none"``, ``"mirror"`` or ``"all"``: which placements stand for several."""
    columns: UInt32Array
    left: UInt32Array
    right: UInt32Array
    """The columns in use (bit i is column i), and the cells of the next row to fill on a diagonal
    of a queen in a filled row that goes down to higher (left) or lower (right) bits. The number of
    columns in use is that of queens, so it says which row is next. Shape (tasks,)."""
    free: UInt32Array
    """The cells of the next row where a queen may stand; at least one. Shape (tasks,)."""
    group: Int32Array
    """Shape (tasks,)."""
    masks: UInt32Array
    """``masks[g, d]``: the cells that the queens placed beforehand leave free in the row that is
    filled when d columns are in use; 0 for d ≥ n. Shape (groups, n + 2)."""
    shifts: UInt8Array
    """``shifts[g, d]``: how many rows below the previous filled row that row lies, 1 to 5.
    Shape (groups, n + 2)."""
    solutions_weight: Int64Array
    nodes_weight: Int64Array
    """How many placements each one found, and each node visited, stands for. Shape (groups,)."""
    solutions: int
    nodes: int
    """The weighted numbers of solutions and nodes above the tasks. A node is a partial placement
    that the search reaches, complete ones included, the empty board not."""

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def arrays(self) -> TaskArrays:
        """The tasks, for kernels."""
        return TaskArrays(self.columns, self.left, self.right, self.free, self.group)

    @property
    def groups(self) -> GroupTable:
        """Their groups, for kernels."""
        return GroupTable(self.masks, self.shifts, self.solutions_weight, self.nodes_weight)

    def expanded(self) -> Tasks:
        """Fill one more row: the children of every task, in order."""
        size = _native.nqueens.count_children(self.free)
        columns, left, right, free = np.empty((4, size), np.uint32)
        children = TaskArrays(columns, left, right, free, np.empty(size, np.int32))
        kept, solutions, nodes = _native.nqueens.expand(self.arrays, self.groups, children)
        return replace(
            self,
            **{name: array[:kept] for name, array in children._asdict().items()},
            solutions=self.solutions + solutions,
            nodes=self.nodes + nodes,
        )

    def spread(self) -> Tasks:
        """Put the tasks into an order in which any range has its share of large and small ones.

        Neighbours of a list are alike: of the same centre, or of similar ones. Every 1024th task
        comes first, then those in the middle between them, and so on.
        """
        rounds = -(-len(self) // SPREAD)
        order = np.add.outer(_BACKWARDS, SPREAD * np.arange(rounds)).ravel()
        order = order[order < len(self)]
        return replace(
            self, **{name: array[order] for name, array in self.arrays._asdict().items()}
        )

    def refined(self, at_least: int) -> Tasks:
        """Fill more rows until there are ``at_least`` tasks, or more rows would not give more."""
        tasks = self
        while 0 < len(tasks) < at_least:
            finer = tasks.expanded()
            if len(finer) <= len(tasks) and len(finer) > 0:
                break
            tasks = finer
        return tasks
