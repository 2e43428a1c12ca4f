"""Tasks that fill the board row by row: every placement once, or one of two mirror images.

With the mirror symmetry the first queen stands in the left half and counts twice; on a board of
odd size the middle column counts once. Node counts stay those of the full tree.
"""

from __future__ import annotations

import numpy as np

from prunus.nqueens.tasks.task_list import Tasks


def row_tasks(n: int, symmetry: str, at_least: int = 1) -> Tasks:
    """Place the queens of the first rows.

    ``n`` is 1 to 32, the symmetry ``"none"`` or ``"mirror"``. Rows are filled until there are
    ``at_least`` so many tasks; fewer if the board has none left.

    The tasks are in lexicographic order of the columns (the middle column of an odd board last).
    ``tasks.nodes`` plus the nodes of every task is the number of feasible placements of the first
    1, 2, … n rows: 2,056 for n = 8, 171,129,071 for n = 15.
    """
    board = (1 << n) - 1
    half = (1 << (n // 2)) - 1
    first_rows = [(board, 1)]
    if symmetry == "mirror":
        first_rows = [(half, 2), (1 << (n // 2), 1)] if n % 2 else [(half, 2)]
        first_rows = [(cells, weight) for cells, weight in first_rows if cells]
    groups = len(first_rows)
    masks = np.full((groups, n + 2), board, np.uint32)
    masks[:, n:] = 0
    weight = np.array([w for _, w in first_rows], np.int64)
    nothing = np.zeros(groups, np.uint32)
    roots = Tasks(
        n=n,
        symmetry=symmetry,
        columns=nothing,
        left=nothing,
        right=nothing,
        free=np.array([cells for cells, _ in first_rows], np.uint32),
        group=np.arange(groups, dtype=np.int32),
        masks=masks,
        shifts=np.ones((groups, n + 2), np.uint8),
        solutions_weight=weight,
        nodes_weight=weight,
        solutions=0,
        nodes=0,
    )
    return roots.expanded().refined(at_least)
