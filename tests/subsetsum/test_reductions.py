"""Reductions keep the answer, and a subset of the reduced instance leads back to one of it."""

from __future__ import annotations

import itertools

import pytest

from prunus.subsetsum.reductions import reduce_instance
from tests.subsetsum.brute_force import all_sums, answer, instance


@pytest.mark.parametrize("objective", ["sum", "closest", "count"])
@pytest.mark.parametrize("test_divisor", [True, False])
def test_the_reduced_instance_has_the_same_answer(objective, test_divisor) -> None:
    """Brute force before and after agree on 400 instances; a subset found leads back."""
    for seed in range(400):
        weights, target = instance(seed, most=9)
        reduced = reduce_instance(tuple(weights), target, objective, test_divisor=test_divisor)
        right = answer(weights, target, objective)
        if reduced.hopeless:
            assert right in (None, 0), (weights, target)
            continue
        assert all(bundle.weight > 0 for bundle in reduced.bundles)
        assert 0 <= reduced.target <= sum(reduced.weights)
        after = answer(reduced.weights, reduced.target, objective)
        if objective == "count":
            assert after * reduced.factor == right
            continue
        if after is None:
            assert right is None
            continue
        mask = all_sums(reduced.weights).index(after)
        items = reduced.subset(k for k in range(len(reduced.bundles)) if mask >> k & 1)
        assert sum(weights[item] for item in items) == right, (weights, target)


def test_the_divisor_settles_parity() -> None:
    """Even weights never have an odd sum, which needs no search."""
    assert reduce_instance((2, 4, 6, 8), 9, "sum").hopeless
    assert not reduce_instance((2, 4, 6, 8), 9, "sum", test_divisor=False).hopeless
    closest = reduce_instance((10, 12, 14, 16), 25, "closest")
    assert (closest.weights, closest.target) == ((8, 7, 6, 5), 12)


def test_many_equal_weights_become_few() -> None:
    """A hundred equal weights are seven bundles, which have every multiple as a sum."""
    reduced = reduce_instance((3,) * 100, 150, "sum")
    assert len(reduced.bundles) == 7
    sizes = [len(bundle.items) for bundle in reduced.bundles]
    sums = {sum(some) for k in range(8) for some in itertools.combinations(sizes, k)}
    assert sums == set(range(101))


def test_a_large_target_is_asked_by_its_complement() -> None:
    """All but a little is the complement of a little, which most weights exceed."""
    reduced = reduce_instance((50, 60, 70, 1, 1, 2), 182, "sum")
    assert (reduced.target, reduced.weights) == (2, (2, 1, 1))
    assert reduced.subset([0]) == (0, 1, 2, 3, 4)
    assert reduced.subset([1, 2]) == (0, 1, 2, 5)


@pytest.mark.parametrize("objective", ["sum", "closest", "count"])
def test_superincreasing_weights_need_no_search(objective) -> None:
    """Each weight is above the sum of the smaller ones, so that each is in or out for sure."""
    weights = tuple(3**k for k in range(60))
    target = sum(weights[k] for k in (0, 7, 31, 32, 59))
    reduced = reduce_instance(weights, target, objective)
    assert not reduced.hopeless
    assert reduced.target in (0, sum(reduced.weights))
    chosen = range(len(reduced.weights)) if reduced.target else ()
    assert reduced.subset(chosen) == (0, 7, 31, 32, 59)
    missed = reduce_instance(weights, target + 5, objective)
    assert missed.hopeless or objective == "closest"
