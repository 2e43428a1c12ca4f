"""Seeds of native generators of random numbers (SplitMix64, ``src/native/random.hpp``)."""

from __future__ import annotations

import numpy as np


def generator_seed(seed: int, stream: int = 0) -> int:
    """Return the state, of 64 bits, with which a generator begins.

    The same seed, any integer, gives the same numbers; different streams of one seed, e.g. one a
    thread, give unrelated ones.
    """
    sequence = np.random.SeedSequence([abs(seed), int(seed < 0), stream])
    return int(sequence.generate_state(1, np.uint64)[0])
