"""Assignments that are mended: against SciPy's on the arcs that are left."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from prunus.atsp.assignment.matching import UNREACHED, new_matching, new_path_search, repair
from prunus.atsp.graph import compact
from tests.atsp.graphs import check_prices, graph_of

NONE = 2**40
"""The cost of an arc that is not left, for SciPy: more than all others."""


def least(arcs, n):
    """Return the value of the best assignment; None if there is none."""
    matrix = np.full((n, n), NONE)
    for (i, j), cost in arcs.items():
        matrix[i, j] = cost
    value = int(matrix[linear_sum_assignment(matrix)].sum())
    return value if value < NONE else None


@st.composite
def cases(draw):
    """Arcs of few cities with many ties or of any size, prices to begin with, and how to drop."""
    n = draw(st.integers(2, 7))
    costs = st.integers(0, draw(st.sampled_from([2, 20, 10**9])))
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    present = draw(st.lists(st.sampled_from(pairs), min_size=n, unique=True))
    prices = draw(st.lists(st.integers(-30, 30), min_size=n, max_size=n))
    return n, {pair: draw(costs) for pair in present}, prices, draw(st.integers(0, 2**32))


@settings(max_examples=300, deadline=None)
@given(cases())
def test_arcs_are_dropped_until_no_assignment_is_left(case):
    """After every drop the value is the least, cut off where it is no use, and prices prove it."""
    n, arcs, prices, seed = case
    rng = np.random.default_rng(seed)
    graph, matching, paths = graph_of(arcs, n), new_matching(n), new_path_search(n, len(arcs))
    numbers = {(int(graph.tail[p]), int(graph.head[p])): p for p in range(len(arcs))}
    matching.following[:] = -1
    matching.entering[:] = prices
    while True:
        value = least(arcs, n)
        # What is cut off leaves nothing behind that the next call could stumble over.
        small = -50 if value is None else value - int(rng.integers(0, 3))
        copy = type(matching)(*(array.copy() for array in matching))
        assert repair(graph, copy, paths, small) == small
        assert (paths.away == UNREACHED).all()
        assert not paths.final.any()
        if value is None:
            assert repair(graph, matching, paths, NONE) == NONE
            return
        assert repair(graph, matching, paths, value + 1) == value
        check_prices(graph, matching, n)
        # Mostly arcs of the assignment itself go.
        taken = [(i, int(j)) for i, j in enumerate(matching.following)]
        gone = {taken[k] for k in rng.choice(n, rng.integers(1, 3))}
        gone |= {pair for pair in arcs if rng.random() < 0.05}
        arcs = {pair: cost for pair, cost in arcs.items() if pair not in gone}
        left = {numbers[pair] for pair in arcs}
        for p in range(graph.begin[n]):
            graph.kept[p] = int(graph.arc[p]) in left
        compact(graph)
