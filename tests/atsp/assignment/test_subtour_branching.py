"""The nodes of the assignment bound: no better tour is lost, no bound is too high."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from prunus.atsp.assignment.relaxation import assignment_relaxation
from prunus.atsp.assignment.tree import tree
from prunus.atsp.heuristics.karp_patching import patched_tour
from prunus.atsp.problem import ATSP
from tests.atsp.trees import BIG, all_tours, arcs_of, children_of, walk


def check(problem, ub, rows):
    """Walk the whole tree; return the best length found."""
    relaxed = assignment_relaxation(problem)
    cap = min(ub, problem.evaluate(patched_tour(problem, relaxed)) + 1)
    if relaxed.bound >= cap:
        return cap
    return walk(problem, tree(problem, relaxed, cap, rows), cap)


@settings(max_examples=100, deadline=None)
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


@pytest.mark.parametrize("rows", [2, 32])
def test_the_bound_of_a_child_is_its_best_assignment(rows):
    """As SciPy finds it on the arcs that the child has left; and they are those it must have."""
    longest = 0
    for seed in range(12):
        points = np.random.default_rng(seed).integers(0, 100, (12, 2))
        problem = ATSP(np.abs(points[:, None] - points).sum(2))
        relaxed = assignment_relaxation(problem)
        cap = problem.evaluate(patched_tour(problem, relaxed)) + 1
        whole = tree(problem, relaxed, cap, rows)
        search, open_nodes = whole.search(), [(relaxed.bound, whole.root.words[0])]
        for bound, words in open_nodes:
            children, _ = children_of(search, bound, words, cap)
            longest = max(longest, len(children))
            for child, child_words in zip(children.bound, children.words, strict=True):
                matrix = np.full((12, 12), 10**6)
                for arc in arcs_of(whole, child_words):
                    matrix[arc] = problem.distances[arc]
                assert child == matrix[linear_sum_assignment(matrix)].sum()
                if len(open_nodes) < 60:
                    open_nodes.append((int(child), child_words))
    assert longest > 2 or rows == 2


@settings(max_examples=200, deadline=None)
@given(
    st.integers(2, 7),
    st.sampled_from([2, 20, 10**9]),
    st.integers(0, 2**32),
    st.booleans(),
)
def test_any_prices_and_any_arcs_are_mended(n, largest, seed, some):
    """A node without an assignment, whatever its prices, has SciPy's value on the arcs it has left.

    At that value it is cut off; above it, the tour that is met is one of these arcs.
    """
    rng = np.random.default_rng(seed)
    problem = ATSP(rng.integers(0, largest + 1, (n, n)))
    whole = tree(problem, assignment_relaxation(problem), BIG)
    search, words = whole.search(), whole.root.words[0].copy()
    masks = len(words) - n - (n + 1) // 2
    if some:
        words[:masks] &= rng.integers(0, 2**62, masks)
    words[masks : masks + n] = rng.integers(-30, 31, n)
    words[masks + n :] = -1
    matrix = np.full((n, n), 10**12)
    for arc in arcs_of(whole, words):
        matrix[arc] = problem.distances[arc]
    value = int(matrix[linear_sum_assignment(matrix)].sum())
    children, found = children_of(search, -BIG, words, min(value, BIG))
    assert (len(children), found) == (0, None)
    children, found = children_of(search, -BIG, words, 10**12)
    tours = [length for length, arcs in all_tours(problem) if arcs <= arcs_of(whole, words)]
    if found is not None:
        assert problem.evaluate(found[1:]) == found[0] in tours
    if not some:
        assert found is not None
    assert bool(tours) <= (found is not None or len(children) > 0)
    assert (children.bound >= value).all()
