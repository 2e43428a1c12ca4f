"""LB1 of all children at once, against the plain bound of each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.flowshop.cpu.lb1 import bound_children, bound_difference
from tests.flowshop.nodes import KINDS, SHAPES, nodes, random_node

NO_INCUMBENT = 2**62


def run(node, ub):
    """Bound the children of a node; return {job: bound} for each direction."""
    bound_children(
        node.times,
        node.state,
        node.level,
        node.free,
        ub,
        node.bounds,
        node.survivors,
    )
    row = node.bounds[node.level]
    return [{j: int(row[side, j]) for j in node.unscheduled} for side in range(2)]


def check(node, *upper_bounds):
    """Compare bounds, survivors and the difference of sums with the plain ones."""
    expected = [node.lb1(0), node.lb1(1)]
    for ub in upper_bounds:
        assert run(node, ub) == expected
        for side in range(2):
            assert node.surviving(side) == {j for j, bound in expected[side].items() if bound < ub}
    difference = sum(expected[0].values()) - sum(expected[1].values())
    assert bound_difference(node.bounds, node.level, node.free) == difference


@settings(max_examples=200, deadline=None)
@given(nodes(max_jobs=7, max_machines=7), st.integers(0, 150))
def test_bounds_and_survivors(node, ub):
    """Each child gets its plain bound in both directions and survives iff it is below ub."""
    check(node, ub)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_more_than_a_block_and_large_times(shape, kind):
    """More jobs than lanes, more machines than lanes, times as large as the type takes."""
    node = random_node(*shape, kind, seed=5)  # type: ignore[call-arg]
    middle = sorted(run(node, 0)[0].values())[len(node.unscheduled) // 2]
    check(node, 0, middle, middle + 1, NO_INCUMBENT)


@settings(max_examples=50, deadline=None)
@given(nodes(), st.sampled_from([2**15 - 1, 2**15, 2**16, 2**31, 2**32 + 1, NO_INCUMBENT]))
def test_an_upper_bound_beyond_the_type_prunes_nothing(node, ub):
    """The incumbent is not cut down to the width of the lanes."""
    run(node, ub)
    assert node.surviving(0) == node.surviving(1) == set(node.unscheduled)


def test_other_levels_are_not_touched():
    """Bounding a node leaves the bounds of the nodes above it alone."""
    node = random_node(40, 7, np.int16, seed=2)
    node.bounds[:] = 7
    run(node, NO_INCUMBENT)
    others = np.delete(node.bounds, node.level, axis=0)
    assert (others == 7).all()
