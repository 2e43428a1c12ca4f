"""Johnson's orders for all machine pairs, and the root bound, against the plain definitions."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from prunus.flowshop.bounds import johnson
from prunus.flowshop.bounds.johnson import johnson_pairs, root_bound
from prunus.flowshop.problem import FlowShop
from prunus.read import read
from tests.twins import flowshop as twin

matrices = arrays(
    np.int64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.integers(0, 9)
)


@settings(max_examples=100, deadline=None)
@given(matrices)
def test_orders_and_steps(times):
    """Every pair's jobs are in the plain order, ties by index, each with its times and its lag."""
    p = times.tolist()
    pairs, steps = johnson_pairs(times)
    assert [tuple(pair) for pair in pairs.tolist()] == list(combinations(range(len(p[0])), 2))
    assert steps.shape == (len(pairs), len(p), 4)
    for (u, v), rows in zip(pairs.tolist(), steps.tolist(), strict=True):
        plain = twin.two_machines(p, range(len(p)), u, v)
        order = twin.johnson({j: (a + x, x + b) for j, (a, x, b) in plain.items()})
        assert rows == [[j, *plain[j]] for j in order]


@settings(max_examples=100, deadline=None)
@given(matrices)
def test_root_bound_is_the_larger_of_both_bounds(times):
    """It is LB1 on the best machine or LB2 on the best pair, and at most the optimum."""
    p = times.tolist()
    front, back, remain = twin.state(p)
    lb1 = max(f + r + b for f, r, b in zip(front, remain, back, strict=True))
    assert root_bound(FlowShop(times)) == max(lb1, twin.lb2_of_node(p, (), ()))
    assert root_bound(FlowShop(times)) <= twin.optimum(p)


def test_two_machines_are_solved_by_the_bound():
    """On two machines without head or tail the bound is Johnson's optimum."""
    p = [[0, 7], [4, 3], [6, 0], [2, 5]]
    assert root_bound(FlowShop(p)) == twin.optimum(p)


def test_large_instances_and_values():
    """Times of 2**40 and 40 machines are exact."""
    times = np.random.default_rng(0).integers(1, 100, (60, 40))
    assert root_bound(FlowShop(times << 34)) == root_bound(FlowShop(times)) << 34
    assert johnson_pairs(times)[1].shape == (780, 60, 4)


def test_taillard():
    """The root bound of ta001 is its optimum; that of ta030 is not."""
    assert root_bound(read("ta001")) == 1278
    assert root_bound(read("ta030")) < 2178


def test_a_bound_that_is_stopped_holds_for_the_pairs_looked_at(monkeypatch):
    """Asked to stop after the first pairs, it is a weaker bound, found by a part of the work."""
    problem = FlowShop(np.random.default_rng(5).integers(1, 100, (20, 60)))
    monkeypatch.setattr(johnson, "ENTRIES_BETWEEN_POLLS", 20)
    looks = []
    stopped = root_bound(problem, lambda: bool(looks.append(1)) or len(looks) == 3)
    assert len(looks) == 3
    assert stopped <= root_bound(problem) <= problem.evaluate(range(20))
    until = np.cumsum(problem.processing_times, 1)
    heads = (until - problem.processing_times).min(0)
    tails = (until[:, -1:] - until).min(0)
    assert stopped >= (heads + problem.processing_times.sum(0) + tails).max()
