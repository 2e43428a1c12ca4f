"""Small instances within a dense one."""

from __future__ import annotations

import itertools
import random

from prunus import Status, SubsetSum, solve
from prunus.subsetsum.heuristics.sampling import free_items, samples


def test_samples_are_parts_of_the_instance() -> None:
    """Taken and free items are different ones, and taken and target make the whole target."""
    rng = random.Random(1)
    weights = [rng.randint(1, 2**30) for _ in range(200)]
    target = sum(weights) // 3
    for sample in itertools.islice(samples(weights, target, 0), 5):
        assert not set(sample.taken) & set(sample.free)
        assert sum(weights[k] for k in sample.taken) + sample.target == target
        assert 0 <= sample.target - sum(weights[k] for k in sample.free) // 2 < 2**33
        assert len(sample.free) < 45


def test_there_are_none_in_sparse_instances() -> None:
    """Where sums are rarer than numbers, a part has no solution to be expected."""
    rng = random.Random(1)
    weights = [rng.randint(1, 2**80) for _ in range(60)]
    assert free_items(weights, sum(weights) // 2) is None
    assert list(samples(weights, sum(weights) // 2, 0)) == []


def test_a_thousand_large_weights_take_a_moment() -> None:
    """Neither lists nor bit sets of all items would do; a few dozens of them are enough."""
    rng = random.Random(2)
    weights = [rng.randint(2**39, 2**40) for _ in range(1000)]
    target = sum(weights) // 2 - 12345
    for objective in ("sum", "closest"):
        problem = SubsetSum(weights, target, objective=objective)
        result = solve(problem, memory=2**28)
        assert (result.status, result.objective, result.method) == (
            Status.OPTIMAL,
            target,
            "sampling",
        )
        assert problem.evaluate(result.solution) == target
