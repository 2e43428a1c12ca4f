"""The form that instances are brought into: nothing is lost, and every choice can be led back."""

from __future__ import annotations

import numpy as np

from prunus import Knapsack
from prunus._native.knapsack import Reduced
from tests.knapsack.brute import optimum


def normalise(problem):
    """Bring a problem into form."""
    return Reduced(problem.weights, problem.profits, problem.capacity)


def test_common_divisors_are_taken_out():
    """Weights of 6, 10, 14 in 25 become 3, 5, 7 in 12; profits of 4, 8, 40 become 1, 2, 10."""
    reduced = normalise(Knapsack([4, 8, 40, 9, 7, 0], [6, 10, 14, 0, 26, 2], 25))
    items = reduced.items
    assert items.weights.tolist() == [3, 5, 7]
    assert items.capacity == 12
    assert items.profits.tolist() == [1, 2, 10]
    assert (items.weight, items.profit) == (15, 13)
    assert reduced.packed.tolist() == [3]
    assert (reduced.profit, reduced.unit, reduced.weight_unit) == (9, 4, 2)
    choice = items.choice(np.array([2, 1]))
    assert choice.value == 12
    assert reduced.expand(items, choice).tolist() == [1, 2, 3]


def test_repetition_is_seen_in_a_sample():
    """A thousand kinds among 50,000 items are seen; 50,000 kinds are not taken for few."""
    rng = np.random.default_rng(1)
    w = rng.integers(1, 1001, 50_000)
    capacity = int(w.sum()) // 2
    assert normalise(Knapsack(w + 50, w, capacity)).items.repetitive
    assert not normalise(Knapsack(rng.permutation(50_000) + 1, w, capacity)).items.repetitive


def test_bundles_reach_every_number_of_copies():
    """Bundles have the same optimum at every capacity, are few, and stand for distinct items."""
    rng = np.random.default_rng(4)
    for _ in range(60):
        copies = rng.integers(1, 60, 3)
        p, w = np.repeat([5, 7, 9], copies), np.repeat([3, 4, 8], copies)
        order = rng.permutation(len(p))
        p, w = p[order], w[order]
        capacity = int(rng.integers(8, int(w.sum())))
        reduced = normalise(Knapsack(p, w, capacity))
        tied = reduced.items.bundled()
        best = optimum(p.tolist(), w.tolist(), capacity)
        value = optimum(tied.profits.tolist(), tied.weights.tolist(), tied.capacity)
        assert reduced.profit + reduced.unit * value == best
        assert len(tied) <= 3 * 6
        members = reduced.expand(tied, tied.choice(np.arange(len(tied))))
        assert len(set(members.tolist())) == len(members)
        for k in range(len(tied)):
            own = reduced.expand(tied, tied.choice(np.array([k])))
            assert len(own) == tied.counts[k]
            assert p[own].sum() == reduced.unit * tied.profits[k]
            assert w[own].sum() == reduced.weight_unit * tied.weights[k]
