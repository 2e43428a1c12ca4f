"""The bound that counts items is never below what the items left can add, and comes close to it."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from prunus._native.knapsack import Items, Relaxation, most_added


def most_of(w, p, middle, low, high, rho):
    """Return what items can add to a state that leaves ``rho``, from all subsets of them."""
    shifts = [(int(w[j]), int(p[j])) if j >= middle else (-int(w[j]), -int(p[j]))
              for j in range(low, high)]  # fmt: skip
    return max(
        (sum(s[1] for s in part)
         for size in range(len(shifts) + 1)
         for part in combinations(shifts, size)
         if sum(s[0] for s in part) <= rho),
        default=-np.inf,
    )  # fmt: skip


def test_it_is_a_bound():
    """For any items left and any room, sharpened or not, no subset of deviations adds more."""
    rng = np.random.default_rng(1)
    close = 0
    for _ in range(200):
        n = int(rng.integers(1, 9))
        w = rng.integers(1, 30, n) + int(rng.choice([0, 100]))
        p = rng.integers(1, 200, n)
        r = Relaxation(Items(w, p, int(rng.integers(0, w.sum() + 1))))
        low = int(rng.integers(0, r.middle + 1))
        high = int(rng.integers(r.middle, n + 1))
        for rho in rng.integers(-int(w.sum()), int(w.sum()) + 1, 6).tolist():
            sharpened = bool(rng.integers(0, 2))
            best = most_of(r.w, r.p, r.middle, low, high, rho)
            bound = most_added(r, low, high, rho, sharpened=sharpened)
            assert bound >= best
            close += sharpened and bound < best + 10
    assert close > 100


def test_it_is_a_bound_wherever_the_walk_begins():
    """A walk that begins at more items, or fewer, than are left ends no lower than it must."""
    rng = np.random.default_rng(2)
    for _ in range(200):
        n = int(rng.integers(2, 7))
        w = rng.integers(1, 30, n)
        p = w + rng.integers(0, 3, n)
        r = Relaxation(Items(w, p, int(rng.integers(0, w.sum() + 1))))
        rho = int(rng.integers(-20, 21))
        best = most_of(r.w, r.p, r.middle, 0, n, rho)
        for d in (-1000.0, -70.0, -40.0, 40.0, 70.0, 1000.0):
            assert most_added(r, 0, n, rho, sharpened=True, d=d) >= best


def test_prices_of_next_to_nothing_are_a_bound_too():
    """Where an item costs as good as nothing, no number of them is walked through one by one."""
    rng = np.random.default_rng(3)
    for price in (1e-13, -1e-13, 1e-3):
        n = 8
        w, p = rng.integers(1, 30, n), rng.integers(1, 200, n)
        r = Relaxation(Items(w, p, int(w.sum()) // 2))
        for rho in range(-40, 40, 7):
            best = most_of(r.w, r.p, r.middle, 0, n, rho)
            assert most_added(r, 0, n, rho, price=price) >= best


def test_a_part_of_an_item_adds_nothing():
    """Between items of nearly one weight, room for half of one is worth as good as nothing."""
    w, p = np.array([100, 101, 102, 103, 104, 105]), np.array([200, 201, 202, 203, 204, 205])
    r = Relaxation(Items(w, p, 353))  # three items and half of the fourth
    assert most_added(r, 0, 6, r.room) > 90
    assert 9 <= most_added(r, 0, 6, r.room, sharpened=True) < 70
    assert most_of(r.w, r.p, r.middle, 0, 6, r.room) == 9
