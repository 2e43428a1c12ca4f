"""How symmetric distances are, which says what suits an instance."""

from __future__ import annotations

import numpy as np

from prunus.model.arrays import Int64Array

NEARLY_SYMMETRIC = 0.9
"""From this symmetry on an instance is treated as one of places."""

SAMPLED_CITIES = 500
"""Of more cities only so many are looked at."""

FAR = 4.0
"""Distances of so many usual ones count as arcs that do not exist, or that nobody would take."""


def symmetry(distances: Int64Array) -> float:
    """Return the correlation of distances there and back: 1 if they are the same, 0 by chance.

    Pairs of cities with an arc in one direction only do not count, so that it is also high for a
    path from a city to another, of whose arcs some are forbidden.
    """
    some = np.unique(np.linspace(0, len(distances) - 1, SAMPLED_CITIES).astype(np.int64))
    there = distances[np.ix_(some, some)].astype(np.float64)
    off = ~np.eye(len(some), dtype=bool)
    shorter = there[off & (there < there[off].max(initial=0.0))]
    near = off & (there <= FAR * np.median(shorter)) if len(shorter) else off
    near &= near.T
    if not near.any():
        return float(len(some) < 2)
    there, back = there[near], there.T[near]
    there -= there.mean()
    back -= back.mean()
    # Not by BLAS, whose sums differ from machine to machine and whose threads would have to wake.
    norm = float((there * there).sum())
    return float((there * back).sum()) / norm if norm > 0 else 1.0
