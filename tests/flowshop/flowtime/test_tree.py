"""The tree of total flow times: its bound, and as many nodes as the plain search."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from prunus.errors import InputError
from prunus.flowshop.flowtime.node import number_type
from prunus.flowshop.flowtime.root import root_bound
from prunus.flowshop.flowtime.tree import core_tree
from prunus.flowshop.problem import FlowShop
from tests.flowshop.flowtime import twin
from tests.treesearch.gpu_runs import BIG, on_core

SHOPS = arrays(
    np.int64, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=st.integers(0, 30)
)


def flowtime(times: object) -> FlowShop:
    """Make an instance."""
    return FlowShop(times, objective="flowtime")


def random_times(seed: int, jobs: int, machines: int, largest: int = 99) -> np.ndarray:
    """Draw an instance."""
    return np.random.default_rng(seed).integers(0, largest + 1, (jobs, machines))


@settings(max_examples=30, deadline=None)
@given(SHOPS)
def test_the_bound_never_exceeds_the_best_schedule_below(times: np.ndarray) -> None:
    """By all permutations; of a whole schedule it is the total flow time."""
    p = times.tolist()
    jobs = range(len(p))
    best: dict[tuple[int, ...], int] = {}
    for order in itertools.permutations(jobs):
        cost = twin.ends(p, list(order))[1]
        assert flowtime(times).evaluate(order) == cost == twin.bound(p, list(order), order[-1])
        for depth in range(len(p)):
            best[order[:depth]] = min(cost, best.get(order[:depth], cost))
    assert root_bound(flowtime(times)) == twin.bound(p, []) <= best[()]
    for head, cost in best.items():
        assert twin.bound(p, list(head), head[-1] if head else None) <= cost


@settings(max_examples=30, deadline=None)
@given(SHOPS)
def test_a_core_branches_the_nodes_of_the_plain_search(times: np.ndarray) -> None:
    """With nothing given, and with the optimum and one more."""
    p = times.tolist()
    best = twin.optimum(p)
    for cutoff in (10**6, best, best + 1):
        nodes, incumbent = on_core(core_tree(flowtime(times)), cutoff)
        assert (nodes, incumbent.cutoff) == twin.search(p, cutoff)


def test_many_jobs() -> None:
    """Forty jobs on ninety machines, all alike but one: the bound leaves little of the tree."""
    times = np.tile(random_times(1, 1, 90), (40, 1))
    times[7, 3] += 1
    problem = flowtime(times)
    nodes, incumbent = on_core(core_tree(problem), BIG)
    assert incumbent.cutoff == problem.evaluate(incumbent.best.solution)
    again = on_core(core_tree(problem), incumbent.cutoff + 1)
    assert again[1].cutoff == incumbent.cutoff
    assert again[0] <= nodes


@pytest.mark.parametrize("level", [2**31, 2**63])
def test_the_smallest_type_holds_all_sums(level: int) -> None:
    """Around the largest times for which a type is taken, the searches are right."""
    times = np.full((5, 3), (level - 1) // (4 * 8 * 8), np.int64)
    times[0, 0] -= 3
    narrow = number_type(times)
    assert narrow.itemsize == (4 if level == 2**31 else 8)
    problem = flowtime(times)
    assert on_core(core_tree(problem), BIG)[1].cutoff == twin.optimum(times.tolist())
    larger = times + times[1, 1] // 10
    if level == 2**63:
        with pytest.raises(InputError, match="too large for a total flow time"):
            number_type(larger)
    else:
        assert number_type(larger).itemsize == 8
