"""Knapsack: what it accepts, what it refuses, and that its evaluation is right."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest

from prunus import InputError, Knapsack


def test_accepts_arrays_lists_and_whole_floats():
    """All these are the same items; they are copied and read-only."""
    weights = np.array([1, 2, 3], dtype=np.uint8)
    k = Knapsack([4.0, 5, np.int16(6)], weights, 5.0, name="three")
    weights[0] = 9
    assert k.profits.tolist() == [4, 5, 6]
    assert k.weights.tolist() == [1, 2, 3]
    assert (k.items, k.capacity, k.maximise) == (3, 5, True)
    assert repr(k) == "Knapsack('three', 3 items, capacity 5)"
    with pytest.raises(ValueError, match="read-only"):
        k.weights[0] = 1
    with pytest.raises(AttributeError):
        k.capacity = 7


def test_data_frames_and_series_name_the_items():
    """The labels of a frame or of two series become the items' names."""
    frame = pd.DataFrame({"Weight": [1, 2], "value": [7, 8]}, index=["tent", "stove"])
    for k in (
        Knapsack(frame, capacity=3),
        Knapsack(frame, 3),
        Knapsack(frame["value"], frame["Weight"], 3),
    ):
        assert k.item_names == ("tent", "stove")
        assert k.profits.tolist() == [7, 8]
        assert k.weights.tolist() == [1, 2]
    assert Knapsack(frame, 3, item_names=["a", "b"]).item_names == ("a", "b")
    assert Knapsack(pd.Series([1, 2]), [1, 1], 2).item_names is None


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (([1, -2], [1, 1], 3), "profits, position 1 .*-2 is negative"),
        (([1, 2], [1, 1.5], 3), "weights, position 1 .*1.5 is not a whole number"),
        ((np.array([1, -2]), [1, 1], 3), "profits, position 1 .*-2 is negative"),
        (([1, 2], [1, 2**62], 3), "weights, position 1 .* is too large"),
        (([2**61, 2**61], [1, 1], 3), "profits add up to 2\\*\\*62"),
        (([1, 2], [1, None], 3), "is missing"),
        (([1, float("nan")], [1, 1], 3), "is not a number"),
        (([1, True], [1, 1], 3), "truth value"),
        (([1, "2"], [1, 1], 3), "is text"),
        (([1, 2], [1], 3), "2 profits but 1 weights"),
        (([1, 2], [1, 1], -1), "capacity must be from 0"),
        (([1, 2], [1, 1], 1.5), "capacity: 1.5 is not a whole"),
        (([1, 2], [1, 1], 2**62), "capacity must be from 0"),
        (([1, 2], [1, 1]), "capacity is missing"),
        (([1, 2],), "weights are missing"),
        (("12", [1, 2], 3), "profits must be a sequence"),
        (([[1, 2]], [1], 3), "profits, position 0"),
        ((np.ones((2, 2)), [1], 3), "one dimension"),
        ((pd.DataFrame({"weight": [1]}), 3), "column called 'profit'.*none"),
        ((pd.DataFrame({"w": [1], "weight": [1], "p": [1]}), 3), "'weight'.*several"),
    ],
)
def test_refuses(arguments, complaint):
    """Every mistake gets one sentence that names it."""
    with pytest.raises(InputError, match=complaint):
        Knapsack(*arguments)


def test_series_that_disagree_are_refused():
    """Two series whose labels differ are not matched silently."""
    with pytest.raises(InputError, match="name their items differently"):
        Knapsack(pd.Series([1, 2], index=["a", "b"]), pd.Series([1, 2], index=["b", "a"]), 3)


def test_evaluate():
    """The profit of a choice, in any order; nothing but a choice that fits is evaluated."""
    k = Knapsack([60, 100, 120], [10, 20, 30], 50)
    assert k.evaluate([]) == 0
    assert k.evaluate(np.array([2, 1])) == 220
    assert Knapsack([1, 1], [2, 3], 5).evaluate([0, 1]) == 2  # exactly full
    for chosen, complaint in (
        ([0, 1, 2], "weigh 60 together, more than the capacity 50"),
        ([1, 1], "position 1 .* 1 is chosen twice"),
        ([3], "3 is not one of the 3 items"),
        ([-1], "-1 is not one"),
        ([0.5], "0.5 is not a whole number"),
        ("01", "must be a sequence"),
        (7, "must be a sequence"),
    ):
        with pytest.raises(InputError, match=complaint):
            k.evaluate(chosen)
    with pytest.raises(InputError, match="weigh 5 together, more than the capacity 4"):
        Knapsack([1, 1], [2, 3], 4).evaluate([0, 1])


def test_pickle():
    """A copy has the same data and is as immutable."""
    built = Knapsack([1, 2], [3, 4], 5, item_names=["a", "b"], name="x")
    k = pickle.loads(pickle.dumps(built))
    assert (k.profits.tolist(), k.weights.tolist(), k.capacity) == ([1, 2], [3, 4], 5)
    assert (k.item_names, k.name) == (("a", "b"), "x")
