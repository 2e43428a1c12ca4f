"""The best two of many net values, as they come: a bid needs both."""

from __future__ import annotations

from prunus.hardware.jit.compiled import inlined
from prunus.model.arrays import Number


@inlined
def insert_best_two(
    x: Number, j: int, first: Number, second: Number, j1: int, j2: int
) -> tuple[Number, Number, int, int]:
    """Put value x of column j in its place among the best two; of equal ones the earlier stays."""
    if x > second:
        if x > first:
            return x, first, j, j1
        return first, x, j1, j
    return first, second, j1, j2
