"""The slow, obvious twins: all assignments one by one, and exchanges one by one."""

from __future__ import annotations

import itertools
import math
from typing import Any

from numpy.typing import NDArray


def best_total(matrix: NDArray[Any], maximise: bool) -> Any:
    """Return the best total over all assignments of the smaller side; None if all are forbidden."""
    rows, columns = matrix.shape
    values = matrix.tolist() if rows <= columns else matrix.T.tolist()
    found = [
        sum_of([row[job] for row, job in zip(values, jobs, strict=True)])
        for jobs in itertools.permutations(range(max(rows, columns)), min(rows, columns))
    ]
    allowed = [total for total in found if math.isfinite(total)]
    if not allowed:
        return None
    return max(allowed) if maximise else min(allowed)


def sum_of(values: list[Any]) -> Any:
    """Add exactly: integers as they are, floats with one rounding."""
    return math.fsum(values) if any(isinstance(value, float) for value in values) else sum(values)


def best_gain(benefits: NDArray[Any], column: list[int], i: int) -> float:
    """Return the most that row i can gain by taking any column and giving its own in return."""
    owner = {j: k for k, j in enumerate(column)}
    gains = []
    for j in range(benefits.shape[1]):
        k = owner.get(j)
        if k is None:
            gains.append(benefits[i, j] - benefits[i, column[i]])
        elif k != i:
            now = benefits[i, column[i]] + benefits[k, j]
            gains.append(benefits[i, j] + benefits[k, column[i]] - now)
    return max(gains, default=0.0)
