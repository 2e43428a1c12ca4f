"""The two-list method in chunks: any number of fixed items, any division, the same answer."""

from __future__ import annotations

import random

import numpy as np
import pytest

from prunus.subsetsum.two_lists import cpu as two_list
from prunus.subsetsum.two_lists.cpu import TwoLists, bytes_needed, fixed_items
from tests.subsetsum.brute_force import answer, even, instance, planted

NEVER = np.zeros(1, np.int64)


@pytest.mark.parametrize("objective", ["sum", "closest", "count"])
def test_it_agrees_with_brute_force(objective) -> None:
    """For 0 to 4 fixed items."""
    for seed in range(150):
        weights, target = instance(seed, positive=True, largest=2**57)
        right = answer(weights, target, objective)
        lists = TwoLists(weights, target, objective=objective, fixed=min(seed % 5, len(weights)))
        finding = lists.run(0, lists.pieces, NEVER)
        if objective == "count":
            assert finding.count == right, (weights, target)
            continue
        assert (finding.subset is None) == (right is None), (weights, target)
        if finding.subset is not None:
            assert sum(weights[item] for item in finding.subset) == right


def test_the_closest_of_wide_sums_is_that_of_brute_force() -> None:
    """For weights of 1 to 127 bits, and differences in every word."""
    for seed in range(120):
        weights, target = instance(seed, positive=True)
        rng = random.Random(seed)
        weights = [(weight << rng.choice([0, 0, 30, 60])) % 2**127 + 1 for weight in weights]
        lists = TwoLists(weights, target, fixed=min(seed % 4, len(weights)), wide=True)
        assert lists.pieces == 1 << min(seed % 4, len(weights))
        subset = lists.run(0, lists.pieces, NEVER).subset
        assert subset is not None
        assert sum(weights[k] for k in subset) == answer(weights, target, "closest")


@pytest.mark.parametrize("fixed", [0, 2, 5])
def test_chunks_of_the_staircase_add_up(monkeypatch, fixed) -> None:
    """In small stretches, one chunk holds the planted subset, and counts sum to the count."""
    monkeypatch.setattr(two_list, "_STRETCH", 64)
    weights, target, chosen = planted(22, 40, fixed)
    lists = TwoLists(weights, target, fixed=fixed)
    assert lists.pieces > 20
    found = [lists.run(k, k + 1, NEVER).subset for k in range(lists.pieces)]
    assert {tuple(sorted(subset)) for subset in found if subset} == {tuple(chosen)}
    weights = [weight % 97 + 1 for weight in weights]
    lists = TwoLists(weights, 400, objective="count", fixed=fixed)
    counts = [lists.run(k, k + 1, NEVER).count for k in range(lists.pieces)]
    assert sum(counts) == answer(weights, 400, "count")


def test_nothing_is_found_where_nothing_is() -> None:
    """Even weights and an odd target, 34 items."""
    weights, target = even(34, 50, 5)
    lists = TwoLists(weights, target, fixed=2)
    finding = lists.run(0, lists.pieces, NEVER)
    assert (finding.last, finding.subset) == (lists.pieces, None)


def test_a_stop_ends_generation_and_search() -> None:
    """A stopped generation has no pieces; a stopped search says how far it came."""
    weights, target = even(20, 50, 5)
    assert TwoLists(weights, target, should_stop=lambda: True).pieces == 0
    lists = TwoLists(weights, target)
    assert lists.run(0, lists.pieces, np.ones(1, np.int64)).last == 0


def test_items_are_fixed_until_the_lists_fit() -> None:
    """60 items fit one gibibyte with lists of 2**25 sums; unsplit, only what must be is fixed."""
    fixed = fixed_items(60, 2**30)
    assert bytes_needed(60 - fixed) <= 2**30 < bytes_needed(60 - fixed + 2)
    assert fixed_items(40, 2**30) == 2
    assert fixed_items(40, 2**30, split=False) == 0
    assert bytes_needed(40, wide=True) > bytes_needed(40)
