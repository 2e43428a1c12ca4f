"""The first nodes of a tree, and what they tell of its size."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.atsp.assignment.probe import TUNING, log2_tree_size, probe
from prunus.atsp.assignment.relaxation import assignment_relaxation
from prunus.atsp.assignment.tree import tree
from prunus.atsp.heuristics.karp_patching import patched_tour
from prunus.atsp.problem import ATSP
from prunus.runtime.incumbent import Incumbent


def begin(symmetric, stop_at=10**9):
    """Probe distances of 100 cities, and say where it was asked whether to stop."""
    distances = np.random.default_rng(5).integers(1, 10**6, (100, 100))
    problem = ATSP(np.minimum(distances, distances.T) if symmetric else distances)
    relaxed = assignment_relaxation(problem)
    cap = problem.evaluate(patched_tour(problem, relaxed)) + 1
    incumbent, asked = Incumbent(), []

    def should_stop(bound, nodes):
        asked.append((bound, nodes))
        return nodes >= stop_at

    return probe(tree(problem, relaxed, cap), incumbent, cap, should_stop), incumbent, asked


def test_a_tree_that_ends_has_nothing_open():
    """Of unrelated distances the first nodes are all; the bound is the tour's length."""
    probed, incumbent, _ = begin(symmetric=False)
    assert (len(probed.open), probed.hopeless) == (0, False)
    assert probed.bound == incumbent.objective
    assert 0 < probed.nodes < TUNING.last_nodes


def test_a_tree_that_grows_is_given_up_soon_with_all_that_is_open():
    """There and back alike, it is hopeless after some doublings; the least open bound is its bound.

    It is the same every time.
    """
    probed, _, asked = begin(symmetric=True)
    assert probed.hopeless
    assert probed.nodes in [TUNING.first_nodes * 2**k for k in range(2, 5)]
    assert probed.bound == probed.open.bound.min()
    bounds, nodes = zip(*asked, strict=True)
    assert list(bounds) == sorted(bounds)
    assert nodes[-1] == probed.nodes
    assert probed.early_bound == dict(zip(nodes, bounds, strict=True))[128]
    again, _, _ = begin(symmetric=True)
    assert again.nodes == probed.nodes
    assert np.array_equal(again.open.words, probed.open.words)


def test_it_stops_when_told():
    """What is open then is not called hopeless."""
    probed, _, asked = begin(symmetric=True, stop_at=1)
    assert len(asked) == 1
    assert probed.nodes <= TUNING.first_nodes
    assert len(probed.open) > 0
    assert not probed.hopeless


@pytest.mark.parametrize(
    ("gap", "noted", "size"),
    [
        (0, [0, 1, 2], 5),
        (0, [3, 3, 3], 5),
        (30, [0, 3, 6], 15),
        (6, [0, 1, 2, 5], 8),
        (1, [3, 3, 3], np.inf),
    ],
)
def test_the_bound_rises_by_as_much_with_every_doubling(gap, noted, size):
    """After 32 nodes so many doublings are left as what is missing holds the last rises."""
    assert log2_tree_size(32, gap, noted) == size
    assert TUNING.hopeless_log2_size > 5
