"""Instances for the dense method on GPUs, and the recursion that it is held against."""

from __future__ import annotations

import numpy as np


def plain(w, p, capacity):
    """The recursion over the whole range, one item after another."""
    f = np.zeros(capacity + 1, dtype=np.int64)
    for weight, profit in zip(w.tolist(), p.tolist(), strict=True):
        if weight <= capacity:
            f[weight:] = np.maximum(f[weight:], f[: capacity + 1 - weight] + profit)
    return f


def instance(rng, most=20_000):
    """Weights, profits and a capacity: light and heavy, rare and repeated, small and large."""
    n = int(rng.integers(1, 40))
    reach = int(rng.choice([1, 3, 10, 40, 200, 3000]))
    w = rng.integers(1, reach + 1, n)
    if rng.integers(3) == 0:  # nearly equal
        w = w % int(rng.integers(2, 40)) + int(rng.integers(64, 3000))
    p = [w + 50, rng.integers(1, 100, n), w + rng.integers(0, 3, n)][int(rng.integers(3))]
    if rng.integers(3) == 0:  # copies
        kinds, copies = rng.integers(0, max(1, n // 4), n), int(rng.integers(1, 9))
        w, p = np.repeat(w[kinds], copies), np.repeat(p[kinds], copies)
    if rng.integers(6) == 0:  # many of one kind
        many = np.zeros(int(rng.integers(32, 150)), np.int64)
        w, p = np.r_[w, w[many]], np.r_[p, p[many]]
    p = p * 10 ** int(rng.choice([0, 0, 8]))
    return w, p, min(most, int(rng.integers(1, int(w.sum()) + 3)))


def check_choice(chosen, w, p, capacity, value):
    """Add the items up again."""
    assert len(set(chosen.tolist())) == len(chosen)
    assert w[chosen].sum() <= capacity
    assert p[chosen].sum() == value
