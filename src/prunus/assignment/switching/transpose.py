"""The same instance by columns: a transposed matrix, made in parts, or none if it is symmetric."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from prunus.assignment.distances import METRICS
from prunus.assignment.instance.benefits import NONE, Benefits, of_matrix, of_points
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray

_SLAB = 32


def transpose_in_steps(values: Benefits, threads: Threads) -> Generator[None, None, Benefits]:
    """Return the instance by columns; pause often.

    A matrix that is its own transpose is not copied: that is seen as soon as it is not.
    """
    if values.metric != NONE:
        if values.left.shape[0] == values.right.shape[1] and np.array_equal(
            values.left, values.right.T
        ):
            return values
        name = METRICS[values.metric]
        return of_points(values.right.T, values.left, name, values.sign > 0)
    matrix = values.matrix
    n, m = matrix.shape
    target = None
    size = _SLAB * threads.cores
    for begin in range(0, m, size):
        end = min(m, begin + size)
        if target is None:
            if n == m and np.array_equal(matrix[begin:end], matrix[:, begin:end].T):
                yield
                continue
            target = np.empty((m, n), matrix.dtype)
            if begin:  # so far it was symmetric
                target[:begin] = matrix[:begin]

        def copy(_: int, first: int, last: int, to: AnyArray = target, begin: int = begin) -> None:
            to[begin + first : begin + last] = matrix[:, begin + first : begin + last].T

        threads.share(end - begin, copy, least=_SLAB)
        yield
    return values if target is None else of_matrix(target, values.sign > 0)
