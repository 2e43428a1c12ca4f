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

import numpy as np
from numpy.typing import NDArray

from prunus.nqueens.tasks.extend import bound_children, extend

__all__ = ["Tasks"]

HANDS = 1024
"""A power of two."""


@dataclass(frozen=True, slots=True)
class Tasks:
    """A list of tasks, and what was counted on the way to them.

    Attributes
    ----------
    n : int
        The size of the board.
    symmetry : str
        ``"none"``, ``"mirror"`` or ``"all"``: which placements stand for several.
    columns, left, right : ndarray of uint32, shape (tasks,)
        The columns in use (bit i is column i), and the cells of the next row to fill on a diagonal
        of a queen in a filled row that goes down to higher (left) or lower (right) bits. The
        number of columns in use is that of queens, so it says which row is next.
    free : ndarray of uint32, shape (tasks,)
        The cells of the next row where a queen may stand; at least one.
    group : ndarray of int32, shape (tasks,)
    masks : ndarray of uint32, shape (groups, n + 2)
        ``masks[g, d]``: the cells that the queens placed beforehand leave free in the row that is
        filled when d columns are in use; 0 for d ≥ n.
    shifts : ndarray of uint8, shape (groups, n + 2)
        ``shifts[g, d]``: how many rows below the previous filled row that row lies, 1 to 5.
    solutions_weight, nodes_weight : ndarray of int64, shape (groups,)
        How many placements each one found, and each node visited, stands for.
    solutions, nodes : int
        The weighted numbers of solutions and nodes above the tasks. A node is a partial placement
        that the search reaches, complete ones included, the empty board not.

    Notes
    -----
    Every task has at least two rows to fill; smaller ones are settled at once.
    """

    n: int
    symmetry: str
    columns: NDArray[np.uint32]
    left: NDArray[np.uint32]
    right: NDArray[np.uint32]
    free: NDArray[np.uint32]
    group: NDArray[np.int32]
    masks: NDArray[np.uint32]
    shifts: NDArray[np.uint8]
    solutions_weight: NDArray[np.int64]
    nodes_weight: NDArray[np.int64]
    solutions: int
    nodes: int

    def __len__(self) -> int:
        """Return the number of tasks."""
        return len(self.columns)

    def expanded(self) -> Tasks:
        """Fill one more row: the children of every task, in order."""
        size = int(bound_children(self.free))
        parts = [np.empty(size, np.uint32) for _ in range(4)]
        group = np.empty(size, np.int32)
        totals = np.zeros(2, np.int64)
        kept = extend(
            (self.columns, self.left, self.right, self.free),
            self.group,
            (self.masks, self.shifts, self.solutions_weight, self.nodes_weight),
            self.n,
            (parts[0], parts[1], parts[2], parts[3]),
            group,
            totals,
        )
        columns, left, right, free = (part[:kept] for part in parts)
        return replace(
            self,
            columns=columns,
            left=left,
            right=right,
            free=free,
            group=group[:kept],
            solutions=self.solutions + int(totals[0]),
            nodes=self.nodes + int(totals[1]),
        )

    def spread(self) -> Tasks:
        """Put the tasks into an order in which any range has its share of large and small ones.

        Neighbours of a list are alike: of the same center, or of similar ones. Every 1024th task
        comes first, then those in the middle between them, and so on.
        """
        bits = (np.arange(HANDS)[:, None] >> np.arange(HANDS.bit_length() - 1)) & 1
        backwards = bits @ (HANDS >> np.arange(1, HANDS.bit_length()))
        rounds = -(-len(self) // HANDS)
        order = np.add.outer(backwards, HANDS * np.arange(rounds)).ravel()
        order = order[order < len(self)]
        return replace(
            self,
            columns=self.columns[order],
            left=self.left[order],
            right=self.right[order],
            free=self.free[order],
            group=self.group[order],
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
