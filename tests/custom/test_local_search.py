"""The local search of users' problems, by what it finds in a number of changes."""

from __future__ import annotations

import numpy as np

from prunus.custom.costs import CostProblem
from prunus.custom.local_search import LocalSearch
from prunus.runtime.incumbent import Incumbent
from tests.custom.problems import Tour


def test_parts_are_reversed() -> None:
    """Places on a circle, from a random order: crossings go, which needs whole parts turned."""
    angles = np.linspace(0, 2 * np.pi, 100, endpoint=False)
    places = 1000 * np.column_stack([np.cos(angles), np.sin(angles)])
    distances = np.rint(np.hypot(*(places[:, None] - places).transpose(2, 0, 1))).astype(np.int64)
    costs, incumbent = CostProblem(Tour(distances), 0), Incumbent()
    order = np.random.default_rng(1).permutation(99)
    incumbent.offer(costs.evaluate(order), order, "given")
    search = LocalSearch(costs, incumbent, seed=0, stream=0, trial_ns=2e4, timed=False)
    for _ in range(100):
        search.step()
    best = incumbent.best
    assert best is not None
    assert sorted(best.solution) == list(range(99))
    assert best.objective == costs.evaluate(best.solution)
    assert best.objective == distances[np.arange(100), (np.arange(100) + 1) % 100].sum()
