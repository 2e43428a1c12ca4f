"""Structures that the host and the kernels of the dense recursion share."""

from __future__ import annotations

import numpy as np

__all__ = ["JOB", "JOIN", "PASS", "STEP", "TRACE"]

STEP = np.dtype([("profit", np.int64), ("shift", np.uint32), ("weight", np.uint32)])

PASS = np.dtype(
    [
        *((name, np.uint64) for name in ("source", "target")),
        *((name, np.int64) for name in ("low", "high", "top", "weight")),
        *((name, np.uint32) for name in ("first", "count", "reach", "lines", "fold")),
        *((name, np.uint32) for name in ("length", "units", "unused")),
    ]
)

JOB = np.dtype(
    [
        *((name, np.uint64) for name in ("passes", "steps")),
        *((name, np.uint32) for name in ("first", "last", "arrived", "again")),
    ]
)

TRACE = np.dtype(
    [
        *((name, np.uint64) for name in ("passes", "steps", "chosen")),
        ("cell", np.int64),
        *((name, np.uint32) for name in ("first", "last")),
    ]
)

JOIN = np.dtype(
    [
        *((name, np.uint64) for name in ("here", "there")),
        *((name, np.int64) for name in ("cells", "wanted", "best", "place")),
    ]
)
