"""The automatic choice: which method for which instance."""

from __future__ import annotations

import random

import pytest

from prunus.subsetsum.cost_model import (
    available_memory,
    cheapest,
    cheapest_on_gpu,
    cpu_costs,
    effective_items,
    gpu_costs,
)

RNG = random.Random(1)


def below(memory):
    """Whether so much memory is enough."""
    return lambda count: count <= memory


def weights(n, bits):
    """Random weights."""
    return [RNG.randint(1, 2**bits) for _ in range(n)]


@pytest.mark.parametrize(
    ("items", "target", "objective", "method"),
    [
        (weights(52, 50), 2**54, "sum", "four-list"),
        (weights(52, 50), 2**54, "count", "four-list"),
        (weights(48, 50), 2**54, "closest", "two-list"),
        (weights(52, 20), 2**23, "sum", "bitset"),  # section 5.7 of Wan, Li and Li
        (weights(54, 20), 2**24, "closest", "bitset"),
        (weights(5000, 10), 10**6, "count", "bitset"),
        (weights(60, 120), 2**124, "sum", "four-list"),
        (weights(40, 120), 2**124, "closest", "two-list"),
        ([2**70 + k % 3 for k in range(100)], 50 * 2**70 + 3, "count", "four-list"),
    ],
)
def test_the_method_suits_the_instance(items, target, objective, method) -> None:
    """As measured: bits for small targets, residues for large ones, order for the closest."""
    assert cheapest(cpu_costs(items, target, objective, 2**30)) == method


def test_memory_rules_methods_out() -> None:
    """A bit set that does not fit is no choice."""
    items = weights(200, 30)
    assert cheapest(cpu_costs(items, 2**33, "closest", 2**36)) == "bitset"
    assert cpu_costs(items, 2**33, "closest", 2**26)["bitset"] == float("inf")
    assert 2**20 < available_memory() <= 2**30


def test_equal_weights_count_for_little() -> None:
    """Three equal ones have four sums, as two different ones have."""
    assert effective_items([5, 5, 5]) == effective_items([1, 2]) == 2


def test_a_gpu_is_reckoned_with_at_every_size() -> None:
    """From one item to five thousand; the closest of huge sums and counts of many are for cores."""
    for n in (1, 30, 60, 5000):
        found = gpu_costs(weights(n, 40), 2**42, "sum", below(2**34))
        assert found["four-list"] < float("inf")
    assert cheapest(gpu_costs(weights(60, 50), 2**54, "sum", below(2**36))) == "two-list"
    long = gpu_costs(weights(72, 55), 2**60, "sum", below(2**36))
    assert (cheapest(long), cheapest_on_gpu(long)) == ("two-list", "four-list")
    assert cheapest_on_gpu(gpu_costs(weights(80, 50), 2**55, "closest", below(2**36))) == "two-list"
    assert cheapest(gpu_costs(weights(80, 80), 2**84, "sum", below(2**36))) == "four-list"
    assert cheapest(gpu_costs(weights(60, 50), 2**54, "closest", below(2**36))) == "two-list"
    assert cheapest(gpu_costs(weights(100, 20), 2**24, "sum", below(2**36))) == "bitset"
    wide = gpu_costs(weights(60, 120), 2**124, "closest", below(2**36))
    assert min(wide.values()) == float("inf")
    many = gpu_costs(weights(60, 20), 2**24, "count", below(2**36))
    assert min(many.values()) == float("inf")
    few = gpu_costs(weights(60, 56), 2**60, "count", below(2**36))
    assert cheapest(few) == "four-list"


def test_a_driver_is_asked_only_what_matters() -> None:
    """Not whether a bit set fits that would be slower than all else."""
    asked = []

    def fits(count):
        asked.append(count)
        return True

    assert gpu_costs(weights(60, 50), 2**54, "sum", fits)["bitset"] == float("inf")
    assert max(asked) < 2**40
