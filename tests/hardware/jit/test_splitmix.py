"""SplitMix64: the published sequence, seeds and streams."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from prunus.hardware.jit.splitmix import draw, seeded


def test_published_sequence():
    """From state 1234567 the upper halves of the reference implementation's first words come."""
    state = np.array([1234567], np.uint64)
    words = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert [draw(state, 2**32) for _ in words] == [word >> 32 for word in words]


@given(st.integers(-(2**70), 2**70), st.integers(0, 100), st.integers(1, 1000))
def test_draws_are_in_range_and_reproducible(seed, stream, n):
    """Any integer is a seed; the same seed and stream give the same numbers, all below n."""
    one, other = seeded(seed, stream), seeded(seed, stream)
    numbers = [draw(one, n) for _ in range(20)]
    assert numbers == [draw(other, n) for _ in range(20)]
    assert all(0 <= x < n for x in numbers)


def test_seeds_and_streams_differ():
    """Neighbouring seeds, their negatives and streams start different sequences."""
    keys = [(0, 0), (1, 0), (-1, 0), (0, 1), (1, 1)]
    starts = {tuple(draw(state, 2**32) for _ in range(4)) for state in (seeded(*k) for k in keys)}
    assert len(starts) == len(keys)


def test_every_number_is_about_equally_frequent():
    """Ten thousand draws from ten give each number about a thousand times."""
    state = seeded(0)
    counts = np.bincount([draw(state, 10) for _ in range(10_000)], minlength=10)
    assert counts.min() > 850
    assert counts.max() < 1150
