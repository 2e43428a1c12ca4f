"""The nodes of the branch and bound: no better tour is lost, no bound is too high."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.atsp.arborescence.root import Root
from prunus.atsp.assignment.relaxation import assignment_relaxation
from prunus.atsp.heuristics.karp_patching import patched_tour
from prunus.atsp.problem import ATSP
from tests.atsp.trees import BIG, all_tours, walk


def check(problem, ub, rounds, hasty):
    """Bound the root and walk the whole tree; return the best length found."""
    optimum = min(length for length, _ in all_tours(problem))
    relaxed = assignment_relaxation(problem)
    assert relaxed.bound <= optimum
    root = Root(problem, relaxed, ub, patched_tour(problem, relaxed))
    for _ in range(rounds):
        if root.bound >= ub:
            break
        tour = root.ascend(ub)
        if tour is not None:
            ub = min(ub, problem.evaluate(tour))
        assert root.bound <= max(optimum, ub) if ub <= optimum else root.bound <= optimum
    if root.bound >= ub:
        return ub
    return walk(problem, root.tree(), ub, hasty=hasty)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 6),
    st.sampled_from([1, 5, 100, 10**6, 2**50]),
    st.integers(0, 2**32),
    st.booleans(),
    st.integers(0, 2),
    st.booleans(),
)
def test_every_node_of_small_trees(n, largest, seed, symmetric, rounds, hasty):
    """Each better tour is in exactly one child; no bound is above the best tour of its node."""
    rng = np.random.default_rng(seed)
    distances = rng.integers(0, largest + 1, (n, n))
    if symmetric:
        distances = np.minimum(distances, distances.T)
    problem = ATSP(distances)
    optimum = min(length for length, _ in all_tours(problem))
    assert check(problem, BIG, rounds, hasty) == optimum
    assert check(problem, optimum + 1, rounds, hasty) == optimum
    assert check(problem, optimum, rounds, hasty) == optimum


@pytest.mark.parametrize("seed", range(3))
def test_trees_with_arcs_that_nobody_may_take(seed):
    """Large numbers in place of forbidden arcs do no harm."""
    rng = np.random.default_rng(seed)
    distances = np.where(rng.random((7, 7)) < 0.5, 10**15, rng.integers(1, 30, (7, 7)))
    problem = ATSP(distances)
    assert check(problem, BIG, 1, False) == min(length for length, _ in all_tours(problem))
