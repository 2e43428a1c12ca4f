"""Deep greedy switching of matrices of every type, and of points."""

import numpy as np

from prunus.assignment.instance.benefits import of_matrix, of_points
from prunus.assignment.switching.deep_greedy import DeepGreedySwitching
from prunus.hardware.threads import Threads


def answers():
    """Return columns, evaluations, exchanges and prices of squares and of rectangles."""
    rng = np.random.default_rng(11)
    found = []
    for shape in ((60, 60), (41, 67)):
        matrix = rng.integers(0, 200, shape)
        left, right = rng.random((shape[0], 3)), rng.random((shape[1], 3))
        instances = [of_matrix(matrix.astype(kind), False) for kind in ("f4", "f8", "i8")]
        instances.append(of_points(left, right, "euclidean", True))
        for values in instances:
            switching = DeepGreedySwitching(values, Threads(2), lambda: 7, seed=1, tiny=0.0)
            for _ in switching.start_greedily():
                pass
            for _ in switching.steps("sequential"):
                pass
            prices, kernel = np.zeros(shape[1], values.price), switching.kernel
            for _ in switching.sweep(prices):
                pass
            found.append([kernel.column.tolist(), kernel.evaluations, kernel.switches])
            found.append(prices.tolist())
    return found
