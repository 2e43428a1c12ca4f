"""How cores divide an instance: every item once, lists of like length, equal weights together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from prunus.subsetsum.four_lists import partition as module
from prunus.subsetsum.four_lists.partition import modulus, quarters
from prunus.subsetsum.primes import is_prime
from prunus.subsetsum.sums import distinct_sums


@given(st.lists(st.integers(1, 30), max_size=60), st.integers(1, 200))
def test_every_item_is_in_one_quarter_or_fixed(weights, longest) -> None:
    """And all of one weight in the same place; no list is longer than is allowed."""
    usual = module._LONGEST
    module._LONGEST = longest
    try:
        parts, fixed = quarters(weights)
    finally:
        module._LONGEST = usual
    assert sorted([item for part in (*parts, fixed) for item in part]) == list(range(len(weights)))
    for part in (*parts, fixed):
        inside = {weights[item] for item in part}
        assert sum(weight in inside for weight in weights) == len(part)
    for part in parts:
        chosen = [weights[item] for item in part]
        assert len(set(chosen)) < 2 or len(distinct_sums(chosen)) <= longest


def test_the_modulus_is_a_prime_that_spreads_the_sums() -> None:
    """1 for short lists; not the prime that all weights are multiples of."""
    assert modulus(distinct_sums([1, 2]), distinct_sums([3, 4])) == 1
    usual = modulus(*(distinct_sums([3**k + part for k in range(1, 13)]) for part in (0, 1)))
    assert is_prime(usual)
    worse = [distinct_sums([usual * (3**k + part) for k in range(1, 13)]) for part in (0, 1)]
    assert is_prime(modulus(*worse))
    assert modulus(*worse) != usual
