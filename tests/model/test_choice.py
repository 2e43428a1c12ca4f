"""A choice of items: what plain Python says of it, for whatever is given."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus import InputError
from prunus.model.choice import chosen_items


@given(st.lists(st.integers(-2, 7), max_size=8), st.integers(0, 6))
def test_what_is_a_choice(chosen, items):
    """Distinct numbers of items come back in their order, as Python integers; else a sentence."""
    good = len(set(chosen)) == len(chosen) and all(0 <= item < items for item in chosen)
    for given_as in (list, tuple, np.array):
        if good:
            found = chosen_items(given_as(chosen), items, "a choice")
            assert found == chosen
            assert all(type(item) is int for item in found)
        else:
            with pytest.raises(InputError, match=r"^a choice, position"):
                chosen_items(given_as(chosen), items, "a choice")


@pytest.mark.parametrize(
    "wrong", ["01", b"01", {0: 1}, 3, None, np.array(3), np.zeros((2, 2), int)]
)
def test_what_is_no_sequence(wrong):
    """Text, mappings and single things are refused."""
    with pytest.raises(InputError, match="a choice must be a sequence of items; got"):
        chosen_items(wrong, 3, "a choice")
