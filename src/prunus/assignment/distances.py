"""Distances of points, by the metrics that an assignment of points knows."""

from __future__ import annotations

import numpy as np

from prunus.model.arrays import FloatArray

METRICS = ("euclidean", "sqeuclidean", "cityblock", "chebyshev")
"""Where a metric has a number, it is its place here."""


def distances(left: FloatArray, right: FloatArray, metric: str) -> FloatArray:
    """Return the distances of points, whose coordinates are on the last axis, that stand together.

    The other axes are broadcast.
    """
    total = np.zeros(np.broadcast_shapes(left.shape, right.shape)[:-1])
    for d in range(left.shape[-1]):
        apart = np.abs(left[..., d] - right[..., d])
        if metric == "chebyshev":
            np.maximum(total, apart, out=total)
        else:
            total += apart if metric == "cityblock" else apart * apart
    return np.sqrt(total) if metric == "euclidean" else total
