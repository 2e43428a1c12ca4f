"""Which compiled code belongs to a class: that of what its functions compute at the moment."""

from __future__ import annotations

import enum
import gc
import types
import weakref
from typing import Any

import numpy as np
import pytest

from prunus import InputError, PermutationProblem
from prunus.custom.costs import CostProblem
from prunus.custom.cpu.compiled_functions import compiled_functions
from tests.custom.problems import Tardiness

JOBS = np.arange(1, 5), np.arange(1, 5), np.arange(1, 5)


class Late(Tardiness):
    """The same functions in another class."""


def test_the_same_functions_are_compiled_once():
    """Of another class, and of other data; not for data with other dimensions."""
    first = compiled_functions(Tardiness(*JOBS))
    assert compiled_functions(Late(*(3 * row for row in JOBS))) is first


class Rate(enum.IntEnum):
    """Constants that a function reads."""

    OF_A_DAY = 7


OTHERS = types.SimpleNamespace(limits={"a": 1})
MODULE = types.ModuleType("made")
MODULE.K = 3  # type: ignore[attr-defined]
NUMBER = np.int64(3)


def problem_with(constant: Any) -> PermutationProblem:
    """Return a problem whose bound reads what a function returns or stands for."""

    class Made(PermutationProblem):
        def __init__(self) -> None:
            super().__init__(2, state=1, data={})

        @staticmethod
        def descend(data: Any, state: Any, depth: int, item: int) -> None:
            state[0] += 1

        bound = staticmethod(constant)

        def evaluate(self, order: Any) -> int:
            return 0

    return Made()


def cost_of_a_leaf(problem: PermutationProblem) -> int:
    costs = np.zeros(2, np.int64)
    CostProblem(problem, 0).native.trace(np.array([0, 1]), np.zeros((2, 1), np.int64), costs)
    return int(costs[1])


def test_a_constant_that_has_changed_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of NumPy, members of enumerations, attributes of modules, what closures hold."""
    monkeypatch.setitem(globals(), "NUMBER", np.int64(3))

    def reads_number(data, state, free, depth):
        return NUMBER

    problem = problem_with(reads_number)
    assert cost_of_a_leaf(problem) == 3
    monkeypatch.setitem(globals(), "NUMBER", np.int64(5))
    assert cost_of_a_leaf(problem) == 5

    def reads_a_module(data, state, free, depth):
        return MODULE.K

    problem = problem_with(reads_a_module)
    assert cost_of_a_leaf(problem) == 3
    monkeypatch.setattr(MODULE, "K", 8)
    assert cost_of_a_leaf(problem) == 8

    def reads_an_enumeration(data, state, free, depth):
        return Rate.OF_A_DAY.value

    problem = problem_with(reads_an_enumeration)
    assert cost_of_a_leaf(problem) == 7
    monkeypatch.setitem(globals(), "Rate", enum.IntEnum("Rate", {"OF_A_DAY": 9}))
    assert cost_of_a_leaf(problem) == 9
    assert [cost_of_a_leaf(problem_with(closed_over(n))) for n in (1, 2, 1)] == [1, 2, 1]


def closed_over(number: int) -> Any:
    def bound(data, state, free, depth):
        return number

    return bound


def test_what_nobody_can_tell_apart_is_refused() -> None:
    """An object that may change without a trace."""

    def bound(data, state, free, depth):
        return OTHERS.limits["a"]

    with pytest.raises(InputError, match="'OTHERS', which bound reads, is a SimpleNamespace, of"):
        cost_of_a_leaf(problem_with(bound))


def test_classes_that_a_function_makes_do_not_stay() -> None:
    """Code is kept by what it computes; neither the class nor the problem is kept by it."""
    problem = problem_with(closed_over(11))
    assert cost_of_a_leaf(problem) == 11
    gone = weakref.ref(type(problem))
    del problem
    gc.collect()
    assert gone() is None
