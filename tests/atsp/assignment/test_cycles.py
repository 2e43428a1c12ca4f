"""Cycles that are joined: for nothing as far as that goes, then as cheaply as Karp's patching."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.atsp.assignment.cycles import join_cycles_free, label_cycles, patch_cycles
from prunus.atsp.assignment.matching import new_matching, new_path_search, repair
from tests.atsp.graphs import check_prices, graph_of


def lengths(following):
    """Return the lengths of the cycles."""
    seen, sizes = set(), []
    for start in range(len(following)):
        size, city = 0, start
        while city not in seen:
            seen.add(city)
            size += 1
            city = int(following[city])
        if size:
            sizes.append(size)
    return sizes


def optimal(n, largest, seed):
    """Make a complete graph with an optimal assignment; its costs, and its cycles labelled."""
    rng = np.random.default_rng(seed)
    arcs = {(i, j): int(rng.integers(0, largest + 1)) for i in range(n) for j in range(n) if i != j}
    graph, matching = graph_of(arcs, n), new_matching(n)
    matching.following[:] = -1
    value = repair(graph, matching, new_path_search(n, len(arcs)), 2**40)
    cycle, size = np.zeros(n, np.int64), np.zeros(n, np.int64)
    count = label_cycles(matching.following, cycle, size)
    return arcs, graph, matching, value, cycle, size, count


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 12), st.sampled_from([0, 1, 3, 50]), st.integers(0, 2**32))
def test_cycles_are_joined_for_nothing(n, largest, seed):
    """They become fewer or stay, what is left is an optimal assignment still, numbers are right."""
    _, graph, matching, _, cycle, size, count = optimal(n, largest, seed)
    assert sorted(size[size > 0]) == sorted(lengths(matching.following))
    left = join_cycles_free(graph, matching, cycle, size, count)
    assert left <= count
    assert left == len(lengths(matching.following)) == len(set(cycle))
    check_prices(graph, matching, n)
    if largest == 0:
        assert left == 1
    for city in range(n):
        assert cycle[city] == cycle[matching.following[city]]


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 12), st.sampled_from([1, 50, 10**6]), st.integers(0, 2**32))
def test_all_cycles_are_patched_to_a_tour(n, largest, seed):
    """Its length is the assignment's and what patching costs; with a gap as small there is none."""
    arcs, graph, matching, value, cycle, size, count = optimal(n, largest, seed)
    following, before = np.zeros(n, np.int64), np.zeros(n, np.int64)
    spoilt = cycle.copy(), size.copy()
    cost = patch_cycles(graph, matching, cycle, size, count, following, before, 2**40)
    assert cost < 2**40
    assert lengths(following) == [n]
    assert (following[before] == np.arange(n)).all()
    assert sum(arcs[i, int(j)] for i, j in enumerate(following)) == value + cost
    if count > 1:
        assert patch_cycles(graph, matching, *spoilt, count, following, before, cost) == cost
