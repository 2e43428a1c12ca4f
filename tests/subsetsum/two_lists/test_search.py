"""The staircase through two sorted lists: its stretches, together, see every pair that matters."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from prunus.subsetsum.two_lists.search import (
    ListPair,
    best_below,
    count_pairs,
    find_pair,
    has_pair,
    length,
)

NEVER = np.zeros(1, np.int64)


def lists(seed):
    """Two sorted lists with repeats, which begin with 0."""
    rng = np.random.default_rng(seed)
    top = int(rng.choice([3, 50, 5000]))
    sizes = rng.integers(1, 300, 2)
    return [np.sort(np.append(rng.integers(0, top, n), 0)).astype(np.uint64) for n in sizes]


@pytest.mark.parametrize("seed", range(40))
def test_stretches_find_what_is_there(seed) -> None:
    """Hit, best sum and number of pairs, over random stretches, are those of all pairs."""
    a, b = lists(seed)
    n, m = len(a), len(b)
    pairs = np.add.outer(a, b)
    rng = np.random.default_rng(seed)
    for target in [*rng.choice(pairs.ravel(), 5).tolist(), 1, int(pairs.max()) - 1]:
        if not 0 <= target <= int(pairs.max()):
            continue
        goal = np.uint64(target)
        steps = length(ListPair(a, n, b, m), goal)
        assert steps <= n + m
        cuts = sorted({0, steps, *rng.integers(0, steps + 1, 3).tolist()})
        stretches = list(itertools.pairwise(cuts))
        hits = [has_pair(ListPair(a, n, b, m), goal, *stretch, NEVER) for stretch in stretches]
        there = bool((pairs == goal).any())
        assert (max(hits) >= 0) == there
        best = max(best_below(ListPair(a, n, b, m), goal, *stretch, NEVER) for stretch in stretches)
        assert best == int(pairs[pairs <= goal].max())
        i, j = find_pair(ListPair(a, n, b, m), goal, 0)
        assert (i >= 0) == there
        assert not there or a[i] + b[j] == goal
        rows = [0, n // 3, n // 2, n]
        counts = [
            count_pairs(ListPair(a, n, b, m), goal, first, last, NEVER)
            for first, last in itertools.pairwise(rows)
            if first < last
        ]
        assert sum(counts) == int((pairs == goal).sum())


def test_long_stretches_in_step_see_every_pair() -> None:
    """Each of a thousand targets that exist is hit in lists longer than a tile."""
    rng = np.random.default_rng(1)
    a, b = (np.sort(rng.integers(0, 2**60, 30_000)).astype(np.uint64) for _ in range(2))
    steps = None
    for i, j in rng.integers(0, 30_000, (1000, 2)).tolist():
        goal = a[i] + b[j]
        steps = length(ListPair(a, 30_000, b, 30_000), goal)
        at = has_pair(ListPair(a, 30_000, b, 30_000), goal, 0, steps, NEVER)
        assert at >= 0
        x, y = find_pair(ListPair(a, 30_000, b, 30_000), goal, at)
        assert a[x] + b[y] == goal
        assert best_below(ListPair(a, 30_000, b, 30_000), goal, 0, steps, NEVER) == goal


def test_a_stop_is_told_from_an_answer() -> None:
    """-2 says that nothing is known."""
    a, b = lists(0)
    stop = np.ones(1, np.int64)
    goal = np.uint64(1)
    steps = length(ListPair(a, len(a), b, len(b)), goal)
    assert has_pair(ListPair(a, len(a), b, len(b)), goal, 0, steps, stop) == -2
    assert best_below(ListPair(a, len(a), b, len(b)), goal, 0, steps, stop) == -2
    assert count_pairs(ListPair(a, len(a), b, len(b)), goal, 0, len(a), stop) == -2
