"""In which order points stand in trees."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from prunus._native.points import halve, levels
from prunus.model.arrays import FloatArray, Int32Array


def tree_orders(
    left: FloatArray, right: FloatArray, go_on: Callable[[], bool] = lambda: True
) -> tuple[Int32Array, Int32Array, bool]:
    """Return the orders in which the points of two sets of one size are to stand in trees.

    Both sets are halved along the same coordinates, so that points that have the same place are
    near each other, the more so the longer this goes on. Also tells whether it went on to the end.
    """
    left, right = np.ascontiguousarray(left), np.ascontiguousarray(right)
    first, second = np.arange(len(left), dtype=np.int32), np.arange(len(left), dtype=np.int32)
    for level in range(levels(len(left))):
        if not go_on():
            return first, second, False
        halve(left, right, level, first, second)
    return first, second, True
