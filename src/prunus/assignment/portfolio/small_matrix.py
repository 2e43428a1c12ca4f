"""The matrix of a small problem that was given without one: by points, or by its allowed pairs.

The compact kernel is sooner done with it than lists are, which also take seconds to compile.
"""

from __future__ import annotations

import numpy as np

from prunus.assignment.arithmetic import exact_in_floats
from prunus.assignment.exact.whole_rows import NO_LISTS, SMALL
from prunus.assignment.points.applies import near_points
from prunus.assignment.problem import Assignment
from prunus.model.arrays import AnyArray, FloatArray

_SPARSE = 50
"""Of so many pairs one is allowed, at least, or lists of them are faster from ``SMALL`` on."""


def matrix_size(problem: Assignment) -> int:
    """Return how many numbers are gone through to make the matrix of a problem."""
    size = problem.agents * problem.jobs
    return size if problem.points is None else size * problem.points[0].shape[1]


def small_matrix(problem: Assignment) -> AnyArray | None:
    """Return the matrix of a problem of points or pairs if it is small; else None.

    It is of float64, with an infinity for each forbidden pair.
    """
    size = matrix_size(problem)
    if size > NO_LISTS:
        return None
    if problem.points is not None:
        distances = None if near_points(problem) else _distances(problem)
        return None if distances is None or not np.isfinite(distances).all() else distances
    assert problem.arcs is not None
    start, jobs, values = problem.arcs
    if size > max(SMALL, _SPARSE * len(values)) or len(values) == 0:
        return None
    if not exact_in_floats(values, min(problem.agents, problem.jobs)):
        return None
    matrix = np.full((problem.agents, problem.jobs), -np.inf if problem.maximise else np.inf)
    matrix[np.repeat(np.arange(problem.agents), np.diff(start)), jobs] = values
    return matrix


def _distances(problem: Assignment) -> FloatArray:
    """Return all distances, with nothing compiled."""
    assert problem.points is not None
    total = np.zeros((problem.agents, problem.jobs))
    with np.errstate(over="ignore"):
        for left, right in zip(*(side.T for side in problem.points), strict=True):
            apart = np.abs(left[:, None] - right)
            if problem.metric == "chebyshev":
                np.maximum(total, apart, out=total)
            else:
                total += apart if problem.metric == "cityblock" else apart * apart
    return np.sqrt(total) if problem.metric == "euclidean" else total
