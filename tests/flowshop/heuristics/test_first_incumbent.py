"""The first incumbent: reproducible with any number of threads, reported, stoppable."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from prunus.flowshop.bounds.johnson import root_bound
from prunus.flowshop.heuristics.first_incumbent import FirstIncumbentTuning, first_incumbent
from prunus.flowshop.heuristics.neh import neh
from prunus.flowshop.problem import FlowShop
from prunus.read import read
from tests.flowshop.objectives import makespan_of
from tests.twins.flowshop import optimum


@pytest.mark.parametrize("threads", [1, 3])
def test_same_seed_same_schedule(threads):
    """Two calls with the same seed and number of threads agree, job by job."""
    problem = read("ta021")
    objective = makespan_of(problem)
    one, two = (first_incumbent(objective, seed=5, effort=0.05, threads=threads) for _ in range(2))
    assert one[0].tolist() == two[0].tolist()
    assert one[1] == two[1] == problem.evaluate(one[0])


def test_more_threads_are_never_worse():
    """The first of several runs is the single run, so the best is as good; the others differ."""
    problem = read("ta054")
    values = [first_incumbent(makespan_of(problem), effort=0.02, threads=k)[1] for k in (1, 2, 4)]
    assert values == sorted(values, reverse=True)
    assert values[-1] < values[0]


def test_improvements_are_reported_in_order():
    """Every reported schedule has its makespan, each is better, the last is the result."""
    problem = read("ta051")
    seen = []
    result = first_incumbent(
        makespan_of(problem), effort=0.02, on_improvement=lambda *report: seen.append(report)
    )
    assert [problem.evaluate(p) for p, _, _ in seen] == [value for _, value, _ in seen]
    values = [value for _, value, _ in seen]
    assert values == sorted(values, reverse=True)
    assert values[-1] < values[0]
    assert [source for *_, source in seen] == ["neh"] + ["iterated greedy"] * (len(seen) - 1)
    assert values[-1] == result[1] < values[0]


def test_no_effort_is_neh():
    """Effort 0 is NEH alone."""
    problem = read("ta021")
    permutation, makespan = first_incumbent(makespan_of(problem), effort=0)
    assert (permutation.tolist(), makespan) == (neh(problem)[0].tolist(), neh(problem)[1])


@pytest.mark.timeout(120)
def test_stops_when_asked():
    """A caller that asks to stop gets the best schedule so far, hours before the effort is done."""
    problem = read("ta056")
    permutation, makespan = first_incumbent(
        makespan_of(problem), effort=10**6, should_stop=lambda: True
    )
    assert problem.evaluate(permutation) == makespan


@pytest.mark.timeout(120)
def test_an_error_of_the_caller_ends_the_threads():
    """What a callback raises comes through, and no thread goes on with what would take hours."""

    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        first_incumbent(makespan_of(read("ta056")), effort=10**6, threads=2, should_stop=interrupt)


def test_ends_at_the_lower_bound():
    """Where the root bound is reached nothing more is tried: ta001's 1278 within no time."""
    asked = []
    _, makespan = first_incumbent(
        makespan_of(read("ta001")), effort=10**6, should_stop=lambda: bool(asked.append(1))
    )
    assert makespan == root_bound(read("ta001")) == 1278


def test_effort_grows_with_the_jobs():
    """Below twenty jobs the work falls steeply; above, the time grows as jobs x machines."""
    iterations = FirstIncumbentTuning().iterations_for
    work = [iterations(n) * n * n for n in range(1, 200)]
    assert all(a <= 1.05 * b for a, b in pairwise(work))
    assert iterations(5) < iterations(20) / 50


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (2, 2), (4, 1), (6, 4)])
def test_small_instances_are_solved(shape):
    """On a handful of jobs the default effort finds the optimum."""
    times = np.random.default_rng(3).integers(0, 50, shape)
    assert first_incumbent(makespan_of(FlowShop(times)))[1] == optimum(times.tolist())
