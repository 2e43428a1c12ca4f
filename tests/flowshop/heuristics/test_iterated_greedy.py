"""Iterated greedy: reproducible in slices, stoppable, and good."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from prunus.errors import InputError
from prunus.flowshop.heuristics.iterated_greedy import (
    COOLED,
    TUNING,
    GreedyTuning,
    IteratedGreedy,
)
from prunus.flowshop.heuristics.neh import neh
from prunus.flowshop.problem import FlowShop
from prunus.read import read
from tests.flowshop.heuristics import twin
from tests.twins.flowshop import optimum

matrices = arrays(
    np.int64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.integers(0, 9)
)


@settings(max_examples=60, deadline=None)
@given(matrices, st.integers(0, 5))
def test_finds_the_optimum_of_small_instances(times, seed):
    """Up to six jobs, three hundred iterations reach the brute-force optimum, truly evaluated."""
    problem = FlowShop(times)
    run = IteratedGreedy(problem, seed)
    run.run(300)
    assert run.best_cost == problem.evaluate(run.best_permutation) == optimum(times.tolist())


@pytest.mark.parametrize("objective", ["makespan", "flowtime"])
@pytest.mark.parametrize("factor", [1, 40, 10**6, 2**36])
@pytest.mark.parametrize("shape", [(1, 3), (2, 1), (9, 4), (13, 3), (40, 2)])
def test_it_does_what_the_twin_does(objective, factor, shape):
    """Iteration by iteration, with many ties, in numbers of 16, 32 and 64 bits."""
    times = np.random.default_rng(shape[0]).integers(0, 9, shape) * factor
    problem, removed = FlowShop(times, objective=objective), 1 + shape[0] % 3
    tuning = GreedyTuning(removed_jobs=removed, temperature=0.5)
    start = list(range(shape[0]))
    count = 1 if shape[0] > 20 else 6
    run = IteratedGreedy(problem, 5, start=start, tuning=tuning)
    costs, best = twin.iterated_greedy(problem, 5, start, count, removed, run.temperature)
    for cost in costs:
        run.run(1)
        assert run.best_cost == cost[1]
    assert run.best_permutation.tolist() == best


@pytest.mark.parametrize(("name", "best"), [("ta024", 2223), ("ta027", 2273), ("ta030", 2178)])
def test_finds_the_optimum_of_taillards_20x20(name, best):
    """These 20 x 20 instances are solved by one of four streams of a few thousand iterations."""
    runs = [IteratedGreedy(read(name), stream=i, target=best) for i in range(4)]
    for run in runs:
        run.run(5000)
    assert min(run.best_cost for run in runs) == best


def test_never_worse_than_its_start():
    """It begins with NEH's schedule, or the given one, and never returns a worse one."""
    problem = read("ta051")
    run = IteratedGreedy(problem)
    assert run.best_cost == neh(problem)[1]
    run.run(3)
    assert run.best_cost <= neh(problem)[1]
    given_one = IteratedGreedy(problem, start=list(range(50)))
    assert given_one.best_cost == problem.evaluate(range(50))


def test_it_goes_on_from_a_better_schedule():
    """Its best is that one at once, what it finds later is better, and costs are what they say."""
    problem = read("ta051")
    ahead, behind = IteratedGreedy(problem, 1), IteratedGreedy(problem, 2, start=list(range(50)))
    ahead.run(20)
    behind.begin_again(ahead.best_permutation, ahead.best_cost)
    assert behind.best_permutation.tolist() == ahead.best_permutation.tolist()
    assert behind.run(400)
    assert problem.evaluate(behind.best_permutation) == behind.best_cost < ahead.best_cost


def test_slices_and_one_go_agree():
    """Ten slices of twenty iterations give what two hundred at once give; another seed does not."""
    problem = read("ta021")
    whole, sliced = IteratedGreedy(problem, 7), IteratedGreedy(problem, 7)
    whole.run(200)
    for _ in range(10):
        sliced.run(20)
    assert whole.best_permutation.tolist() == sliced.best_permutation.tolist()
    assert whole.iterations == sliced.iterations == 200
    other = IteratedGreedy(problem, 8)
    other.run(200)
    assert other.best_permutation.tolist() != whole.best_permutation.tolist()


def test_seeds_of_any_sign_and_streams():
    """Streams of one seed are different runs."""
    problem = read("ta021")
    runs = [IteratedGreedy(problem, seed, stream=stream) for seed, stream in [(-3, 0), (-3, 1)]]
    for run in runs:
        run.run(50)
    assert runs[0].best_permutation.tolist() != runs[1].best_permutation.tolist()


def test_stop_flag_ends_a_slice():
    """A flag set by another thread ends a long slice, with a true best schedule."""
    problem = read("ta056")
    run = IteratedGreedy(problem)
    stop = np.zeros(1, np.int64)
    thread = threading.Thread(target=run.run, args=(10**9, stop))
    thread.start()
    stop[0] = 1
    thread.join(timeout=30)
    assert not thread.is_alive()
    assert problem.evaluate(run.best_permutation) == run.best_cost
    assert not run.run(5, stop)


def test_ends_at_its_target():
    """Nothing is done once the target is reached."""
    problem = read("ta030")
    run = IteratedGreedy(problem, target=neh(problem)[1])
    assert not run.run(100)
    assert run.iterations == 0


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (2, 1), (5, 1), (3, 30)])
def test_any_shape(shape):
    """One job or one machine is no special case."""
    problem = FlowShop(np.random.default_rng(0).integers(0, 100, shape))
    run = IteratedGreedy(problem, tuning=replace(TUNING, removed_jobs=4))
    run.run(20)
    assert problem.evaluate(run.best_permutation) == run.best_cost


def test_temperature_zero_accepts_nothing_worse():
    """At temperature 0, where no worse schedule is accepted, nothing is divided by it."""
    run = IteratedGreedy(read("ta021"), tuning=replace(TUNING, temperature=0.0))
    run.run(200)
    assert run.iterations == 200
    assert run.best_cost < neh(read("ta021"))[1]


def test_zeros_and_large_values():
    """All times zero, and times of 2**40, neither divide by zero nor overflow."""
    run = IteratedGreedy(FlowShop(np.zeros((4, 3), int)))
    run.run(10)
    assert run.best_cost == 0
    times = np.random.default_rng(0).integers(1, 100, (12, 5))
    small, large = IteratedGreedy(FlowShop(times)), IteratedGreedy(FlowShop(times << 34))
    small.run(100)
    large.run(100)
    assert large.best_cost == small.best_cost << 34


def test_a_start_that_is_no_schedule():
    """One clear sentence."""
    with pytest.raises(InputError):
        IteratedGreedy(read("ta001"), start=[0, 0, 1])


def test_it_cools_down():
    """From the hottest to the last temperature; without a hottest one it stays as it is."""
    problem = read("ta051")
    assert isinstance(problem, FlowShop)
    mean = problem.processing_times.mean()
    for tuning, hottest in ((COOLED, COOLED.hottest), (TUNING, TUNING.temperature)):
        run = IteratedGreedy(problem, tuning=tuning)
        temperatures = []
        for passed in (0.0, 0.5, 1.0):
            run.cool(passed)
            temperatures.append(run.temperature / mean)
        last = tuning.temperature
        assert temperatures == pytest.approx([hottest, (hottest + last) / 2, last])
    assert COOLED.hottest > COOLED.temperature
