"""The items of a sum against brute force, and what two arrays have in common against sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus.subsetsum.sum_items import common_values, find_subset
from tests.subsetsum.brute_force import all_sums, instance

_NUMBERS = st.lists(st.integers(0, 12) | st.integers(2**64 - 5, 2**64 - 1), max_size=30)


@given(_NUMBERS, _NUMBERS)
def test_it_is_what_both_hold(one, two):
    """Each number once and in order, also of none, of one, and beyond 2**63."""
    found = common_values(np.array(one, dtype=np.uint64), np.array(two, dtype=np.uint64))
    assert found.tolist() == sorted(set(one) & set(two))


@pytest.mark.parametrize("largest", [3, 200, 2**58])
def test_a_subset_is_found_for_every_sum_and_for_nothing_else(largest) -> None:
    """Among few weights, equal ones and equal sums among them."""
    for seed in range(40):
        weights, target = instance(seed, positive=True, largest=largest, most=9)
        sums = all_sums(weights)
        for value in {*sums[:60], target, sum(weights) + 1, max(0, sum(weights) // 2)}:
            found = find_subset(weights, value)
            assert (found is not None) == (value in sums), (weights, value)
            if found is not None:
                assert len(set(found)) == len(found)
                assert sum(weights[k] for k in found) == value


def test_the_items_behind_a_sum_are_found() -> None:
    """Positions add up to the value; None if there are none."""
    weights = [7, 11, 2**70, 13, 40, 41, 42]
    found = find_subset(weights, 2**70 + 54)
    assert found is not None
    assert sum(weights[k] for k in found) == 2**70 + 54
    assert find_subset(weights, 5) is None
