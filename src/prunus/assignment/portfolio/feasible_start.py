"""Some assignment where pairs are forbidden: a matching of all rows with allowed columns.

A row takes the first free column that it may have; where all are taken, rows change places along a
path that a breadth-first search finds.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from prunus.assignment.exact.augmentation import augment_along_path
from prunus.assignment.exact.lists.candidate_lists import CandidateLists, new_candidate_lists
from prunus.assignment.instance.benefits import Benefits
from prunus.hardware.jit.compiled import inner, outer
from prunus.model.arrays import Int64Array

_SCANS = 2_000_000
"""Pairs that are looked at between two looks at the clock: a millisecond or two."""

_NEXT_ROW, _SCANNED = range(2)
"""Places in ``progress``."""

_DONE, _MORE, _IMPOSSIBLE = range(3)


@inner
def _allowed_column(values: Benefits, lists: CandidateLists, i: int, k: int) -> int:
    """Return the k-th column that row i may have; -1 if the k-th one is forbidden."""
    if lists.wanted == 0:
        return np.int64(lists.columns[lists.start[i] + k])  # type: ignore[return-value]
    m = values.matrix.shape[1]
    j = (i + k) % m
    allowed = values.sign * values.matrix[i, j] > values.lowest
    return j if allowed else -1


@outer
def _match(
    values: Benefits,
    lists: CandidateLists,
    column: Int64Array,
    owner: Int64Array,
    parent: Int64Array,
    queue: Int64Array,
    progress: Int64Array,
    budget: int,
) -> int:
    """Match rows until all are, or so many pairs were looked at; return one of the constants."""
    n, m = column.shape[0], owner.shape[0]
    end = progress[_SCANNED] + budget
    while progress[_NEXT_ROW] < n:
        if progress[_SCANNED] >= end:
            return _MORE
        root = progress[_NEXT_ROW]
        for j in range(m):
            parent[j] = -1
        queue[0] = root
        head, tail = 0, 1
        found = -1
        while head < tail and found < 0:
            i = queue[head]
            head += 1
            count = lists.start[i + 1] - lists.start[i] if lists.wanted == 0 else m
            # A free column first: most rows find one here.
            for k in range(count):
                j = _allowed_column(values, lists, i, k)
                progress[_SCANNED] += 1
                if j >= 0 and owner[j] < 0:
                    parent[j] = i
                    found = j
                    break
            if found >= 0:
                break
            for k in range(count):
                j = _allowed_column(values, lists, i, k)
                progress[_SCANNED] += 1
                if j >= 0 and parent[j] < 0:
                    parent[j] = i
                    queue[tail] = owner[j]
                    tail += 1
        if found < 0:
            return _IMPOSSIBLE
        augment_along_path(parent, owner, column, root, found)
        progress[_NEXT_ROW] += 1
    return _DONE


def feasible_columns(
    values: Benefits, lists: CandidateLists | None, go_on: Callable[[], bool]
) -> Int64Array | None:
    """Return an allowed column for each row; None if there is none, or no time to find it.

    ``lists`` are those of a sparse instance, which hold all there is; ``go_on`` is asked every
    millisecond or two.
    """
    n, m = values.shape
    column, owner = np.full(n, -1, np.int64), np.full(m, -1, np.int64)
    memory = np.zeros(m, np.int64), np.zeros(n, np.int64), np.zeros(2, np.int64)
    held = new_candidate_lists(values, 1) if lists is None else lists
    while True:
        status = _match(values, held, column, owner, *memory, _SCANS)
        if status == _DONE:
            return column
        if status == _IMPOSSIBLE or not go_on():
            return None
