"""Array problems: values may occur again, and positions have different numbers of them."""

from __future__ import annotations

import itertools
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prunus
from prunus import ArrayProblem, InputError
from prunus.custom.costs import CostProblem
from prunus.custom.cpu.tree import core_tree
from prunus.custom.plain_tree import PlainTree, cost_sign
from prunus.stop import MaxNodes
from tests.custom.problems import plain_search
from tests.treesearch.gpu_runs import on_core


class Spread(ArrayProblem):
    """Tasks on machines of different speeds: each pair on one machine costs something."""

    def __init__(self, costs, choices):
        data = {"costs": costs, "tasks": len(costs)}
        super().__init__(choices, state=1 + len(costs), data=data)

    @staticmethod
    def descend(data, state, depth, value):
        for other in range(depth):
            if state[1 + other] == value:
                state[0] += data.costs[other, depth]
        state[0] += value % 3
        state[1 + depth] = value

    @staticmethod
    def bound(data, state, depth):
        return state[0]

    def evaluate(self, values):
        pairs = itertools.combinations(range(len(values)), 2)
        clashes = (int(self.data.costs[a, b]) for a, b in pairs if values[a] == values[b])
        return sum(clashes) + sum(int(value) % 3 for value in values)


class Coins(ArrayProblem):
    """As much as possible without going beyond: constraints and a maximum."""

    maximise = True

    def __init__(self, values, most):
        super().__init__([2] * len(values), state=1, data={"values": values, "most": most})

    @staticmethod
    def descend(data, state, depth, value):
        state[0] += value * data.values[depth]

    @staticmethod
    def feasible(data, state, depth):
        return state[0] <= data.most

    @staticmethod
    def bound(data, state, depth):
        return data.most if depth < len(data.values) else state[0]

    def evaluate(self, values):
        total = int(sum(self.data.values * values))
        return total if total <= self.data.most else None


class Binary(ArrayProblem):
    """Zeros and ones without two ones in a row: their number is a Fibonacci number."""

    counts_solutions = True

    def __init__(self, length):
        super().__init__([2] * length, state=2, data={})

    @staticmethod
    def descend(data, state, depth, value):
        state[0], state[1] = state[1], value

    @staticmethod
    def feasible(data, state, depth):
        return not (state[0] and state[1])

    def evaluate(self, values):
        return not any(a and b for a, b in itertools.pairwise(values))


def random_arrays(rng):
    """One of each kind, and what is best of all arrays."""
    choices = [int(c) for c in rng.integers(1, 5, 5)]
    coins = Coins(rng.integers(1, 30, 6), int(rng.integers(0, 80)))
    return [Spread(rng.integers(0, 20, (5, 5)), choices), coins]


def best_of(problem):
    """The best objective over all arrays."""
    arrays = itertools.product(*map(range, problem.choices))
    found = [problem.evaluate(np.array(values)) for values in arrays]
    best = [value for value in found if value is not None]
    return max(best) if problem.maximise else min(best)


@settings(max_examples=6)
@given(seed=st.integers(0, 2**32))
def test_the_best_array_is_found(seed):
    """As by all arrays; with it to be beaten, the nodes are those of the plain search."""
    for problem in random_arrays(np.random.default_rng(seed)):
        result = prunus.solve(problem, devices="cpu:2", seed=seed)
        best = best_of(problem)
        assert (result.status, result.objective) == ("optimal", best)
        assert problem.evaluate(result.solution) == best
        tree = PlainTree(problem)
        costs = CostProblem.of(problem, tree.cost(tree.root()))
        limit = cost_sign(problem) * best
        nodes, _, least = plain_search(problem, limit)
        assert on_core(core_tree(costs), limit - costs.base)[0] == nodes
        assert least > limit


@pytest.mark.parametrize(("length", "number"), [(1, 2), (2, 3), (12, 377)])
def test_arrays_are_counted(length, number):
    """The last position has several leaves below one node."""
    assert prunus.solve(Binary(length), devices="cpu").objective == number


def test_more_values_than_a_word_has_bits():
    """Values from 0 to 69, of which only the last is good."""
    problem = Spread(np.zeros((2, 2), int), [70, 40])
    result = prunus.solve(problem, devices="cpu", first_incumbent="none")
    assert result.objective == 0
    nodes, _, _ = plain_search(problem, 3)
    assert on_core(core_tree(CostProblem(problem, 0)), None)[1].cutoff == 0
    assert nodes == 1 + 70


def test_check_takes_arrays():
    """Good ones pass; a bound that is too high is found."""
    for problem in (*random_arrays(np.random.default_rng(3)), Binary(6)):
        assert prunus.check(problem, walks=20).feasible > 0

    class Wrong(Spread):
        @staticmethod
        def bound(data, state, depth):
            return state[0] + 40 * (depth < data.tasks)

    with pytest.raises(InputError, match=r"Wrong\.bound says \d+ for .*, above what is possible"):
        prunus.check(Wrong(np.ones((5, 5), int), [2] * 5))


def test_searches_go_on_and_travel(tmp_path):
    """Checkpoints and workers know different numbers of values: the count stays."""
    problem = Spread(np.random.default_rng(4).integers(0, 9, (9, 9)), [3, 4, 2, 5, 3, 4, 2, 3, 4])
    best = prunus.solve(problem, devices="cpu").objective
    options = {"upper_bound": best, "proof": "direct", "devices": "cpu"}
    whole = prunus.solve(problem, **options)
    path = tmp_path / "run.ckpt"
    prunus.solve(problem, checkpoint=path, checkpoint_every=0.001, stop=MaxNodes(1), **options)
    again = prunus.resume(path, devices="cpu:2")
    assert (again.nodes, again.status, again.problem.choices) == (
        whole.nodes,
        "infeasible",
        problem.choices,
    )
    with ProcessPoolExecutor(2) as pool:
        assert prunus.solve(problem, executor=pool, **options).nodes == whole.nodes


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        (3, "must be a sequence"),
        ([], "for 1 to"),
        ([2, 0], "must be from 1"),
        ([1.5], "not a whole number"),
    ],
)
def test_choices_that_are_none(choices, said):
    """The number of values is given for each position."""
    with pytest.raises(InputError, match=said):
        ArrayProblem(choices, state=1, data={})


def test_what_array_problems_refuse():
    """A permutation's parameters, values out of range, and GPUs."""

    class Bad(Binary):
        @staticmethod
        def feasible(data, state, free, depth):
            return True

    with pytest.raises(InputError, match=r"take the parameters \(data, state, depth\), not"):
        prunus.solve(Bad(3), devices="cpu")
    problem = Spread(np.zeros((2, 2), int), [3, 2])
    with pytest.raises(InputError, match="2 is not one of the values 0 to 1"):
        prunus.solve(problem, devices="cpu", initial_solution=[2, 2])
