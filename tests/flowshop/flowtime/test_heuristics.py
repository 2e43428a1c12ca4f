"""Heuristics for total flow time: schedules cost what they say, and each step is the best."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.flowshop.flowtime.objective import Flowtime, FlowtimeBeam
from prunus.flowshop.flowtime.tree import FlowtimeExplorerFactory
from prunus.flowshop.formats.taillard_set import instance
from prunus.flowshop.heuristics.iterated_greedy import IteratedGreedy
from prunus.flowshop.problem import FlowShop
from prunus.treesearch.beam.model import Guide
from prunus.treesearch.options import StealingPolicy
from tests.flowshop.flowtime import twin


def shop(seed: int, jobs: int, machines: int) -> FlowShop:
    """Draw an instance."""
    times = np.random.default_rng(seed).integers(0, 50, (jobs, machines))
    return FlowShop(times, objective="flowtime")


def flowtime_of(problem: FlowShop) -> Flowtime:
    """Return an instance as the methods see it."""
    return Flowtime(FlowtimeExplorerFactory(problem, StealingPolicy.POWER))


def test_iterated_greedy_ends_where_no_job_is_better_elsewhere() -> None:
    """What it returns costs what it says, is reproducible, and ends at a target."""
    problem = shop(3, 20, 5)
    order = np.arange(20)
    one, two = (IteratedGreedy(problem, 7, stream=1, start=order, target=0) for _ in range(2))
    for run in (one, two):
        assert run.run(20)
        assert not run.run(0)
    assert one.best_permutation.tolist() == two.best_permutation.tolist()
    best = one.best_permutation.tolist()
    cost = problem.evaluate(best)
    assert cost == one.best_cost < problem.evaluate(order)
    for job in best:
        rest = [other for other in best if other != job]
        assert all(problem.evaluate([*rest[:k], job, *rest[k:]]) >= cost for k in range(20))
    done = IteratedGreedy(problem, 7, stream=1, start=one.best_permutation, target=cost)
    assert not done.run(10)
    assert done.iterations == 0


@pytest.mark.parametrize("threads", [1, 3])
def test_beams_that_drop_nothing_are_proofs(threads: int) -> None:
    """Against all permutations; narrow ones find schedules that cost what they say."""
    for seed in range(5):
        problem = shop(seed, 6, 1 + seed)
        best = twin.optimum(problem.processing_times.tolist())
        beam = FlowtimeBeam(problem, threads)
        for weight in (0.0, 1.0):
            found = beam.search(10**4, guide=Guide(weight), cutoff=10**6)
            assert (found.cost, found.complete) == (best, True)
            assert beam.search(10**4, guide=Guide(weight), cutoff=best).solution is None
            narrow = beam.search(2, guide=Guide(weight), cutoff=10**6)
            assert narrow.cost == problem.evaluate(narrow.solution) >= best
            assert not narrow.complete


def test_a_weight_of_idle_time_leads_elsewhere() -> None:
    """The weight is that of the guide: without any, beams look at completion times alone."""
    problem = instance("ta031").with_objective("flowtime")
    beam = FlowtimeBeam(problem)
    costs = [beam.search(20, guide=Guide(w), cutoff=10**7).cost for w in (0.0, 1.0)]
    assert None not in costs
    assert costs[1] < costs[0]


def test_a_first_schedule_even_if_there_is_no_time() -> None:
    """Then the jobs with the least work come first."""
    problem = shop(5, 30, 4)
    order = flowtime_of(problem).first_schedule(lambda: True)
    work = problem.processing_times.sum(1)[order]
    assert (np.diff(work) >= 0).all()
    better = flowtime_of(problem).first_schedule(lambda: False)
    assert problem.evaluate(better) < problem.evaluate(order)
