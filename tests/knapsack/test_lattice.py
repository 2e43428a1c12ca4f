"""Profits that follow from weights but for a multiple of something: bounds rounded down to them."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus._native.knapsack import Items, lattice_of


def lattice_of_items(w, p):
    return lattice_of(Items(np.array(w), np.array(p), 1))


def index_of(vectors):
    """Return the index of the lattice that vectors span: the common divisor of all minors."""
    return math.gcd(*(a[0] * b[1] - a[1] * b[0] for a, b in product(vectors, vectors)))


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(1, 60)), min_size=2, max_size=6))
def test_the_step_is_the_index_of_the_lattice(items):
    """The step is the common divisor of all minors, and every item lies on the lattice."""
    divisor = math.gcd(*(w for w, _ in items))
    items = [(w // divisor, p) for w, p in items]
    w, p = np.array(items, dtype=np.int64).T
    lattice = lattice_of_items(w, p)
    index = index_of(items)
    if lattice is None:
        assert index in (0, 1)
    else:
        assert lattice.step == index
        assert all((p - lattice.slope * w) % lattice.step == 0 for w, p in items)


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 3)), min_size=2, max_size=5),
    st.integers(2, 40),
    st.integers(0, 50),
    st.integers(0, 60),
)
def test_no_lattice_point_lies_between(items, step, capacity, spare):
    """A rounded bound is the greatest point of the lattice under the line, found one by one."""
    w = np.array([1, *(item[0] for item in items)])
    p = 2 * w + step * np.array([1, *(item[1] for item in items)])
    lattice = lattice_of_items(w, p)
    if lattice is None:
        return
    bound, price, value = 2.0 * capacity + spare + 0.25, 2.5, 1
    best = value
    for weight in range(capacity + 1):
        for profit in range(math.floor(bound - (capacity - weight) * price) + 1):
            if (profit - lattice.slope * weight) % lattice.step == 0:
                best = max(best, profit)
    assert lattice.floor(bound, price, capacity, value) == best


def test_far_below_the_capacity_the_bound_itself_holds():
    """Where too many weights would have to be looked at, the rounded bound is still no lower."""
    w, p = np.array([1, 1 << 28]), np.array([5, (1 << 28) + 7])
    lattice = lattice_of_items(w, p)
    assert lattice is not None
    assert lattice.step == (1 << 30) - 7
    bound, price, far = 1e7 + 0.5, 0.001, 1 << 17
    assert lattice.floor(bound, price, 1 << 25, 3) == math.floor(bound - (far + 1) * price)


@pytest.mark.parametrize(
    ("w", "p"),
    [([3], [4]), ([2, 3], [5, 7]), ([1, 2, 3], [1, 2, 3]), ([1, 2**40], [2**40 + 1, 7])],
)
def test_where_it_says_nothing(w, p):
    """One item, steps of 1, profits that are weights, and products that overflow: no lattice."""
    assert lattice_of_items(w, p) is None


def test_strongly_correlated():
    """Profits a constant above the weights: the step is that constant."""
    w = np.random.default_rng(1).integers(1, 10**6, 500)
    lattice = lattice_of_items(w, w + 10**5)
    assert (lattice.slope, lattice.step) == (1, 10**5)
