"""``prunus.check`` finds what is wrong with a user's functions, and nothing where nothing is."""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from prunus import InputError
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
