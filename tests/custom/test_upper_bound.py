"""Objectives to beat may be negative, whichever way is better."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

import prunus
from prunus.errors import InputError


class Late(prunus.PermutationProblem):
    """Heavy items late: the negated sum of weight times position is least."""

    def __init__(self, weights: list[int]) -> None:
        super().__init__(len(weights), state=1, data={"w": weights})

    @staticmethod
    def descend(data: Any, state: Any, depth: int, item: int) -> None:
        state[0] -= data.w[item] * depth

    @staticmethod
    def bound(data: Any, state: Any, free: Any, depth: int) -> int:
        total = state[0]
        for j in free:
            total -= data.w[j] * (len(data.w) - 1)
        return total

    def evaluate(self, permutation: Any) -> int:
        return -sum(int(self.data.w[j]) * depth for depth, j in enumerate(permutation))


class Early(Late):
    """The same as a maximum: light items late, so that the negated sum is greatest."""

    maximise = True

    @staticmethod
    def bound(data: Any, state: Any, free: Any, depth: int) -> int:
        total = state[0]
        for j in free:
            total -= data.w[j] * depth
        return total


@pytest.mark.parametrize("kind", [Late, Early])
def test_only_what_is_better_than_a_negative_objective_is_of_interest(kind: type[Late]) -> None:
    """At the optimum there is nothing, one off it there is the optimum."""
    problem = kind([3, 1, 2, 5, 4])
    values = [problem.evaluate(order) for order in permutations(range(5))]
    better = -1 if kind is Late else 1
    optimum = min(values) if kind is Late else max(values)
    none = prunus.solve(problem, upper_bound=optimum, devices="cpu:1")
    assert none.solution is None
    assert none.explored == 1
    one = prunus.solve(problem, upper_bound=optimum - better, devices="cpu:1")
    assert one.status == "optimal"
    assert one.objective == optimum
    assert problem.evaluate(np.asarray(one.solution)) == optimum


def test_objectives_of_the_built_in_problems_are_never_negative() -> None:
    """There a negative upper bound is a mistake."""
    with pytest.raises(InputError, match="not between 0 and"):
        prunus.solve(prunus.ATSP([[0, 1], [1, 0]]), upper_bound=-1)
    with pytest.raises(InputError, match="upper_bound=-4611686018427387904 is not between"):
        prunus.solve(Late([1, 2]), upper_bound=-(2**62))
    with pytest.raises(InputError, match="upper_bound=4611686018427387904 is not between"):
        prunus.solve(Late([1, 2]), upper_bound=2**62)
