"""Counts of placements, with every symmetry."""

import numpy as np

from prunus._native.nqueens import sweep
from prunus.nqueens.tasks.choose import queens_tasks


def answers():
    """Return solutions and nodes for boards of 5 to 11."""
    found = []
    for n in range(5, 12):
        for symmetry in ("none", "mirror", "all"):
            tasks = queens_tasks(n, symmetry)
            found.append(sweep(tasks.arrays, tasks.groups, 0, len(tasks), np.zeros(1, np.int64)))
    return found
