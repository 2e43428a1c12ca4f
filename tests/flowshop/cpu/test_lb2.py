"""LB2 with 32 pairs of machines a vector, against the plain bound; and what the order learns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.flowshop.cpu.lb1 import bound_children
from prunus.flowshop.cpu.lb2 import tighten
from prunus.flowshop.cpu.machine_pairs import lay_out, mark_scheduled, promote_last_pruner
from tests.flowshop.nodes import KINDS, make_node, nodes, random_node
from tests.twins import flowshop as twin

NO_INCUMBENT = 2**62


def tables(node):
    """Lay out a node's instance, with the jobs that are fixed on the way to the node."""
    pairs = lay_out(np.array(node.p), node.times.dtype)
    for level in range(node.level):
        word = node.free[level] & ~node.free[level + 1]
        job = next(j for j in range(len(node.p)) if word[j >> 5] >> (j & 31) & 1)
        mark_scheduled(pairs.places, pairs.open, level, job)
    return pairs


def run(node, pairs, direction, ub):
    """Bound the children of one direction by LB1, then by LB2; return {job: bound}."""
    bound_children(
        node.times, node.state, node.level, node.free, ub, node.bounds,
        node.survivors,
    )  # fmt: skip
    tighten(
        pairs, node.rows, node.state, node.level, node.bounds, node.survivors, direction, ub,
    )  # fmt: skip
    return {j: int(node.bounds[node.level, direction, j]) for j in node.unscheduled}


def expected(node, direction):
    """Return {job: (LB1, the larger of LB1 and LB2)}."""
    bounds = {}
    for job, one in node.lb1(direction).items():
        two = twin.lb2(node.p, node.prefix, node.suffix, job, direction)
        bounds[job] = (one, max(one, two))
    return bounds


def check(node, pairs, direction, bounds, ub):
    """Compare bounds and survivors with the plain ones."""
    found = run(node, pairs, direction, ub)
    assert node.surviving(direction) == {j for j, (_, two) in bounds.items() if two < ub}
    for job, (one, two) in bounds.items():
        assert found[job] == (one if one >= ub else min(two, ub))


@settings(max_examples=300, deadline=None)
@given(nodes(max_jobs=7, max_machines=7), st.integers(0, 150), st.integers(0, 1))
def test_bounds_and_survivors(node, ub, direction):
    """Survivors have their plain bound; the others LB1 if that prunes them, else exactly ub."""
    if node.machines > 1:
        check(node, tables(node), direction, expected(node, direction), ub)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(2, 70), (6, 33), (33, 9), (70, 2), (36, 34)])
def test_more_than_a_block_and_large_times(shape, kind):
    """More jobs, pairs and machines than lanes, times as large as the type takes."""
    node = random_node(*shape, kind, seed=3)  # type: ignore[call-arg]
    for direction in range(2):
        bounds = expected(node, direction)
        middle = sorted(two for _, two in bounds.values())[len(bounds) // 2]
        pairs = tables(node)
        for ub in (middle, middle + 1, NO_INCUMBENT):
            check(node, pairs, direction, bounds, ub)


def test_lb2_is_above_lb1_where_both_machines_are_busy():
    """With 18 units of work on one machine and 15 on the other, LB1 sees no idle time: LB2 does."""
    node = make_node([[6, 7], [8, 5], [4, 3]], [], np.int16)
    bounds = expected(node, 0)
    assert bounds == {0: (21, 22), 1: (23, 24), 2: (21, 23)}
    check(node, tables(node), 0, bounds, NO_INCUMBENT)


def learned(node, pairs, rounds, seed):
    """Let random pairs change places with pairs of the block before, as the search would."""
    rng = np.random.default_rng(seed)
    swapped = 0
    for _ in range(rounds):
        block, lane = int(rng.integers(len(pairs.hits))), int(rng.integers(32))
        pairs.hits[block, lane] += 1
        if block > 0:
            pairs.pruned[:] = block, lane
        before = pairs.ends.copy()
        if pairs.pruned[0] > 0:
            promote_last_pruner(pairs, node.level)
        swapped += (before != pairs.ends).any()
    return swapped


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(9, 13), (34, 10)])
def test_the_learned_order_does_not_matter(shape, kind):
    """Whatever pairs have changed places, bounds and survivors are the same at every level."""
    node = random_node(*shape, kind, seed=4)  # type: ignore[call-arg]
    pairs = tables(node)
    bounds = expected(node, 0)
    middle = sorted(two for _, two in bounds.values())[len(bounds) // 2]
    for seed in range(3):
        assert learned(node, pairs, 60, seed) > 5
        for ub in (middle, NO_INCUMBENT):
            check(node, pairs, 0, bounds, ub)
    again = tables(node)
    assert pairs.open[: node.level + 1].tolist() != again.open[: node.level + 1].tolist()
    for level in range(node.level):
        word = node.free[level] & ~node.free[level + 1]
        job = next(j for j in range(len(node.p)) if word[j >> 5] >> (j & 31) & 1)
        assert (pairs.open[level + 1] == pairs.open[level] & ~pairs.places[job]).all()


def test_a_pair_that_prunes_moves_forward():
    """Of 45 pairs the 40th prunes again and again: it comes to the first block and stays there."""
    times = np.random.default_rng(0).integers(1, 99, (6, 10))
    pairs = lay_out(times, np.int16)
    pair = pairs.ends[1, :, 7].tolist()
    for _ in range(3):
        pairs.hits[1, 7] += 1
        pairs.pruned[:] = 1, 7
        promote_last_pruner(pairs, 0)
    assert pair in pairs.ends[0].T.tolist()
    assert pair not in pairs.ends[1].T.tolist()


def test_the_bound_of_a_leaf_is_its_makespan():
    """With one job left, LB2 of the child is the makespan of the schedule."""
    node = make_node(
        np.random.default_rng(1).integers(0, 50, (5, 6)), [(1, 0), (2, 1), (0, 0), (1, 1)], np.int16
    )
    (job,) = node.unscheduled
    found = run(node, tables(node), 1, NO_INCUMBENT)
    assert found[job] == twin.makespan(node.p, (*node.prefix, job, *node.suffix))
