"""The problem class of subset sum: what it takes, what it refuses and with which words."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest

from prunus import InputError, SubsetSum


def test_weights_are_python_integers_of_any_kind_of_number() -> None:
    """Arrays, whole floats and fractions, zeros and negatives become exact Python integers."""
    problem = SubsetSum([np.int8(-3), 2.0, Fraction(8, 2), 0, 2**127], 2**127 - 3)
    assert problem.weights == (-3, 2, 4, 0, 2**127)
    assert all(type(weight) is int for weight in problem.weights)
    assert problem.evaluate([0, 4]) == problem.target
    assert SubsetSum(np.array([1, 2], np.uint64), 3).weights == (1, 2)
    assert SubsetSum([], 0).items == 0


@pytest.mark.parametrize(
    ("weights", "target", "words"),
    [
        ([1, 2.5], 3, "weight 1 .* 2.5 is not a whole number"),
        ([1, None], 3, "weight 1 .* is missing"),
        ([1, "2"], 3, "weight 1 .* is text"),
        ([1, True], 3, "weight 1 .* truth value"),
        ([1, float("nan")], 3, "weight 1 .* not a number"),
        ([2**127 + 1], 3, "weight 0 .* too large"),
        ([-(2**127) - 1], 3, "weight 0 .* too large"),
        ([1], None, "the target is missing"),
        ([1], 1.5, "the target: 1.5 is not a whole number"),
        ("12", 3, "weights must be a sequence of numbers; got str"),
        ({1, 2}, 3, "got set"),
        (7, 3, "got int"),
        ([[1, 2], [3, 4]], 3, "weight 0"),
        (np.zeros((2, 2), int), 3, "one dimension, got 2"),
    ],
)
def test_what_is_no_instance_is_refused_in_one_sentence(weights, target, words) -> None:
    """The sentence names the weight and what is wrong with it."""
    with pytest.raises(InputError, match=words):
        SubsetSum(weights, target)


def test_objectives_and_names_are_checked() -> None:
    """An objective is one of three, and every item has a name or none has."""
    with pytest.raises(InputError, match="objective='best' is not one of sum, closest, count"):
        SubsetSum([1], 1, objective="best")
    with pytest.raises(InputError, match="item_names must hold 1 names, got 2"):
        SubsetSum([1], 1, item_names=["a", "b"])
    assert SubsetSum([1], 1).with_objective("closest").maximise
    assert SubsetSum([1], 1, objective="Count").counts_solutions


@pytest.mark.parametrize(
    ("chosen", "words"),
    [([0, 0], "chosen twice"), ([3], "not one of the 3 items"), ([0.5], "whole"), ("01", "str")],
)
def test_evaluate_refuses_what_is_no_subset(chosen, words) -> None:
    """Items exist and are taken at most once."""
    with pytest.raises(InputError, match=words):
        SubsetSum([1, 2, 3], 3).evaluate(chosen)


def test_a_pandas_series_names_the_items() -> None:
    """Its labels are the names, unless they only count."""
    pandas = pytest.importorskip("pandas")
    assert SubsetSum(pandas.Series({"a": 1, "b": 2}), 3).item_names == ("a", "b")
    assert SubsetSum(pandas.Series([1, 2]), 3).item_names is None
    with pytest.raises(InputError, match="give a Series"):
        SubsetSum(pandas.DataFrame({"w": [1]}), 3)


def test_it_never_changes_and_survives_pickling() -> None:
    """A copy has the same numbers, names and question; nothing can be set."""
    problem = SubsetSum([1, 2**100], 1, objective="count", item_names=["a", "b"], name="x")
    copy = pickle.loads(pickle.dumps(problem))
    for field in ("weights", "target", "objective", "item_names", "name", "items"):
        assert getattr(copy, field) == getattr(problem, field)
    assert repr(copy) == "SubsetSum('x', 2 items, target 1, count)"
    with pytest.raises(AttributeError, match="never changes"):
        problem.target = 2  # type: ignore[misc]
