"""The tasks of a board for a wanted symmetry."""

from __future__ import annotations

from prunus.nqueens.tasks.centre import SMALLEST_N, centre_tasks
from prunus.nqueens.tasks.rows import row_tasks
from prunus.nqueens.tasks.task_list import Tasks


def queens_tasks(n: int, symmetry: str, at_least: int = 1) -> Tasks:
    """Return independent tasks that together count all placements of n queens.

    ``n`` is 1 to 32; the symmetry ``"all"`` (central lines first, an eighth of the placements;
    boards below 6 take ``"mirror"`` instead), ``"mirror"`` or ``"none"``. ``at_least`` is how many
    tasks are wanted, for balance: some thousands for a machine's cores. There may be fewer on a
    small board, and none on a very small one.
    """
    if symmetry == "all" and n >= SMALLEST_N:
        return centre_tasks(n, at_least)
    return row_tasks(n, "none" if symmetry == "none" else "mirror", at_least)
