"""Two lists that grow toward one another: the optimum of plain Python, and a bound at any time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from prunus import Knapsack
from prunus.knapsack.solve_state import SolveState
from prunus.knapsack.tuning import TwoListTuning
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.stop_token import MEMORY
from tests.knapsack.brute import optimum, random_instance
from tests.knapsack.starved import outcome_of, starved, without_shortcuts


@pytest.fixture
def early(monkeypatch):
    """Two lists from the first states on, in pieces of a few: the outcome of a search tuned so."""
    without_shortcuts(monkeypatch)
    pieces = TwoListTuning(
        paired_states=4, piece_states=3, shared_states=5, scan_states=8, sampled_states=2
    )

    def search_early(problem, monitor, cores, memory=1 << 28, *, few=0.12, **more):
        tuning = starved(-1000, 1, 1, patience_s=np.inf, **more)
        tuning = replace(tuning, two_list=replace(pieces, few_share=few))
        return outcome_of(SolveState(problem, monitor, cores, memory, tuning=tuning), "core")

    return search_early


def kinds(rng):
    """Instances on which states multiply."""
    w = rng.integers(1, 2000, 16)
    kind = int(rng.integers(0, 4))
    if kind == 0:
        p = w + np.where(w % 6 == 0, 600, 400)
    elif kind == 1:
        p = np.sqrt(4.0 * (4 * 2000**2 - (w - 4000.0) ** 2)).astype(np.int64) // 3
    elif kind == 2:
        p = w + 100
    else:
        p, w, capacity = random_instance(rng, 16)
        return p, w, capacity
    return p, w, int(w.sum()) // int(rng.integers(2, 5))


@pytest.mark.parametrize("few", [0.0, 0.3, 9.0])
def test_two_lists_agree_with_plain_python(early, few):
    """Merging at every step, never and at times, on two threads: always the proven optimum."""
    rng = np.random.default_rng(int(10 * few))
    for _ in range(150):
        p, w, capacity = kinds(rng)
        problem, best = Knapsack(p, w, capacity), optimum(p.tolist(), w.tolist(), capacity)
        monitor = Monitor(Incumbent(maximise=True))
        outcome = early(problem, monitor, int(rng.integers(1, 3)), few=few)
        assert outcome.complete
        assert outcome.bound == best
        assert problem.evaluate(monitor.incumbent.best.solution) == best


@pytest.mark.parametrize("few", [0.0, 9.0])
def test_stopped_anywhere_the_bound_holds(early, few):
    """Whenever the clock says stop, in the middle of a step too, value <= optimum <= bound."""
    rng = np.random.default_rng(7)
    unfinished = 0
    for _ in range(150):
        p, w, capacity = kinds(rng)
        looks = int(rng.integers(1, 200))
        left = iter(range(looks))
        problem, best = Knapsack(p, w, capacity), optimum(p.tolist(), w.tolist(), capacity)
        monitor = Monitor(
            Incumbent(maximise=True), stop=lambda progress, left=left: next(left, None) is None
        )
        outcome = early(problem, monitor, 2, few=few, poll_interval_s=0.0)
        unfinished += not outcome.complete
        assert problem.evaluate(monitor.incumbent.best.solution) <= best <= outcome.bound
        assert outcome.complete or outcome.stop_reason
    assert unfinished > 10


def test_decisions_beyond_a_word(early):
    """Items are known although each list decides more of them than a word holds."""
    rng = np.random.default_rng(5)
    for few in (0.0, 9.0):
        w = rng.integers(1, 40, 300) * 6 + 1
        problem = Knapsack(w + 50, w, int(w.sum()) // 2 + 3)
        monitor = Monitor(Incumbent(maximise=True))
        outcome = early(problem, monitor, 2, few=few)
        assert outcome.complete
        best = monitor.incumbent.best
        assert problem.evaluate(best.solution) == outcome.bound == best.objective


def test_without_memory_it_says_so(early):
    """Lists that outgrow the memory end with a bound and the reason."""
    w = np.random.default_rng(2).integers(1, 10**6, 400)
    p = w + np.where(w % 6 == 0, 3 * 10**5, 2 * 10**5)
    monitor = Monitor(Incumbent(maximise=True))
    outcome = early(Knapsack(p, w, int(w.sum()) // 3), monitor, 2, 1 << 20)
    assert outcome.complete or outcome.stop_reason == MEMORY
    assert outcome.bound >= monitor.incumbent.best.objective
