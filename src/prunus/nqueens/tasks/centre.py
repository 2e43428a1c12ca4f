"""Tasks that place the queens of four central lines first: one of eight symmetric placements.

Take the two rows and the two columns next to the middle of the board (on a board of odd size, the
two on either side of the middle line). Every placement has one queen in each of these lines (one
queen where two of them cross serves both). The eight symmetries of the square permute these
*centres*, so it is enough to complete one centre of each orbit, and to count its completions as
often as the orbit has members: 8, or 4 for a centre that is invariant under a half turn, or 2
under a quarter turn. No completed placement needs to be looked at again.

Preußer and Engelhardt (2017), *Putting Queens in Carry Chains, No. 27*, place the queens of the
border lines first, and the same symmetries apply. Queens near the middle attack more cells: there
are half as many centres as borders, and the trees below them have 0.6 times as many nodes in all
(n = 12 to 16), fewer even than an eighth of the full tree.
"""

from __future__ import annotations

import numpy as np

from prunus import _native
from prunus.model.arrays import Int64Array
from prunus.nqueens.tasks.task_list import Tasks

SMALLEST_N = 6
"""On smaller boards the centre is nearly all there is; row tasks count them."""


def centres(n: int) -> tuple[Int64Array, Int64Array]:
    """Return one centre of each orbit, and how many members the orbit has.

    ``n`` is at least 4. The lines are those with the indices n // 2 - 1 and n - n // 2.

    The centres, shape (orbits, 4), are the columns of the queens in the upper and the lower line
    and the rows of those in the left and the right one; a queen where two lines cross appears
    twice. Orbits have 8, 4 or 2 members.
    """
    most = _native.nqueens.most_centres(n)
    places, members = np.empty((most, 4), np.int64), np.empty(most, np.int64)
    orbits = _native.nqueens.find_centres(n, places, members)
    return places[:orbits].copy(), members[:orbits].copy()


def centre_tasks(n: int, at_least: int = 1) -> Tasks:
    """Place the queens of the central lines, then fill as many rows from the top as it takes.

    ``n`` is 6 to 32. Rows are filled until there are ``at_least`` so many tasks.
    """
    places, members = centres(n)
    masks = np.zeros((len(places), n + 2), np.uint32)
    shifts = np.ones((len(places), n + 2), np.uint8)
    columns, free = np.zeros((2, len(places)), np.uint32)
    _native.nqueens.write_centre_rows(n, places, masks, shifts, columns, free)
    alive = np.flatnonzero(free)
    nothing = np.zeros(len(alive), np.uint32)
    roots = Tasks(
        n=n,
        symmetry="all",
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
