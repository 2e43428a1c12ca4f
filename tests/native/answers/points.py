"""Points by a tree, in every metric and several dimensions."""

import numpy as np

from prunus.assignment.points.orders import tree_orders
from prunus.assignment.points.solver import PointSolver
from prunus.hardware.threads import Threads


def answers():
    """Return columns, prices and how much was done."""
    found = []
    for metric in range(4):
        for dimensions in (2, 3, 4):
            left, right = np.random.default_rng(metric).random((2, 700, dimensions)) ** 2
            first, second, _ = tree_orders(left, right)
            points = PointSolver(left, right, (first, second), metric, Threads(2), bounded=True)
            phases = list(points.steps())
            figures = points.figures()
            found.append([first.tolist(), points.column.tolist(), points.prices.tolist()])
            found.append([points.best.tolist(), phases, list(figures.values())])
    return found
