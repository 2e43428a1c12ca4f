"""The nodes of the assignment bound: no better tour is lost, no bound is too high."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.atsp.relaxation.assignment import patch, relax
from prunus.atsp.splitting.branching import branch
from prunus.atsp.splitting.tree import tree
from prunus.problems.atsp import ATSP
from tests.atsp.trees import BIG, all_tours, walk


def check(problem, ub, rows):
    """Walk the whole tree; return the best length found."""
    relaxed = relax(problem)
    cap = min(ub, problem.evaluate(patch(problem, relaxed)) + 1)
    if relaxed.bound >= cap:
        return cap
    return walk(problem, tree(problem, relaxed, cap), branch, cap, rows, bounded=True)


@settings(max_examples=150, deadline=None)
@given(
    st.integers(2, 6),
    st.sampled_from([1, 5, 100, 10**6, 2**50]),
    st.integers(0, 2**32),
    st.sampled_from(["any", "symmetric", "forbidden"]),
    st.sampled_from([2, 3, 32]),
)
def test_every_node_of_small_trees(n, largest, seed, kind, rows):
    """Each better tour is in exactly one child; no bound is above the best tour of its node."""
    rng = np.random.default_rng(seed)
    distances = rng.integers(0, largest + 1, (n, n))
    if kind == "symmetric":
        distances = np.minimum(distances, distances.T)
    if kind == "forbidden":
        distances = np.where(rng.random((n, n)) < 0.4, 2**51, distances)
    problem = ATSP(distances)
    optimum = min(length for length, _ in all_tours(problem))
    assert check(problem, BIG, rows) == optimum
    assert check(problem, optimum + 1, rows) == optimum
    assert check(problem, optimum, rows) == optimum
