"""Which problems of points are solved by way of a tree, and where."""

from __future__ import annotations

from prunus.assignment.problem import Assignment

_LEAST, _DIMENSIONS = 500, 6
"""Fewer points are solved as soon by looking at all pairs; in more dimensions all are far apart.

On a line very many assignments are equally good, which sorting tells sooner."""


_MANY, _MANY_IN_A_PLANE = 50_000, 150_000
"""So many points cores solve sooner than a GPU that looks at all pairs."""


def sooner_by_tree(problem: Assignment) -> bool:
    """Tell whether cores, with a tree, are faster than a GPU."""
    if problem.points is None or not near_points(problem):
        return False
    return problem.agents >= (_MANY if problem.points[0].shape[1] > 2 else _MANY_IN_A_PLANE)


def near_points(problem: Assignment) -> bool:
    """Tell whether a problem is one of points that are best solved by way of a tree."""
    if problem.points is None or problem.maximise or problem.agents != problem.jobs:
        return False
    count, dimensions = problem.points[0].shape
    return bool(count >= _LEAST and 2 <= dimensions <= _DIMENSIONS)
