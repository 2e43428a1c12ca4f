"""The local search of users' problems, by what it finds in a number of changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from prunus.custom.costs import CostProblem
from prunus.custom.heuristics import local_search
from prunus.custom.heuristics.local_search import LocalSearch
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


def test_it_anneals_by_turns_and_learns_what_helps() -> None:
    """Worse solutions are kept for a while, the best is never lost, and reversals are drawn less.

    With arcs that cost the same in both directions by chance only, reversing a part changes all of
    its arcs.
    """
    problem = Tour(np.random.default_rng(3).integers(1, 1000, (40, 40)))
    costs, incumbent = CostProblem(problem, 0), Incumbent()
    order = np.arange(39)
    incumbent.offer(costs.evaluate(order), order, "given")
    search = LocalSearch(costs, incumbent, seed=0, stream=0, trial_ns=2e4, timed=False)
    worse, drawn, bests = 0, [], []
    for _ in range(60):
        search.step()
        changes = search._changes
        best, present = changes.best_cost, changes.cost
        assert best == costs.evaluate(np.array(changes.best_order)) == incumbent.objective
        assert present == costs.evaluate(np.array(changes.order)) >= best
        worse += present > best and search._anneals
        drawn.append(list(changes.weights))
        bests.append(best)
    assert worse > 10
    assert bests == sorted(bests, reverse=True)
    assert max(min(exchanged, moved) / turned for exchanged, moved, turned in drawn) > 1.5
    assert all(weight >= 100 for weights in drawn[1:] for weight in weights)


def test_slices_do_not_get_longer_while_others_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still then, and a slice that is timed by it would be endless."""
    costs, incumbent = CostProblem(Tour(np.ones((30, 30), int)), 0), Incumbent()
    incumbent.offer(30, np.arange(29), "given")
    search = LocalSearch(costs, incumbent, seed=0, stream=0, trial_ns=1e4, timed=True)
    search.step()
    now = [0.0]

    def later() -> float:
        now[0] += 0.01  # half a slice
        return now[0]

    monkeypatch.setattr(local_search.clock, "seconds", lambda: 5.0)
    monkeypatch.setattr(local_search, "perf_counter", later)
    search._trials = 100
    for _ in range(2):
        assert search.step() == 1e3
    assert search._trials == 400
    monkeypatch.setattr(local_search, "perf_counter", lambda: later() + 10 * now[0])
    for _ in range(3):
        search.step()
    assert search._trials < 100


def test_an_interrupt_ends_a_slice_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a slice's four pieces none is begun after an interrupt; the next slice is whole again."""
    costs, incumbent = CostProblem(Tour(np.ones((10, 10), np.int64)), 0), Incumbent()
    incumbent.offer(costs.evaluate(np.arange(9)), np.arange(9), "given")
    search = LocalSearch(costs, incumbent, seed=0, stream=0, trial_ns=2e4, timed=False)
    pieces: list[int] = []

    class Watched:
        """Changes that are counted; an interrupt comes in the second piece."""

        def __init__(self, changes: Any) -> None:
            self._changes = changes

        def __getattr__(self, name: str) -> Any:
            return getattr(self._changes, name)

        def improve(self, trials: int, temperature: float) -> None:
            pieces.append(trials)
            if len(pieces) == 2:
                search.interrupt()

    monkeypatch.setattr(search, "_changes", Watched(search._changes))
    search.step()
    assert len(pieces) == 2
    search.step()
    assert len(pieces) == 2 + 4
