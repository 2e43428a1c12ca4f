"""The staircase through two sorted lists: its parts, together, see every pair that matters."""

from __future__ import annotations

import numpy as np
import pytest

from prunus._native.subsetsum import best_below, count_pairs, pair

NEVER = np.zeros(1, np.int64)


def lists(seed):
    """Two sorted lists with repeats, which begin with 0."""
    rng = np.random.default_rng(seed)
    top = int(rng.choice([3, 50, 5000]))
    sizes = rng.integers(1, 300, 2)
    return [np.sort(np.append(rng.integers(0, top, n), 0)).astype(np.uint64) for n in sizes]


def scaled(sums, shift):
    """The sums times a power of two, of three words each if it is more than 1."""
    if shift == 0:
        return sums
    values = [int(value) << shift for value in sums]
    return np.array([[v >> 64 * k & 2**64 - 1 for k in range(3)] for v in values], np.uint64)


def goal_of(target, shift):
    """The same of a target."""
    return tuple(scaled([target], shift)[0].tolist()) if shift else target


def number(found, shift):
    """What a sum is, back in units."""
    return sum(word << 64 * k for k, word in enumerate(found)) >> shift if shift else found


@pytest.mark.parametrize("shift", [0, 1, 59, 100])
@pytest.mark.parametrize("seed", range(30))
def test_parts_find_what_is_there(seed, shift) -> None:
    """Best sum and number of pairs, over parts, are those of all pairs, of any width."""
    a, b = lists(seed)
    pairs = np.add.outer(a, b)
    rng = np.random.default_rng(seed)
    both = scaled(a, shift), scaled(b, shift)
    for target in [*rng.choice(pairs.ravel(), 5).tolist(), 1, int(pairs.max()) - 1]:
        if not 0 <= target <= int(pairs.max()):
            continue
        goal, parts = goal_of(target, shift), int(rng.integers(1, 6))
        there = bool((pairs == target).any())
        sums = [best_below(*both, goal, part, parts, NEVER) for part in range(parts)]
        best = max(number(found, shift) for state, found in sums if state == 0)
        assert best == int(pairs[pairs <= target].max())
        i, j = pair(*both, goal)
        assert (i >= 0) == there
        assert not there or a[i] + b[j] == target
        counts = [count_pairs(*both, goal, part, parts, NEVER) for part in range(parts)]
        assert sum(counts) == int((pairs == target).sum())


def test_long_parts_in_step_see_every_pair() -> None:
    """Each of a thousand targets that exist is met in lists longer than a tile."""
    rng = np.random.default_rng(1)
    a, b = (np.sort(rng.integers(0, 2**60, 30_000)).astype(np.uint64) for _ in range(2))
    for i, j in rng.integers(0, 30_000, (1000, 2)).tolist():
        goal = int(a[i] + b[j])
        x, y = pair(a, b, goal)
        assert a[x] + b[y] == goal
        assert best_below(a, b, goal, 0, 1, NEVER) == (0, goal)


def test_a_stop_is_told_from_an_answer() -> None:
    """-2 says that nothing is known."""
    a, b = lists(0)
    stop = np.ones(1, np.int64)
    assert best_below(a, b, 1, 0, 1, stop)[0] == -2
    assert count_pairs(a, b, 1, 0, 1, stop) == -2


def test_arguments_that_read_elsewhere_are_refused() -> None:
    """Empty lists, sums of two words, and parts that do not exist."""
    a, b = lists(0)
    with pytest.raises(ValueError, match="empty"):
        best_below(a[:0], b, 1, 0, 1, NEVER)
    with pytest.raises(ValueError, match="no such part"):
        count_pairs(a, b, 1, 1, 1, NEVER)
    with pytest.raises(ValueError, match="three words"):
        pair(np.zeros((1, 2), np.uint64), np.zeros((1, 3), np.uint64), (0, 0, 0))
