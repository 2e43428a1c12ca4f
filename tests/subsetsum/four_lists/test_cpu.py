"""The modular four-list method: residues cover everything once, keys never deceive."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from prunus.subsetsum.four_lists import cpu as four_list
from prunus.subsetsum.four_lists import partition as quarters
from prunus.subsetsum.four_lists.cpu import FourLists
from tests.subsetsum.brute_force import answer, even, instance, planted

NEVER = np.zeros(1, np.int64)


def test_it_agrees_with_brute_force() -> None:
    """Subsets found and counts, for weights of 1 to 127 bits."""
    for seed in range(250):
        weights, target = instance(seed, positive=True)
        right = answer(weights, target, "count")
        counter = FourLists(weights, target, counting=True)
        finding = counter.run(0, counter.pieces, NEVER)
        assert (finding.count, finding.last) == (right, counter.pieces), (weights, target)
        search = FourLists(weights, target)
        subset = search.run(0, search.pieces, NEVER).subset
        assert (subset is not None) == (right > 0), (weights, target)
        assert subset is None or sum(weights[item] for item in subset) == target


@pytest.mark.parametrize("bits", [30, 50, 90])
def test_a_planted_subset_is_found_wherever_it_is(bits) -> None:
    """At every residue: twelve planted subsets of 32 to 40 items."""
    for seed in range(12):
        weights, target, chosen = planted(32 + seed % 9, bits, seed)
        lists = FourLists(weights, target)
        subset = lists.run(0, lists.pieces, NEVER).subset
        assert subset is not None
        assert sum(weights[item] for item in subset) == target
        assert bits < 50 or list(subset) == chosen


@pytest.mark.parametrize("bits", [50, 100])
def test_nothing_is_found_where_nothing_is(bits) -> None:
    """Even weights, odd target: all residues are run through, and there is no subset."""
    weights, target = even(36, bits, 3)
    lists = FourLists(weights, target)
    assert lists.pieces > 10
    finding = lists.run(0, lists.pieces, NEVER)
    assert (finding.last, finding.subset) == (lists.pieces, None)


def test_pieces_add_up_in_any_division() -> None:
    """Counting range by range gives the count of the whole, with and without fixed items."""
    rng = np.random.default_rng(4)
    weights = rng.integers(1, 400, 26).tolist()
    target = sum(weights) // 2
    whole = FourLists(weights, target, counting=True)
    right = whole.run(0, whole.pieces, NEVER).count
    assert right > 1000
    cuts = sorted({0, whole.pieces, *rng.integers(0, whole.pieces, 5).tolist()})
    parts = [whole.run(a, b, NEVER).count for a, b in itertools.pairwise(cuts)]
    assert sum(parts) == right


def test_items_are_fixed_when_the_lists_would_be_too_long(monkeypatch) -> None:
    """With lists of 16 sums at most, the other items are fixed in all ways, and nothing is lost."""
    monkeypatch.setattr(quarters, "_LONGEST", 16)
    for seed in range(30):
        weights, target = instance(seed, positive=True, largest=10**6, most=19)
        lists = FourLists(weights, target, counting=True)
        right = answer(weights, target, "count")
        assert lists.run(0, lists.pieces, NEVER).count == right
    assert lists.pieces >= 1


def test_a_stop_ends_it_with_what_is_done() -> None:
    """Told to stop, it says how far it came and nothing else."""
    weights, target = even(40, 50, 1)
    lists = FourLists(weights, target)
    finding = lists.run(3, lists.pieces, np.ones(1, np.int64))
    assert (finding.first, finding.last, finding.subset) == (3, 3, None)


def test_sums_in_one_residue_class_are_no_trouble() -> None:
    """Weights that are all multiples of every small prime but one still give the right answer."""
    step = 2 * 3 * 5 * 7 * 11 * 13 * 17 * 19 * 23
    weights = [step * k for k in range(1, 25)] + [1]
    lists = FourLists(weights, step * 150 + 1, counting=True)
    right = answer([w // step for w in weights[:-1]], 150, "count")
    assert lists.run(0, lists.pieces, NEVER).count == right


def test_keys_equal_by_chance_are_told_from_equal_sums(monkeypatch) -> None:
    """With a tiny modulus most keys are equal, and the exact sums decide."""
    from prunus.subsetsum.four_lists import side

    monkeypatch.setattr(side, "MODULUS", 31)
    for seed in range(40):
        weights, target = instance(seed, positive=True, largest=2**100, most=9)
        weights += [2**70 + seed]
        lists = FourLists(weights, target, counting=True)
        assert lists.run(0, lists.pieces, NEVER).count == answer(weights, target, "count")


def test_residues_settled_in_vain_end_a_range_early(monkeypatch) -> None:
    """They take long, and the clock must be looked at; what a count takes is not known at all."""
    weights, target = even(30, 50, 1)
    lists = FourLists(weights, target)
    falsely = SimpleNamespace(join=lambda *given: (given[5], True))
    monkeypatch.setattr(four_list, "native", falsely)
    monkeypatch.setattr(four_list, "join_exactly", lambda *_, **__: (None, 0))
    done = [lists.run(first, lists.pieces, NEVER).last for first in (0, 5)]
    assert done == [four_list._MAX_FALSE_MATCHES, 5 + four_list._MAX_FALSE_MATCHES]
    assert lists.rate > 0
    assert FourLists(weights, target, counting=True).rate == 0
