"""Tasks that place the queens of the four border lines first: one of eight symmetric placements.

Every placement has one queen in each of the top row, the bottom row, the left and the right
column (one queen in a corner serves two). The eight symmetries of the square permute these
borders, so it is enough to complete one border of each orbit and to count its completions as often
as the orbit has members: 8, or 4 for a border that is invariant under a half turn, or 2 under a
quarter turn. No completed placement needs to be looked at again.

The idea of placing the border lines first is the one behind the count for n = 27 by Preußer and
Engelhardt (2017), *Putting Queens in Carry Chains, No. 27*. Which member of an orbit is completed
is ours: see :mod:`prunus.queens.orientation`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from prunus.queens.constellation import most_borders, write_borders, write_table
from prunus.queens.orientation import expected_free
from prunus.queens.tasks import Tasks

__all__ = ["SMALLEST", "border_tasks", "borders"]

SMALLEST = 6
"""On smaller boards the border is nearly all there is; row tasks count them."""


def borders(n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return one border of each orbit, and how many members the orbit has.

    Parameters
    ----------
    n
        The size of the board, at least 2.

    Returns
    -------
    borders : ndarray of int64, shape (orbits, 4)
        The columns of the top and of the bottom queen, the rows of the left and of the right one.
        A queen in a corner appears twice.
    members : ndarray of int64, shape (orbits,)
        8, 4 or 2.
    """
    found = np.empty((most_borders(n), 5), np.int64)
    orbits = write_borders(n, found)
    return found[:orbits, :4].copy(), found[:orbits, 4].copy()


def border_tasks(n: int, at_least: int = 1) -> Tasks:
    """Place the queens of the border, and of as many rows as it takes.

    Parameters
    ----------
    n
        The size of the board, 6 to 32.
    at_least
        Fill rows until there are so many tasks.
    """
    places, members = borders(n)
    width = n - 2
    masks = np.zeros((len(places), width + 2), np.uint32)
    shifts = np.ones((len(places), width + 2), np.uint8)
    columns = np.empty(len(places), np.uint32)
    free = np.empty(len(places), np.uint32)
    scratch = np.empty(width, np.uint64)
    write_table(n, places, expected_free(n), masks, shifts, columns, free, scratch)
    alive = np.flatnonzero(free)
    nothing = np.zeros(len(alive), np.uint32)
    roots = Tasks(
        n=n,
        symmetry="all",
        width=width,
        columns=columns[alive],
        left=nothing,
        right=nothing,
        free=free[alive],
        group=alive.astype(np.int32),
        masks=masks,
        shifts=shifts,
        solutions_weight=members,
        nodes_weight=np.ones(len(places), np.int64),
        solutions=0,
        nodes=len(places),
    )
    return roots.refined(at_least)
