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
from tests.knapsack.starved import outcome_of, starved


def early(problem, monitor, cores, memory=1 << 28, *, piece=3, **more):
    """Search with two lists from the first states on, merged in pieces of a few."""
    tuning = starved(-1000, 1, 1, patient_states=1 << 60, **more)
    tuning = replace(tuning, two_list=TwoListTuning(piece_states=piece, shared_states=5))
    return outcome_of(SolveState(problem, monitor, cores, memory, tuning=tuning), "core")


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


@pytest.mark.parametrize("piece", [1, 3, 1000])
def test_two_lists_agree_with_plain_python(piece):
    """In pieces of one state, of a few and of all, on two threads: always the proven optimum."""
    rng = np.random.default_rng(piece)
    for _ in range(150):
        p, w, capacity = kinds(rng)
        problem, best = Knapsack(p, w, capacity), optimum(p.tolist(), w.tolist(), capacity)
        monitor = Monitor(Incumbent(maximise=True))
        outcome = early(problem, monitor, int(rng.integers(1, 3)), piece=piece)
        assert outcome.complete
        assert outcome.bound == best
        assert problem.evaluate(monitor.incumbent.best.solution) == best


@pytest.mark.parametrize("piece", [1, 4])
def test_stopped_anywhere_the_bound_holds(piece):
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
        outcome = early(problem, monitor, 2, piece=piece, poll_interval_s=0.0)
        unfinished += not outcome.complete
        assert problem.evaluate(monitor.incumbent.best.solution) <= best <= outcome.bound
        assert outcome.complete or outcome.stop_reason
    assert unfinished > 10


def test_decisions_beyond_a_word():
    """Items are known although each list decides more of them than a word holds."""
    rng = np.random.default_rng(5)
    for piece in (3, 1000):
        w = rng.integers(1, 40, 300) * 6 + 1
        problem = Knapsack(w + 50, w, int(w.sum()) // 2 + 3)
        monitor = Monitor(Incumbent(maximise=True))
        outcome = early(problem, monitor, 2, piece=piece)
        assert outcome.complete
        best = monitor.incumbent.best
        assert problem.evaluate(best.solution) == outcome.bound == best.objective


def test_without_memory_it_says_so():
    """Lists that outgrow the memory end with a bound and the reason."""
    w = np.random.default_rng(2).integers(1, 10**6, 400)
    p = w + np.where(w % 6 == 0, 3 * 10**5, 2 * 10**5)
    monitor = Monitor(Incumbent(maximise=True))
    outcome = early(Knapsack(p, w, int(w.sum()) // 3), monitor, 2, 1 << 20)
    assert outcome.complete or outcome.stop_reason == MEMORY
    assert outcome.bound >= monitor.incumbent.best.objective
