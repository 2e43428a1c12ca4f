"""What the methods are held against: all sums in a dictionary, in plain Python."""

from __future__ import annotations


def optimum(profits, weights, capacity):
    """The best profit, from the best profit of every weight that can be reached."""
    best = {0: 0}
    for p, w in zip(profits, weights, strict=True):
        for weight, profit in list(best.items()):
            if weight + w <= capacity:
                best[weight + w] = max(best.get(weight + w, 0), profit + p)
    return max(best.values())


def random_instance(rng, items=12):
    """Profits, weights and a capacity: of many kinds, easy and degenerate ones among them."""
    n = int(rng.integers(1, items + 1))
    reach = int(rng.choice([1, 3, 10, 100, 10**6]))
    w = rng.integers(0, reach + 1, n)
    p = [
        rng.integers(0, reach + 1, n),
        w + int(rng.integers(0, reach + 1)),
        w,
        (w - int(rng.integers(0, reach + 1))).clip(0),
        (w + rng.integers(-2, 3, n)).clip(0),
        3 * ((w + 2) // 3),
    ][int(rng.integers(0, 6))]
    factor = int(rng.choice([1, 1, 2, 6]))
    if rng.integers(0, 3) == 0:  # copies of a few items
        copies = rng.integers(0, n, n)
        p, w = p[copies], w[copies]
    capacity = int(rng.integers(0, factor * int(w.sum()) + 3))
    return factor * p, factor * w, capacity
