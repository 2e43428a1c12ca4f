"""All distances of points, where there is room: reading one is faster than computing it."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.assignment.rows.values import Values, of_matrix, row_of, scratch
from prunus.assignment.threads import Threads
from prunus.hardware.jit.compiled import outer

__all__ = ["with_matrix"]


@outer
def _fill(values: Any, work: Any, target: Any, begin: Any, end: Any):  # type: ignore[no-untyped-def]
    for i in range(begin, end):
        row_of(values, work, i)
        row, source = target[i], work.row[0]
        for j in range(row.shape[0]):
            row[j] = source[j]


def with_matrix(values: Values, threads: Threads) -> Values:
    """Return the same instance as a matrix of float64."""
    n, m = values.shape
    target = np.empty((n, m))
    threads.share(n, lambda _, begin, end: _fill(values, scratch(values), target, begin, end))
    return of_matrix(target, values.sign > 0)
