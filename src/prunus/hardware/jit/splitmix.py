"""Reproducible random numbers inside compiled code, one small state an explorer.

Numba's own generator is one global state a thread, so a run would depend on what ran before it.
SplitMix64 (Steele, Lea and Flood 2014, Fast splittable pseudorandom number generators, OOPSLA) has
a state of one word, passes BigCrush, and every seed starts a good sequence.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.jit.compiled import inner


def seeded(seed: int, stream: int = 0) -> NDArray[np.uint64]:
    """Make the state of a generator.

    The same seed, any integer, gives the same numbers; different streams of one seed, e.g. one a
    thread, give unrelated ones. It has the shape (1,) and is for ``draw``, which changes it.
    """
    sequence = np.random.SeedSequence([abs(seed), int(seed < 0), stream])
    return sequence.generate_state(1, np.uint64).astype(np.uint64)


@inner
def mixed(z: np.uint64) -> np.uint64:
    """Spread the bits of a number over all 64 (SplitMix64's finalizer)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inner
def draw(state: Any, n: Any):  # type: ignore[no-untyped-def]
    """Draw an integer from 0 to n - 1, n at most 2**32 (biased by at most n / 2**32)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    upper_half = mixed(state[0]) >> np.uint64(32)
    return np.int64((upper_half * np.uint64(n)) >> np.uint64(32))
