"""Intervals: numbers of leaves, validity, and the slow way to split."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus.treesearch.interval.interval import Intervals, leaves, weights
from prunus.treesearch.interval.lengths import measure


@st.composite
def trees(draw):
    """Radices of a small permutation or array tree."""
    n = draw(st.integers(1, 6))
    if draw(st.booleans()):
        return tuple(range(n, 0, -1))
    return tuple(draw(st.lists(st.integers(1, 4), min_size=n, max_size=n)))


@st.composite
def intervals(draw):
    """A tree and one node-aligned interval of it."""
    radix = draw(trees())
    depth = draw(st.integers(1, len(radix)))
    one = Intervals.empty(len(radix), 1)
    one.depth[0] = depth
    for d in range(depth):
        one.digits[0, d] = draw(st.integers(0, radix[d] - 1))
        one.directions[0, d] = draw(st.integers(0, 1))
    level = draw(st.integers(0, depth - 1))
    one.end_level[0] = level
    one.end_digit[0] = draw(st.integers(int(one.digits[0, level]) + 1, radix[level]))
    return radix, one


def test_weights_are_factorials_for_permutations():
    """The weight of level d of a permutation tree is (n - 1 - d)!."""
    assert weights(range(6, 0, -1)) == [math.factorial(k) for k in range(5, -1, -1)]
    assert leaves(range(25, 0, -1)) == math.factorial(25)


@given(trees())
def test_the_whole_tree_measures_all_leaves(radix):
    """The unbranched tree is an interval from 0 to the number of leaves."""
    whole = Intervals.whole(len(radix))
    whole.check(radix)
    assert whole.begin(radix) == [0]
    assert whole.end(radix) == [leaves(radix)] == whole.measure(radix)


@given(intervals())
def test_measure_counts_the_leaves_between_begin_and_end(case):
    """Counting leaf by leaf from the position to the end gives the measure."""
    radix, one = case
    one.check(radix)
    digits = [int(x) for x in one.digits[0]]
    level, end = int(one.end_level[0]), int(one.end_digit[0])
    path = digits[:level]
    counted = 0
    while digits[:level] == path and digits[level] < end:
        counted += 1
        d = len(radix) - 1
        while d >= 0 and digits[d] == radix[d] - 1 and d > level:
            digits[d] = 0
            d -= 1
        digits[d] += 1
    assert one.measure(radix) == [counted]


@given(intervals(), intervals(), st.booleans())
def test_the_measure_of_a_batch_is_that_of_its_records(one, other, whole):
    """However deep each ends, and of an unbranched tree, the sum is the same as one by one."""
    radix, first = one
    batch = [first, first.halve(radix)[1], Intervals.whole(len(radix) if whole else 0)]
    if other[0] == radix:
        batch.append(other[1])
    batch = Intervals.concatenate([part for part in batch if part.digits.shape[1] == len(radix)])
    assert measure(batch, radix) == sum(batch.measure(radix))  # type: ignore[attr-defined]


@given(intervals())
def test_halving_cuts_an_interval_in_two_without_loss(case):
    """The right half begins where the left half ends, and both are valid and not empty."""
    radix, one = case
    left, right = one.halve(radix)
    left.check(radix)
    right.check(radix)
    assert left.begin(radix) == one.begin(radix)
    if len(right) == 0:
        assert left.end(radix) == one.end(radix)
        return
    assert left.end(radix) == right.begin(radix)
    assert right.end(radix) == one.end(radix)
    assert left.measure(radix)[0] > 0 < right.measure(radix)[0]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("depth", 5),
        ("depth", -1),
        ("end_level", 2),
        ("end_digit", 1),
        ("end_digit", 5),
    ],
)
def test_a_record_that_is_no_interval_is_refused(field, value):
    """An interval read from outside is checked before it is explored."""
    one = Intervals.empty(4, 1)
    one.digits[0, :2] = 1, 2
    one.depth[0], one.end_digit[0] = 2, 3
    one.check((4, 3, 2, 1))
    getattr(one, field)[0] = value
    with pytest.raises(ValueError, match="interval"):
        one.check((4, 3, 2, 1))


def test_tasks_are_a_tree_of_one_level():
    """A range of a task list is measured by its length."""
    tasks = Intervals.tasks(70_000, 100_000)
    tasks.check((200_000,))
    assert tasks.measure((200_000,)) == [30_000]


def test_batches_can_be_joined_and_cut():
    """Concatenating and slicing keep the records as they are."""
    both = Intervals.concatenate([Intervals.tasks(0, 2), Intervals.tasks(2, 9)])
    assert both.measure((9,)) == [2, 7]
    assert both[np.array([1])].measure((9,)) == [7]
