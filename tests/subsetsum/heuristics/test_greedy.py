"""The first answer to the closest sum."""

from __future__ import annotations

import random

import pytest

from prunus import Status, SubsetSum, solve
from prunus.subsetsum.heuristics.greedy import greedy
from tests.subsetsum.brute_force import even


def test_it_takes_at_least_half_of_what_there_is_to_take() -> None:
    """Never above the target, no item twice, and half of the target unless there is less in all."""
    for seed in range(200):
        rng = random.Random(seed)
        weights = [rng.randint(1, 10 ** rng.randint(1, 4)) for _ in range(rng.randint(1, 20))]
        target = rng.randint(max(weights), 2 * sum(weights))
        chosen = greedy(weights, target)
        value = sum(weights[item] for item in chosen)
        assert len(set(chosen)) == len(chosen)
        assert min(target, sum(weights)) <= 2 * value
        assert value <= target


@pytest.mark.parametrize("bits", [40, 120])
def test_what_is_missing_is_little(bits) -> None:
    """Of large instances a millionth of an item is missing; small ones are as good as greedy is."""
    for seed in range(5):
        rng = random.Random(seed)
        weights = [rng.randint(2 ** (bits - 1), 2**bits) for _ in range(60)]
        target = sum(weights) // rng.randint(2, 4) + 1
        value = sum(weights[item] for item in greedy(weights, target))
        assert 0 <= target - value < 2**bits // 10**5


def test_light_items_do_not_stand_in_the_way_of_heavy_ones() -> None:
    """A few heavy items among a hundred of weight 1 are taken, whatever the light ones make."""
    weights = [1] * 100 + [10**9, 10**8]
    chosen = greedy(weights, 10**9 + 10**8 + 50)
    assert sum(weights[item] for item in chosen) == 10**9 + 10**8 + 50


def test_the_closest_sum_has_an_answer_at_once() -> None:
    """Stopped while lists are made, there is a subset, its sum and a gap."""
    weights, target = even(60, 56, 1)
    problem = SubsetSum(weights, target, objective="closest")
    result = solve(problem, time_limit=0.05, divisor_test=False, devices="cpu")
    assert (result.status, result.stopped_by) == (Status.FEASIBLE, "time limit")
    assert problem.evaluate(result.solution) == result.objective < result.bound == target
    assert result.gap < 1e-6


@pytest.mark.parametrize("objective", ["closest", "sum"])
def test_only_the_closest_sum_begins_with_it(objective) -> None:
    """Where it makes the target nothing is searched; an exact sum is asked for as before."""
    weights = [2**40 + 1, 2**40 - 3, 2**39 + 7, 2**39 + 3, 2**38 + 5, 11, 7, 5]
    problem = SubsetSum(weights, 2**40 + 2**39 + 19, objective=objective)
    result = solve(problem, devices="cpu")
    assert (result.status, result.objective) == (Status.OPTIMAL, problem.target)
    assert (result.method == "greedy") == (objective == "closest")
