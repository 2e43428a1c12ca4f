"""What two arrays have in common, against Python's sets."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from prunus.subsetsum.sums import common_values

_NUMBERS = st.lists(st.integers(0, 12) | st.integers(2**64 - 5, 2**64 - 1), max_size=30)


@given(_NUMBERS, _NUMBERS)
def test_it_is_what_both_hold(one, two):
    """Each number once and in order, also of none, of one, and beyond 2**63."""
    found = common_values(np.array(one, dtype=np.uint64), np.array(two, dtype=np.uint64))
    assert found.tolist() == sorted(set(one) & set(two))
