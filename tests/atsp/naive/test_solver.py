"""What is known of a tour before any search."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from prunus.atsp.naive.solver import root_bound
from prunus.atsp.problem import ATSP


@pytest.mark.parametrize("largest", [1, 9, 1000])
def test_no_tour_is_shorter_than_the_bound_of_the_root(largest: int) -> None:
    """Each city is left once and entered once, at the least; of some instances that is all."""
    rng = np.random.default_rng(largest)
    met = 0
    for _ in range(200):
        cities = int(rng.integers(1, 7))
        problem = ATSP(rng.integers(0, largest + 1, (cities, cities)))
        tours = itertools.permutations(range(1, cities))
        best = min(problem.evaluate([0, *tour]) for tour in tours)
        bound = root_bound(problem)
        assert 0 <= bound <= best
        met += bound == best > 0
    assert met > 5


def test_both_sides_of_a_city_count() -> None:
    """Where all want to go to the same city, entering the others is what costs."""
    there = ATSP([[0, 1, 50, 60], [9, 0, 50, 60], [9, 1, 0, 60], [9, 1, 50, 0]])
    assert root_bound(there) == 9 + 1 + 50 + 60
    back = ATSP(there.distances.T)
    assert root_bound(back) == 9 + 1 + 50 + 60
