"""``prunus.check`` finds what is wrong with a user's functions, and nothing where nothing is."""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from prunus import InputError, PermutationProblem
from tests.custom.problems import Ordering, Queens, Tardiness, Tour, random_problems, tour_bound


def test_good_problems_pass():
    """No counterexample is made up, whatever the kind of problem."""
    for problem in (*random_problems(np.random.default_rng(1), 5), Queens(5)):
        found = prunus.check(problem, walks=8)
        assert found.walks == 8
        assert found.leaves >= found.feasible > 0


def wrong(kind, **functions):
    """A subclass with other functions."""
    return type(kind.__name__, (kind,), {n: staticmethod(f) for n, f in functions.items()})


DISTANCES = np.random.default_rng(2).integers(5, 50, (6, 6))
JOBS = np.random.default_rng(2).integers(1, 20, (3, 5))


def test_a_bound_that_is_too_high_is_found():
    """A minimised problem whose bound counts something twice."""

    def bound(data, state, free, depth):
        return tour_bound(data, state, free) + 40 * len(free)

    problem = wrong(Tour, bound=bound)(DISTANCES)
    with pytest.raises(
        InputError, match=r"Tour\.bound says \d+ for .*, above what is possible: \["
    ):
        prunus.check(problem)


def test_a_bound_that_is_too_low_is_found_where_one_maximises():
    """A maximised problem whose bound forgets what is free."""

    def bound(data, state, free, depth):
        return state[0]

    problem = wrong(Ordering, bound=bound)(DISTANCES)
    with pytest.raises(InputError, match=r"Ordering\.bound says -?\d+ for .*, below what is poss"):
        prunus.check(problem)


def test_an_objective_that_is_not_that_of_evaluate_is_found():
    """The functions forget the way back; check says so, and a solve does not take it."""

    def bound(data, state, free, depth):
        return state[1]

    problem = wrong(Tour, bound=bound)(DISTANCES)
    with pytest.raises(InputError, match=r"descend and bound of Tour say \d+, evaluate says \d+"):
        prunus.check(problem)
    with pytest.raises(InputError, match=r"descend and bound of Tour say \d+, evaluate says \d+"):
        prunus.solve(problem, devices="cpu")


def test_a_constraint_that_refuses_a_solution_is_found():
    """Queens that may not stand in neighbouring columns of the first two rows."""

    def feasible(data, state, free, depth):
        if depth == 1:
            return state[0] != 1
        return Queens.feasible(data, state, free, depth)

    with pytest.raises(InputError, match=r"Queens\.feasible refuses the prefix \[1\], but"):
        prunus.check(wrong(Queens, feasible=feasible)(4))


def test_a_constraint_that_is_forgotten_is_found():
    """Everything is allowed, evaluate says no."""

    def feasible(data, state, free, depth):
        return True

    with pytest.raises(InputError, match="that it is a solution, evaluate says that it is not"):
        prunus.check(wrong(Queens, feasible=feasible)(5))


def test_a_float_in_the_state_is_found():
    """Compiled code would round it silently; plain Python says where."""

    def descend(data, state, depth, item):
        state[0] += data.times[item] / 2

    problem = wrong(Tardiness, descend=descend)(*JOBS)
    with pytest.raises(InputError, match=r"Tardiness\.descend: state\[0\] is set to .*whole numb"):
        prunus.check(problem)


def test_numbers_that_are_too_large_are_found():
    """An overflow of compiled code is told where Python has large numbers."""

    def descend(data, state, depth, item):
        state[0] = (state[0] + 3) * 2**30

    problem = wrong(Tardiness, descend=descend)(*JOBS)
    with pytest.raises(InputError, match="does not fit in 62 bits"):
        prunus.check(problem)


class Half(PermutationProblem):
    """Permutations that begin with their first half; evaluate knows nothing of that."""

    strict = False

    def __init__(self, values):
        super().__init__(len(values), state=1, data={"values": values})

    @staticmethod
    def descend(data, state, depth, item):
        state[0] += (depth + 1) * data.values[item]

    @staticmethod
    def feasible(data, state, free, depth):
        half = len(data.values) // 2
        return depth == 0 or depth > half or (half - depth) == free_below(free, half)

    @staticmethod
    def bound(data, state, free, depth):
        return state[0]

    def evaluate(self, permutation):
        half = self.items // 2
        if self.strict and set(map(int, permutation[:half])) != set(range(half)):
            return None
        return sum((k + 1) * int(self.data.values[item]) for k, item in enumerate(permutation))


class StrictHalf(Half):
    """The same, with an evaluate that agrees."""

    strict = True


def free_below(free, limit):
    """Count the free items below a limit."""
    count = 0
    for j in free:
        if j < limit:
            count += 1
    return count


VALUES = [5, 1, 4, 2, 3, 9]


def test_a_bound_is_not_accused_of_what_evaluate_does():
    """What feasible refuses and evaluate takes is said of these two."""
    with pytest.raises(InputError, match=r"Half\.feasible refuses .* evaluate must return None"):
        prunus.check(Half(VALUES))
    assert prunus.check(StrictHalf(VALUES)).feasible > 0


def test_an_initial_solution_is_held_against_feasible_and_evaluate():
    """An infeasible one came back as optimal."""
    wrong_first = [5, 4, 3, 2, 1, 0]
    with pytest.raises(InputError, match=r"is not feasible, evaluate of StrictHalf says"):
        prunus.solve(StrictHalf(VALUES), devices="cpu:1", initial_solution=wrong_first)
    with pytest.raises(InputError, match=r"Half\.feasible refuses .* evaluate must return None"):
        prunus.solve(Half(VALUES), devices="cpu:1", initial_solution=wrong_first)
    good = prunus.solve(StrictHalf(VALUES), devices="cpu:1", initial_solution=range(6))
    assert good.status == "optimal"
    assert set(good.solution[:3].tolist()) == {0, 1, 2}
