"""Counting by dynamic programming, beyond what fits a word."""

from __future__ import annotations

import math

from prunus.subsetsum.dynamic_programming.counting import count_subsets, passes
from tests.subsetsum.brute_force import answer, instance


def always(done: int) -> bool:
    """Go on."""
    return True


def test_it_agrees_with_brute_force() -> None:
    """For small targets."""
    for seed in range(150):
        weights, target = instance(seed, positive=True, largest=1000)
        assert count_subsets(weights, target, always) == answer(weights, target, "count")


def test_counts_of_hundreds_of_bits_are_exact() -> None:
    """Half of 300 equal weights: a binomial coefficient, put together from five primes."""
    assert passes(300) == 5
    assert count_subsets([1] * 300, 150, always) == math.comb(300, 150)


def test_it_ends_when_told_to() -> None:
    """None is no count."""
    assert count_subsets([1, 2, 3], 3, lambda done: done < 2) is None
