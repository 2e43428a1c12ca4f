"""One item's step in vector lanes: the same as the plain loop, cell by cell and bit by bit."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from prunus.knapsack.dense.rows import BLOCK, add_max, add_max_bits


@njit
def step(to, start, at, origin, count, profit):
    """Call the kernel from Python."""
    add_max(to, start, at, origin, count, profit)


@njit
def step_bits(to, start, at, origin, count, profit, bits, first):
    """Call the kernel with decision bits from Python."""
    add_max_bits(to, start, at, origin, count, profit, bits, first)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_in_place_and_from_another_array(dtype):
    """Any length and any shift, shorter than a block or longer, raise the right cells alone."""
    rng = np.random.default_rng(0)
    for _ in range(400):
        f = rng.integers(0, 1000, 300).astype(dtype)
        w, count = int(rng.integers(1, 100)), int(rng.integers(0, 5 * BLOCK))
        start, profit = int(rng.integers(w, 300 - count)), int(rng.integers(0, 500))
        expected = f.copy()
        cells = slice(start, start + count)
        raised = f[start - w : start - w + count] + profit
        expected[cells] = np.maximum(f[cells], raised)
        better = raised > f[cells]
        for g in (f, f.copy()):
            target = f.copy()
            source = target if g is f else g
            step(target, start, source, start - w, count, profit)
            assert np.array_equal(target, expected)
        target, first = f.copy(), int(rng.integers(0, 70))
        bits = rng.integers(0, 2**32, 20, dtype=np.uint32)
        before = np.unpackbits(bits.view(np.uint8), bitorder="little")
        step_bits(target, start, target, start - w, count, profit, bits, first)
        after = np.unpackbits(bits.view(np.uint8), bitorder="little")
        assert np.array_equal(target, expected)
        before[first : first + count] = better
        assert np.array_equal(after, before)
