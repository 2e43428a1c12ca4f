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


def test_beams_keep_what_the_twin_keeps() -> None:
    """Narrow and wide, with a cutoff and without, with much idle time and none, in long numbers."""
    decided = 0
    for seed in range(24):
        problem = shop(seed, 7 + seed % 3, 1 + seed % 6)
        p = problem.processing_times.tolist()
        width, weight, cutoff = (3, 8, 25)[seed % 3], (1.0, 0.0, 0.3, 2.0)[seed % 4], 10**6
        if seed % 2:
            least, _, tied = twin.beam(p, width, weight, 10**6)
            cutoff = least - seed % 4
        least, complete, tied = twin.beam(p, width, weight, cutoff)
        if not tied:
            decided += 1
            found = FlowtimeBeam(problem).search(width, guide=Guide(weight), cutoff=cutoff)
            assert (found.cost, found.complete) == (least, complete)
    assert decided > 12


def test_beams_of_large_times() -> None:
    """In numbers of 64 bits a narrow beam finds what it finds in 32, without idle time."""
    small = shop(1, 12, 4)
    large = FlowShop(small.processing_times * 2**28, objective="flowtime")
    for width in (1, 40):
        found = [
            FlowtimeBeam(problem).search(width, guide=Guide(0.0), cutoff=2**60).cost
            for problem in (small, large)
        ]
        assert found[1] == found[0] << 28


def test_what_has_the_same_below_it_is_kept_once() -> None:
    """Of eight equal jobs only which are fixed counts: at most 70 sets of them a level."""
    equal = FlowShop(np.full((8, 3), 5), objective="flowtime")
    assert FlowtimeBeam(equal).search(69, guide=Guide(1.0), cutoff=10**6).complete is False
    found = FlowtimeBeam(equal).search(70, guide=Guide(1.0), cutoff=10**6)
    assert (found.cost, found.complete) == (equal.evaluate(range(8)), True)


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
