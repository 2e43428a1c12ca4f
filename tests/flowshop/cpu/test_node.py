"""What the native search makes of a node, against the plain bounds and rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus._native.treesearch import Status
from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from tests.flowshop.nodes import KINDS, SHAPES, make_node, nodes, random_node
from tests.twins import flowshop as twin

NO_INCUMBENT = 2**62


def surviving(node, bound, direction, cutoff):
    """Return the plain bounds of the children that survive."""
    jobs = node.unscheduled
    values = {job: twin.lb1(node.p, node.prefix, node.suffix, job, direction) for job in jobs}
    if bound != Bound.LB1 and node.machines > 1:
        for job in jobs:
            two = twin.lb2(node.p, node.prefix, node.suffix, job, direction)
            values[job] = max(values[job], two)
    return {job: value for job, value in values.items() if value < cutoff}


@pytest.mark.parametrize("bound", list(Bound))
def test_bounds_and_survivors(bound):
    """Each child has its plain bound both ways, and survives iff it is below the cutoff."""

    @settings(max_examples=100, deadline=None)
    @given(nodes(max_jobs=7, max_machines=7), st.integers(0, 150))
    def check(node, cutoff):
        search = node.search(bound, Branching.MINBRANCH)
        for direction in range(2):
            expected = surviving(node, bound, direction, cutoff)
            assert node.children(search, direction, cutoff) == expected

    check()


@pytest.mark.parametrize("bound", [Bound.LB1, Bound.MIXED])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [*SHAPES, (2, 70), (6, 33), (33, 9), (70, 2), (36, 34)])
def test_more_than_a_block_and_large_times(shape, kind, bound):
    """More jobs, machines and pairs than lanes, times as large as the type takes.

    The cutoff may be beyond the type: then nothing is pruned.
    """
    if bound != Bound.LB1 and max(shape) >= 64 and min(shape) > 3:
        pytest.skip("the plain bound takes long")
    node = random_node(*shape, kind, seed=5)  # type: ignore[call-arg]
    search = node.search(bound, Branching.MINBRANCH)
    assert search.bits == np.iinfo(kind).bits
    for direction in range(2):
        every = surviving(node, bound, direction, NO_INCUMBENT)
        middle = sorted(every.values())[len(every) // 2]
        for cutoff in (0, middle, middle + 1, 2**15 - 1, 2**16, 2**31, NO_INCUMBENT):
            expected = {job: value for job, value in every.items() if value < cutoff}
            assert node.children(search, direction, cutoff) == expected


@pytest.mark.parametrize("rule", list(Branching))
@pytest.mark.parametrize("bound", [Bound.LB1, Bound.LB2])
def test_direction(rule, bound):
    """Each rule takes the direction that its plain definition takes, ties included."""

    @settings(max_examples=100, deadline=None)
    @given(nodes(max_jobs=7, max_machines=4, largest=4), st.integers(1, 40))
    def check(node, cutoff):
        name = bound.name.lower() if node.machines > 1 else "lb1"
        limit = node.own_limit(bound, cutoff)
        sides = [twin.bounds(node.p, node.prefix, node.suffix, d, name, limit) for d in range(2)]
        expected = twin.choose(rule.name.lower(), node.level, *sides, limit)  # type: ignore[call-arg]
        found = node.chosen(node.search(bound, rule), limit)
        assert found == (expected if min(sides[expected]) < limit else None)

    check()


@pytest.mark.parametrize("kind", KINDS)
def test_sums_do_not_overflow(kind):
    """Bounds near the end of a narrow type are summed in a wider one."""
    for seed in range(4):
        node = random_node(70, 3, kind, seed)
        sides = [twin.bounds(node.p, node.prefix, node.suffix, d, "lb1", 0) for d in range(2)]
        expected = twin.choose("maxsum", node.level, *sides, NO_INCUMBENT)  # type: ignore[call-arg]
        assert node.chosen(node.search(Bound.LB1, Branching.MAXSUM), NO_INCUMBENT) == expected


def test_lb2_is_above_lb1_where_both_machines_are_busy():
    """With 18 units of work on one machine and 15 on the other, LB1 sees no idle time: LB2 does."""
    node = make_node([[6, 7], [8, 5], [4, 3]], [])
    one, two = (node.search(bound, Branching.FORWARD) for bound in (Bound.LB1, Bound.LB2))
    assert node.children(one, 0, NO_INCUMBENT) == {0: 21, 1: 23, 2: 21}
    assert node.children(two, 0, NO_INCUMBENT) == {0: 22, 1: 24, 2: 23}


def test_the_learned_order_does_not_matter():
    """After a search in which pairs have changed places, all bounds are what they were."""
    times = np.random.default_rng(0).integers(1, 99, (9, 13))
    fresh, used = (
        core_tree(FlowShop(times), Bound.LB2, Branching.MINBRANCH).search() for _ in range(2)
    )
    cutoff = np.array([NO_INCUMBENT])
    used.load(np.zeros(9, np.uint32), np.zeros(9, np.uint8), (0, 0, 0), cutoff)
    while used.explore(cutoff, np.zeros(1, np.int64), 10**6) == Status.FOUND:
        cutoff[0] = used.leaf(np.zeros(9, np.int64), np.zeros(9, np.int64))
    assert used.nodes > 100
    for depth in range(9):
        node = make_node(times, [(rank, rank % 2) for rank in range(depth)])
        for direction in range(2):
            expected = surviving(node, Bound.LB2, direction, NO_INCUMBENT)
            for search in (fresh, used):
                assert node.children(search, direction, NO_INCUMBENT) == expected
