"""The matrix of a small problem that was given by points.

The compact kernel is sooner done with it than lists are, which also take seconds to compile.
"""

from __future__ import annotations

import numpy as np

from prunus.assignment.distances import distances
from prunus.assignment.exact.whole_rows import NO_LISTS
from prunus.assignment.points.applies import near_points
from prunus.assignment.problem import Assignment
from prunus.model.arrays import FloatArray


def matrix_size(problem: Assignment) -> int:
    """Return how many numbers are gone through to make the matrix of a problem."""
    size = problem.agents * problem.jobs
    return size if problem.points is None else size * problem.points[0].shape[1]


def small_matrix(problem: Assignment) -> FloatArray | None:
    """Return the distances of all pairs of points if these are few, with nothing compiled.

    None if they are many, or a tree spares most of them, or some are beyond all floats.
    """
    if problem.points is None or matrix_size(problem) > NO_LISTS or near_points(problem):
        return None
    left, right = problem.points
    with np.errstate(over="ignore"):
        found = distances(left[:, None], right, str(problem.metric))
    return found if np.isfinite(found).all() else None
