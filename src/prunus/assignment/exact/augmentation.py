"""The last step of every shortest augmenting path: the rows on it change their columns."""

from __future__ import annotations

from prunus.hardware.jit.compiled import inner
from prunus.model.arrays import AnyArray


@inner
def augment_along_path(
    parent: AnyArray, owner: AnyArray, column: AnyArray, root: int, j: int
) -> None:
    """Give every row on the way from the root to column j the column that it goes on to.

    ``parent`` is the row from which each column was reached; ``owner`` is the row that has each
    column, and ``column`` the column that each row has, -1 for none.
    """
    while True:
        i = parent[j]
        before = column[i]
        owner[j] = i
        column[i] = j
        if i == root:
            return
        j = before
