"""The matrix of a small problem that was given by points: whole rows are sooner done than lists."""

from __future__ import annotations

import numpy as np

from prunus.assignment.distances import distances
from prunus.assignment.exact.dense import NO_LISTS
from prunus.assignment.points.applies import near_points
from prunus.assignment.problem import Assignment
from prunus.model.arrays import FloatArray

_COORDINATES = 8
"""To go through so many takes no longer than what a pair takes whole rows."""


def is_small(problem: Assignment, most: int) -> bool:
    """Tell whether there are at most so many pairs, and if need be, distances soon computed."""
    size = problem.agents * problem.jobs
    dimensions = 0 if problem.points is None else problem.points[0].shape[1]
    return size <= most and size * dimensions <= _COORDINATES * most


def small_matrix(problem: Assignment) -> FloatArray | None:
    """Return the distances of all pairs of points if these are few.

    None if they are many, or a tree spares most of them, or some are beyond all floats.
    """
    if problem.points is None or not is_small(problem, NO_LISTS) or near_points(problem):
        return None
    left, right = problem.points
    with np.errstate(over="ignore"):
        found = distances(left[:, None], right, str(problem.metric))
    return found if np.isfinite(found).all() else None
