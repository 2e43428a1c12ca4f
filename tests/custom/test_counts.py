"""Users' problems branch the nodes that they must, on a core and on several."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prunus
from prunus.atsp.naive.tree import core_tree as atsp_tree
from prunus.custom.costs import CostProblem
from prunus.custom.cpu.tree import core_tree
from prunus.custom.plain_tree import PlainTree, cost_sign
from prunus.flowshop.cpu.tree import core_tree as shop_tree
from prunus.flowshop.rules import Bound, Branching
from tests.custom.problems import Queens, Shop, Tour, best_of, plain_search, random_problems
from tests.treesearch.gpu_runs import on_core


@settings(max_examples=6)
@given(seed=st.integers(0, 2**32), items=st.integers(1, 6))
def test_every_kind_of_problem_is_solved(seed, items):
    """The optimum is that of all permutations, maximised or not, negative or not."""
    for problem in random_problems(np.random.default_rng(seed), items):
        result = prunus.solve(problem, devices="cpu:2", seed=seed)
        assert result.status == "optimal"
        assert result.objective == result.bound == best_of(problem)
        assert problem.evaluate(result.solution) == result.objective
        assert result.explored == 1


@settings(max_examples=6)
@given(seed=st.integers(0, 2**32), above=st.integers(0, 20))
def test_cores_branch_the_nodes_of_the_plain_search(seed, above):
    """With a value to beat given, exactly those nodes are branched whose bound is better."""
    for problem in random_problems(np.random.default_rng(seed), 6):
        tree = PlainTree(problem)
        best = cost_sign(problem) * best_of(problem) + above
        costs = CostProblem.of(problem, tree.cost(tree.root()))
        nodes, leaves, _ = plain_search(problem, best)
        assert (leaves > 0) == (above > 0)
        if above == 0:
            assert on_core(core_tree(costs), best - costs.base)[0] == nodes
            given_best = cost_sign(problem) * best
            result = prunus.solve(problem, upper_bound=given_best, devices="cpu:2", proof="direct")
            # The bound of the root may prove it without a search.
            assert result.nodes in (0, nodes)
            assert result.status == "infeasible"
            assert result.bound == given_best


def test_the_built_in_atsp_written_by_a_user_is_the_same_tree():
    """Node for node, with the optimum given and without."""
    rng = np.random.default_rng(5)
    for cities in (2, 5, 10):
        distances = rng.integers(1, 60, (cities, cities))
        built_in = atsp_tree(prunus.ATSP(distances))
        own = core_tree(CostProblem(Tour(distances), 0))
        nodes, incumbent = on_core(built_in, None)
        assert on_core(own, None)[0] == nodes
        best = incumbent.cutoff
        assert on_core(own, best)[0] == on_core(built_in, best)[0]


def test_the_built_in_flow_shop_written_by_a_user_is_the_same_tree():
    """Node for node, with the one-machine bound and forward branching."""
    rng = np.random.default_rng(6)
    for jobs, machines in ((1, 3), (7, 2), (9, 5)):
        times = rng.integers(1, 60, (jobs, machines))
        built_in = shop_tree(prunus.FlowShop(times), Bound.LB1, Branching.FORWARD)
        own = core_tree(CostProblem(Shop(times), 0))
        nodes, incumbent = on_core(built_in, None)
        assert on_core(own, None)[0] == nodes
        best = incumbent.cutoff
        assert on_core(own, best)[0] == on_core(built_in, best)[0]


@pytest.mark.parametrize(("n", "solutions"), [(1, 1), (2, 0), (3, 0), (4, 2), (6, 4), (8, 92)])
def test_solutions_are_counted(n, solutions):
    """All permutations that break no constraint are counted, and the nodes are the plain ones."""
    result = prunus.solve(Queens(n), devices="cpu:2")
    assert (result.status, result.objective) == ("optimal", solutions)
    assert result.solution is None
    nodes, leaves, _ = plain_search(Queens(n))
    assert (result.nodes, result.objective) == (nodes, leaves)
