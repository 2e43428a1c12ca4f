"""Distinct sums with a subset and the number of subsets of each."""

from __future__ import annotations

from collections import Counter

import pytest

from prunus.subsetsum import sums as sums_module
from prunus.subsetsum.sums import distinct_sums
from tests.subsetsum.brute_force import all_sums, instance


@pytest.mark.parametrize("few", [0, 20])
@pytest.mark.parametrize("largest", [9, 10**6, 2**100])
def test_every_sum_is_there_once_with_a_subset_and_its_number(largest, few, monkeypatch) -> None:
    """The sums, a mask that has each, and the multiplicities are those of brute force."""
    monkeypatch.setattr(sums_module, "_FEW", few)
    for seed in range(60):
        weights, _ = instance(seed, positive=True, largest=largest, most=9)
        sums = distinct_sums(weights)
        counts = Counter(all_sums(weights))
        assert sorted(map(sums.total, range(len(sums)))) == sorted(counts)
        for place, many in enumerate(sums.multiplicities):
            assert counts[sums.total(place)] == many
        if sums.values is not None:
            assert [sums.total(place) for place in range(len(sums))] == sums.values.tolist()
        for modulus, factor in ((97, 1), (2**61 - 1, -3), (2**63 - 25, 10**18)):
            right = [sums.total(place) * factor % modulus for place in range(len(sums))]
            assert sums.modulo(modulus, factor).tolist() == right


def test_more_items_than_bits_in_a_word() -> None:
    """A hundred equal weights have 101 sums; the numbers of subsets are exact."""
    sums = distinct_sums([5] * 100)
    assert len(sums) == 101
    middle = next(place for place in range(101) if sums.total(place) == 250)
    assert sums.multiplicities[middle] == 100891344545564193334812497256
    assert sums.values is not None
    assert sums.values[middle] == 250
    assert distinct_sums([2**60] * 100).values is None
