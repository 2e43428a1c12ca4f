"""NEH: the schedule of the plain version, in both directions, on any size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from prunus.flowshop.heuristics import neh as neh_module
from prunus.flowshop.heuristics.neh import neh
from prunus.flowshop.problem import FlowShop
from prunus.read import read
from tests.flowshop.heuristics import slow_neh
from tests.twins.flowshop import mirrored

matrices = arrays(
    np.int64, array_shapes(min_dims=2, max_dims=2, max_side=8), elements=st.integers(0, 9)
)


@settings(max_examples=100, deadline=None)
@given(matrices)
def test_schedule_is_that_of_the_plain_version(times):
    """NEH returns the better of the plain NEH of the instance and of its reverse."""
    problem = FlowShop(times)
    forward = slow_neh.neh(times.tolist())
    backward = slow_neh.neh(mirrored(times.tolist()))[::-1]
    permutation, makespan = neh(problem)
    assert permutation.tolist() == min(forward, backward, key=problem.evaluate)
    assert makespan == problem.evaluate(permutation)


@pytest.mark.parametrize("seed", [2, 4, 6, 7])
def test_the_better_direction_wins(seed):
    """On instances where the two directions differ, the shorter schedule is returned."""
    times = np.random.default_rng(seed).integers(1, 50, (25, 10))
    problem = FlowShop(times)
    forward = problem.evaluate(slow_neh.neh(times.tolist()))
    backward = problem.evaluate(slow_neh.neh(mirrored(times.tolist()))[::-1])
    assert forward != backward
    assert neh(problem)[1] == min(forward, backward)


@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (40, 3), (3, 40)])
def test_any_shape(shape):
    """One job, one machine, many of either: a permutation with its true makespan."""
    problem = FlowShop(np.random.default_rng(0).integers(0, 100, shape))
    permutation, makespan = neh(problem)
    assert makespan == problem.evaluate(permutation)


def test_scaling_changes_nothing():
    """Times of the order of 2**40 give the schedule that the small ones give."""
    times = np.random.default_rng(1).integers(1, 100, (15, 6))
    small, large = neh(FlowShop(times)), neh(FlowShop(times << 34))
    assert small[0].tolist() == large[0].tolist()
    assert large[1] == small[1] << 34


def test_only_zeros():
    """All times zero: the jobs by index, makespan zero."""
    assert neh(FlowShop(np.zeros((4, 3), int)))[1] == 0


@pytest.mark.parametrize(("name", "best"), [("ta001", 1278), ("ta021", 2297), ("ta056", 3679)])
def test_close_to_the_best_known(name, best):
    """On Taillard's instances NEH is at most 6 % above the best known makespan."""
    assert best <= neh(read(name))[1] <= 1.06 * best


def test_asked_to_stop_it_appends_what_is_left():
    """The first question comes early; then no job is inserted any more, and it is a schedule."""
    problem = FlowShop(np.random.default_rng(3).integers(1, 100, (1500, 20)))
    asked = []
    permutation, makespan = neh(problem, lambda: bool(asked.append(1)) or len(asked) >= 2)
    assert len(asked) == 3
    assert makespan == problem.evaluate(permutation)
    order = np.argsort(-problem.processing_times.sum(1), kind="stable")
    last = permutation.tolist().index(order[-1])
    assert np.delete(permutation, last)[400:].tolist() == order[400:-1].tolist()
    assert neh(problem)[1] < makespan


def test_questions_whether_to_stop_are_evenly_spread():
    """Between two of them the work is the same early and late."""
    sizes, size = [], 0
    while size < 30_000:
        count = neh_module._jobs_in_a_slice(size, 3)
        sizes.append(((size + count) ** 2 - size**2) * 3 * 3 / 2)
        size += count
    assert max(sizes) <= 1.2 * neh_module.STEPS_BETWEEN_POLLS
