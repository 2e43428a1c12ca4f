"""The tree beside the heuristics: small trees end there, large ones cost little and are kept."""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from prunus.flowshop import makespan
from prunus.flowshop.heuristics.first_incumbent import FirstIncumbentTuning, first_incumbent
from prunus.flowshop.heuristics.iterated_greedy import IteratedGreedy
from prunus.flowshop.trial import TreeBesideHeuristics, TrialTuning
from prunus.runtime.incumbent import Incumbent
from tests.flowshop.objectives import makespan_of


def never() -> bool:
    """Whether to stop."""
    return False


@pytest.mark.parametrize("number", [2, 3, 5, 8])
def test_small_trees_need_no_iterated_greedy(number, monkeypatch):
    """Of 20 jobs on 5 machines NEH's schedule is enough: nothing else is run before the proof."""
    monkeypatch.setattr(makespan, "IteratedGreedy", None)
    result = prunus.solve(prunus.read(f"ta{number:03d}"), devices="cpu:2")
    assert (result.status, result.explored) == ("optimal", 1.0)
    assert 0 < result.nodes < 100_000
    assert {entry.source for entry in result.history} <= {"neh", "cpu:0"}


@pytest.mark.parametrize("cores", [1, 2])
def test_what_is_found_depends_on_no_clock(cores):
    """Twice the same: schedules, makespans, nodes of the tree."""
    problem = prunus.FlowShop(np.random.default_rng(5).integers(1, 100, (20, 20)))
    ends = []
    for _ in range(2):
        incumbent, seen = Incumbent(), []

        def improved(permutation, makespan, source, incumbent=incumbent, seen=seen):
            incumbent.offer(makespan, permutation, source)
            seen.append((makespan, source))

        trial = TreeBesideHeuristics(makespan_of(problem), incumbent)
        best = first_incumbent(
            makespan_of(problem),
            threads=cores,
            on_improvement=improved,
            companion=trial,
            tuning=FirstIncumbentTuning(iterations=200),
        )
        ends.append((best[0].tolist(), seen, trial.search.nodes, incumbent.objective))
    assert ends[0] == ends[1]
    assert ends[0][2] > TrialTuning().first_nodes


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_companion_takes_no_iterations(threads, monkeypatch):
    """Every run does all of its iterations, whoever rests while the tree is searched."""
    made = []

    class Noted(IteratedGreedy):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            made.append(self)

    class Counting:
        worked = 0

        def begin(self, should_stop):
            return True

        def work(self, iterations):
            self.worked += iterations

        def interrupt(self):
            pass

        def enough(self):
            return False

    monkeypatch.setattr(makespan, "IteratedGreedy", Noted)
    problem = prunus.FlowShop(np.random.default_rng(1).integers(1, 100, (20, 20)))
    companion = Counting()
    tuning = FirstIncumbentTuning(iterations=50, rounds=5, least_ns=1)
    first_incumbent(makespan_of(problem), threads=threads, companion=companion, tuning=tuning)
    assert [run.iterations for run in made] == [50] * threads
    assert companion.worked >= 50


def test_a_tree_that_improves_nothing_is_left():
    """Without a better schedule the first nodes are all, and beside many jobs nothing is done."""
    problem = prunus.read("ta056")
    incumbent = Incumbent(1)
    tuning = TrialTuning(first_nodes=500, poll_nodes=100)
    trial = TreeBesideHeuristics(makespan_of(problem), Incumbent(3700), tuning)
    assert not trial.begin(never)
    assert 500 <= trial.search.nodes < 700
    trial.work(10)
    assert trial.search.nodes < 700
    stopped = TreeBesideHeuristics(makespan_of(problem), incumbent, tuning)
    assert stopped.state() is None
    assert not stopped.begin(lambda: True)
    assert stopped.search.nodes == 0


def test_far_too_many_jobs_under_a_limit(monkeypatch):
    """The tree of 6000 jobs is not begun; iterated greedy goes on until the limit."""
    monkeypatch.setattr("prunus.flowshop.solver.prove", lambda *_, **__: pytest.fail("no tree"))
    problem = prunus.FlowShop(np.random.default_rng(2).integers(1, 100, (6000, 2)))
    result = prunus.solve(problem, devices="cpu:1", time_limit=0.3)
    assert result.status in ("feasible", "optimal")
    assert result.objective == problem.evaluate(result.solution)
    assert result.bound <= result.objective


def test_a_limit_that_ends_at_once_still_gives_a_schedule():
    """Without heuristics and without time, the jobs come in their order."""
    problem = prunus.FlowShop(np.random.default_rng(3).integers(1, 100, (30, 300)))
    result = prunus.solve(problem, devices="cpu:1", time_limit=1e-9, first_incumbent="none")
    assert (result.status, result.stopped_by) == ("feasible", "time limit")
    assert result.solution.tolist() == list(range(30))
    with_heuristics = prunus.solve(problem, devices="cpu:1", time_limit=1e-9)
    assert with_heuristics.objective < result.objective
