"""Lists of three-word sums: the closest sum where sums exceed 64 bits."""

from __future__ import annotations

import random

import numpy as np

from prunus.subsetsum.two_lists.wide_sums import WideLists
from tests.subsetsum.brute_force import answer, instance

NEVER = np.zeros(1, np.int64)


def test_the_closest_sum_is_that_of_brute_force() -> None:
    """For weights of 1 to 127 bits, and differences in every word."""
    for seed in range(120):
        weights, target = instance(seed, positive=True)
        rng = random.Random(seed)
        weights = [(weight << rng.choice([0, 0, 30, 60])) % 2**127 + 1 for weight in weights]
        lists = WideLists(weights, target, fixed=min(seed % 4, len(weights)))
        subset = lists.run(0, lists.pieces, NEVER).subset
        assert subset is not None
        assert sum(weights[k] for k in subset) == answer(weights, target, "closest")


def test_it_can_be_stopped() -> None:
    """A stopped generation has no pieces."""
    assert WideLists([2**100] * 8, 2**101, should_stop=lambda: True).pieces == 0
