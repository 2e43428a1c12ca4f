"""The nodes of the branch and bound: no better tour is lost, no bound is too high."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.atsp.relaxation.assignment import patch, relax
from prunus.atsp.relaxation.branching import branch
from prunus.atsp.relaxation.root import Root
from prunus.problems.atsp import ATSP

BIG = 2**62


def all_tours(problem):
    """Return every tour's length and its arcs."""
    n = problem.cities
    tours = []
    for rest in itertools.permutations(range(1, n)):
        order = (0, *rest)
        arcs = [(order[k], order[(k + 1) % n]) for k in range(n)]
        tours.append((problem.evaluate(order), frozenset(arcs)))
    return tours


def arcs_of(tree, words):
    """Return the arcs that a node has left."""
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    tails, heads = tree.saved["tail"], tree.saved["head"]
    return {(int(tails[a]), int(heads[a])) for a in range(len(tails)) if bits[a]}


def check(problem, ub, rounds, hasty):
    """Walk the whole tree; return the best length found."""
    tours = all_tours(problem)
    relaxed = relax(problem)
    assert relaxed.bound <= min(length for length, _ in tours)
    root = Root(problem, relaxed, ub, problem.evaluate(patch(problem, relaxed)))
    optimum = min(length for length, _ in tours)
    for _ in range(rounds):
        if root.bound >= ub:
            break
        tour = root.ascend(ub)
        if tour is not None:
            ub = min(ub, problem.evaluate(tour))
        assert root.bound <= max(optimum, ub) if ub <= optimum else root.bound <= optimum
    if root.bound >= ub:
        return ub
    tree = root.tree()
    data, nodes = tree.data(), [(int(tree.root.bound[0]), tree.root.words[0])]
    children = np.zeros((tree.children, tree.words), np.int64)
    bounds, found = np.zeros(tree.children, np.int64), np.zeros(problem.cities + 1, np.int64)
    flag = np.array([int(hasty)])
    count = 0
    while nodes:
        bound, words = nodes.pop()
        count += 1
        assert count < 3000
        here = [(length, arcs) for length, arcs in tours if arcs <= arcs_of(tree, words)]
        better = [(length, arcs) for length, arcs in here if length < ub]
        assert not better or bound <= min(better)[0]
        found[0] = BIG
        size = branch(data, words, bound, ub, flag, children, bounds, found)
        if found[0] < BIG:
            assert problem.evaluate(found[1:]) == found[0] < ub
            ub = int(found[0])
        parts = [arcs_of(tree, children[c]) for c in range(size)]
        for length, arcs in better:
            if length < ub:
                assert sum(arcs <= part for part in parts) == 1
        for c in range(size):
            assert bounds[c] >= bound
            assert parts[c] < arcs_of(tree, words) or size == 1
            nodes.append((int(bounds[c]), children[c].copy()))
    return ub


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
